import '@shoelace-style/shoelace/dist/themes/light.css'
import '@shoelace-style/shoelace/dist/components/checkbox/checkbox.js'
import '@shoelace-style/shoelace/dist/components/input/input.js'
import '@shoelace-style/shoelace/dist/components/option/option.js'
import '@shoelace-style/shoelace/dist/components/select/select.js'
import '@shoelace-style/shoelace/dist/components/switch/switch.js'

window.state = { city: '', size: '', terms: false, alerts: false }
document.getElementById('app').innerHTML = `<div style="display:grid;gap:16px;max-width:320px">
  <sl-input label="City"></sl-input>
  <sl-select label="Size"><sl-option value="s">Small</sl-option><sl-option value="m">Medium</sl-option><sl-option value="l">Large</sl-option></sl-select>
  <sl-checkbox>Terms</sl-checkbox><sl-switch>Alerts</sl-switch></div>`
const on = (tag, event, take) => document.querySelector(tag).addEventListener(event, ({ target }) => take(target))
on('sl-input', 'sl-input', ({ value }) => {
  window.state.city = value
})
on('sl-select', 'sl-change', ({ value }) => {
  window.state.size = value
})
on('sl-checkbox', 'sl-change', ({ checked }) => {
  window.state.terms = checked
})
on('sl-switch', 'sl-change', ({ checked }) => {
  window.state.alerts = checked
})
