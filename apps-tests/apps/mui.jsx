import Autocomplete from '@mui/material/Autocomplete'
import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import InputLabel from '@mui/material/InputLabel'
import MenuItem from '@mui/material/MenuItem'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Select from '@mui/material/Select'
import Switch from '@mui/material/Switch'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { show } from './react-state.jsx'

function App() {
  const [state, setState] = useState({ city: '', size: '', fruit: null, terms: false, alerts: false, plan: '' })
  const set = to => setState(now => ({ ...now, ...to }))
  window.state = state
  return (
    <div style={{ display: 'grid', gap: 16, maxWidth: 320 }}>
      <TextField label="City" value={state.city} onChange={event => set({ city: event.target.value })} />
      <FormControl>
        <InputLabel id="size">Size</InputLabel>
        <Select labelId="size" label="Size" value={state.size} onChange={event => set({ size: event.target.value })}>
          <MenuItem value="s">Small</MenuItem>
          <MenuItem value="m">Medium</MenuItem>
          <MenuItem value="l">Large</MenuItem>
        </Select>
      </FormControl>
      <Autocomplete
        options={['Apple', 'Banana', 'Cherry', 'Blueberry']}
        value={state.fruit}
        onChange={(_, fruit) => set({ fruit })}
        renderInput={props => <TextField {...props} label="Fruit" />}
      />
      <FormControlLabel
        label="Terms"
        control={<Checkbox checked={state.terms} onChange={event => set({ terms: event.target.checked })} />}
      />
      <FormControlLabel
        label="Alerts"
        control={<Switch checked={state.alerts} onChange={event => set({ alerts: event.target.checked })} />}
      />
      <RadioGroup value={state.plan} onChange={event => set({ plan: event.target.value })}>
        <FormControlLabel value="free" label="Free" control={<Radio />} />
        <FormControlLabel value="pro" label="Pro" control={<Radio />} />
      </RadioGroup>
    </div>
  )
}

show(<App />)
