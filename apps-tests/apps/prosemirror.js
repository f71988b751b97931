import 'prosemirror-view/style/prosemirror.css'
import 'prosemirror-example-setup/style/style.css'
import { exampleSetup } from 'prosemirror-example-setup'
import { schema } from 'prosemirror-schema-basic'
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'

const view = new EditorView(document.getElementById('app'), {
  state: EditorState.create({ schema, plugins: exampleSetup({ schema, menuBar: false }) }),
})
Object.defineProperty(window, 'state', { get: () => ({ text: view.state.doc.textBetween(0, view.state.doc.content.size, '\n') }) })
