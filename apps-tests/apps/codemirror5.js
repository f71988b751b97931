import CodeMirror from 'codemirror5'
import 'codemirror5/mode/javascript/javascript.js'
import 'codemirror5/lib/codemirror.css'

const editor = CodeMirror(document.getElementById('app'), {
  value: 'let port = 8080\nlet debug = false',
  mode: 'javascript',
  lineNumbers: true,
})
Object.defineProperty(window, 'state', { get: () => ({ text: editor.getValue() }) })
