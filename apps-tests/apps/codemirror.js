import { basicSetup, EditorView } from 'codemirror'

const view = new EditorView({ parent: document.getElementById('app'), extensions: [basicSetup] })
Object.defineProperty(window, 'state', { get: () => ({ text: view.state.doc.toString() }) })
