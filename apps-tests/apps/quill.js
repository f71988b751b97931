import 'quill/dist/quill.snow.css'
import Quill from 'quill'

document.getElementById('app').innerHTML = '<div id=editor style="height:160px"></div>'
const quill = new Quill('#editor', { theme: 'snow' })
Object.defineProperty(window, 'state', { get: () => ({ text: quill.getText().replace(/\n$/, '') }) })
