import { useState } from 'react'
import Select from 'react-select'
import { show } from './react-state.jsx'

const options = ['Apple', 'Banana', 'Cherry', 'Blueberry'].map(label => ({ value: label.toLowerCase(), label }))

function App() {
  const [state, setState] = useState({ fruit: '', fruits: [] })
  const set = to => setState(now => ({ ...now, ...to }))
  window.state = state
  return (
    <div style={{ display: 'grid', gap: 16, maxWidth: 320 }}>
      <Select aria-label="Fruit" options={options} onChange={({ value }) => set({ fruit: value })} />
      <Select aria-label="Fruits" isMulti options={options} onChange={all => set({ fruits: all.map(each => each.value) })} />
    </div>
  )
}

show(<App />)
