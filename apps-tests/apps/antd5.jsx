import { Form, Select } from 'antd5'
import { useState } from 'react'
import { show } from './react-state.jsx'

const toOptions = words => words.map(word => ({ value: word.toLowerCase(), label: word }))
const sizes = toOptions(['Small', 'Medium', 'Large'])
const projects = toOptions(['Apollo', 'Borealis', 'Comet', 'Dione'])
const cities = toOptions(Array.from({ length: 400 }, (_, i) => `City ${i + 1}`))

function App() {
  const [state, setState] = useState({ size: null, projects: [], teams: [], city: null, town: null })
  const set = to => setState(now => ({ ...now, ...to }))
  window.state = state
  const style = { width: 240 }
  return (
    <Form layout="vertical">
      <Form.Item label="Size" htmlFor="size">
        <Select id="size" placeholder="Pick a size" style={style} value={state.size} onChange={size => set({ size })} options={sizes} />
      </Form.Item>
      <Form.Item label="Projects" htmlFor="projects">
        <Select id="projects" mode="tags" style={style} value={state.projects} onChange={to => set({ projects: to })} options={projects} />
      </Form.Item>
      <Form.Item label="Teams" htmlFor="teams">
        <Select
          id="teams"
          mode="multiple"
          maxTagCount={1}
          virtual={false}
          style={style}
          value={state.teams}
          onChange={teams => set({ teams })}
          options={projects}
        />
      </Form.Item>
      <Form.Item label="City" htmlFor="city">
        <Select
          id="city"
          showSearch
          optionFilterProp="label"
          style={style}
          value={state.city}
          onChange={city => set({ city })}
          options={cities}
        />
      </Form.Item>
      <Form.Item label="Town" htmlFor="town">
        <Select id="town" style={style} value={state.town} onChange={town => set({ town })} options={cities} />
      </Form.Item>
    </Form>
  )
}

show(<App />)
