import * as monaco from 'monaco-editor/editor/editor.api.js'
import 'monaco-editor/editor/contrib/clipboard/browser/clipboard.js'

window.MonacoEnvironment = { getWorker: () => new Worker(URL.createObjectURL(new Blob(['']))) }
const app = document.getElementById('app')
app.style.height = '200px'
const editor = monaco.editor.create(app, { value: '', language: 'plaintext' })
Object.defineProperty(window, 'state', { get: () => ({ text: editor.getValue() }) })
