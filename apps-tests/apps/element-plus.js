import { ElForm, ElFormItem, ElOption, ElSelect, ElSelectV2 } from 'element-plus'
import { createApp, h, reactive } from 'vue'
import 'element-plus/dist/index.css'

const state = reactive({ size: '', projects: [], city: '', town: '' })
Object.defineProperty(window, 'state', { get: () => JSON.parse(JSON.stringify(state)) })
const toOptions = words => words.map(word => ({ value: word.toLowerCase(), label: word }))
const sizes = toOptions(['Small', 'Medium', 'Large'])
const projects = toOptions(['Apollo', 'Borealis', 'Comet', 'Dione'])
const cities = toOptions(Array.from({ length: 60 }, (_, i) => `City ${i + 1}`))
const towns = toOptions(Array.from({ length: 400 }, (_, i) => `Town ${i + 1}`))

const bind = name => ({
  modelValue: state[name],
  'onUpdate:modelValue': to => {
    state[name] = to
  },
  style: 'width: 240px',
})
const select = (name, label, options, props = {}) =>
  h(ElFormItem, { label }, () =>
    h(ElSelect, { ...bind(name), ...props }, () => options.map(option => h(ElOption, { key: option.value, ...option }))),
  )

createApp({
  render: () =>
    h(ElForm, { labelWidth: '100px' }, () => [
      select('size', 'Size', sizes),
      select('projects', 'Projects', projects, { multiple: true }),
      select('city', 'City', cities, { filterable: true }),
      h(ElFormItem, { label: 'Town' }, () => h(ElSelectV2, { ...bind('town'), options: towns })),
    ]),
}).mount('#app')
