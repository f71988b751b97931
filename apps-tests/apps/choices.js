import 'choices.js/public/assets/styles/choices.css'
import Choices from 'choices.js'

window.state = { fruit: '' }
document.getElementById('app').innerHTML =
  '<label for=fruit>Fruit</label><select id=fruit><option value="">Pick a fruit<option value=apple>Apple<option value=banana>Banana<option value=cherry>Cherry</select>'
const select = document.getElementById('fruit')
select.addEventListener('change', () => {
  window.state.fruit = select.value
})
new Choices(select, { labelId: 'fruit-label' })
