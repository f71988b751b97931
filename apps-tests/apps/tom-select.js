import 'tom-select/dist/css/tom-select.css'
import TomSelect from 'tom-select'

window.state = { fruit: '' }
document.getElementById('app').innerHTML =
  '<label for=fruit>Fruit</label><select id=fruit><option value="">Pick a fruit<option value=apple>Apple<option value=banana>Banana<option value=cherry>Cherry</select>'
new TomSelect('#fruit', {
  onChange: fruit => {
    window.state.fruit = fruit
  },
})
