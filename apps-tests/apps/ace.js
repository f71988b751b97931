import ace from 'ace-builds/src-noconflict/ace.js'

const app = document.getElementById('app')
app.style.height = '200px'
const editor = ace.edit(app)
editor.setValue('let port = 8080\nlet debug = false', -1)
Object.defineProperty(window, 'state', { get: () => ({ text: editor.getValue() }) })
