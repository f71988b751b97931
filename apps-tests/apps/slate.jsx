import { useState } from 'react'
import { createEditor, Node } from 'slate'
import { Editable, Slate, withReact } from 'slate-react'
import { show } from './react-state.jsx'

function App() {
  const [editor] = useState(() => withReact(createEditor()))
  window.slate = editor
  return (
    <Slate editor={editor} initialValue={[{ type: 'paragraph', children: [{ text: '' }] }]}>
      <Editable aria-label="Text" style={{ border: '1px solid', minHeight: 80 }} />
    </Slate>
  )
}

Object.defineProperty(window, 'state', { get: () => ({ text: window.slate.children.map(Node.string).join('\n') }) })
show(<App />)
