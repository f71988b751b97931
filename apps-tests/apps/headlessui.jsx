import {
  Checkbox,
  Combobox,
  ComboboxInput,
  ComboboxOption,
  ComboboxOptions,
  Listbox,
  ListboxButton,
  ListboxOption,
  ListboxOptions,
  Switch,
} from '@headlessui/react'
import { useState } from 'react'
import { show } from './react-state.jsx'

const sizes = ['Small', 'Medium', 'Large']
const fruits = ['Apple', 'Banana', 'Cherry', 'Blueberry']

function App() {
  const [state, setState] = useState({ size: '', fruit: '', terms: false, alerts: false })
  const [typed, setTyped] = useState('')
  const set = to => setState(now => ({ ...now, ...to }))
  window.state = state
  return (
    <div style={{ display: 'grid', gap: 16, maxWidth: 320 }}>
      <Listbox value={state.size} onChange={size => set({ size })}>
        <ListboxButton aria-label="Size">{state.size || 'Pick a size'}</ListboxButton>
        <ListboxOptions anchor="bottom start" style={{ background: '#fff' }}>
          {sizes.map(size => (
            <ListboxOption key={size} value={size}>
              {size}
            </ListboxOption>
          ))}
        </ListboxOptions>
      </Listbox>
      <Combobox value={state.fruit} onChange={fruit => set({ fruit: fruit ?? '' })}>
        <ComboboxInput aria-label="Fruit" onChange={event => setTyped(event.target.value)} />
        <ComboboxOptions anchor="bottom start" style={{ background: '#fff' }}>
          {fruits
            .filter(fruit => fruit.toLowerCase().includes(typed.toLowerCase()))
            .map(fruit => (
              <ComboboxOption key={fruit} value={fruit}>
                {fruit}
              </ComboboxOption>
            ))}
        </ComboboxOptions>
      </Combobox>
      <Checkbox
        aria-label="Terms"
        checked={state.terms}
        onChange={terms => set({ terms })}
        style={{ width: 20, height: 20, border: '1px solid', display: 'block' }}
      />
      <Switch
        aria-label="Alerts"
        checked={state.alerts}
        onChange={alerts => set({ alerts })}
        style={{ width: 40, height: 20, border: '1px solid' }}
      />
    </div>
  )
}

show(<App />)
