import * as monaco from 'monaco-editor-50/esm/vs/editor/editor.api.js'
import 'monaco-editor-50/esm/vs/language/json/monaco.contribution.js'
import 'monaco-editor-50/esm/vs/editor/contrib/clipboard/browser/clipboard.js'

window.MonacoEnvironment = { getWorker: () => new Worker(URL.createObjectURL(new Blob(['']))) }
const app = document.getElementById('app')
app.style.height = '200px'
const editor = monaco.editor.create(app, { value: '{\n  "port": 8080,\n  "debug": false\n}', language: 'json' })
Object.defineProperty(window, 'state', { get: () => ({ text: editor.getValue() }) })
