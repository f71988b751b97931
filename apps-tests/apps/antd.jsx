import { Checkbox, DatePicker, Input, Select, Switch } from 'antd'
import { useState } from 'react'
import { show } from './react-state.jsx'

function App() {
  const [state, setState] = useState({ city: '', size: null, day: '', terms: false, alerts: false })
  const set = to => setState(now => ({ ...now, ...to }))
  window.state = state
  return (
    <div style={{ display: 'grid', gap: 16, maxWidth: 320 }}>
      <Input aria-label="City" value={state.city} onChange={event => set({ city: event.target.value })} />
      <Select
        aria-label="Size"
        style={{ width: 200 }}
        value={state.size}
        onChange={size => set({ size })}
        options={[
          { value: 's', label: 'Small' },
          { value: 'm', label: 'Medium' },
          { value: 'l', label: 'Large' },
        ]}
      />
      <DatePicker aria-label="Day" onChange={(_, day) => set({ day })} />
      <Checkbox checked={state.terms} onChange={event => set({ terms: event.target.checked })}>
        Terms
      </Checkbox>
      <Switch aria-label="Alerts" checked={state.alerts} onChange={alerts => set({ alerts })} />
    </div>
  )
}

show(<App />)
