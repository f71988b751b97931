import 'flatpickr/dist/flatpickr.css'
import flatpickr from 'flatpickr'

window.state = { day: '' }
document.getElementById('app').innerHTML = '<label>Day <input id=day></label>'
flatpickr('#day', {
  defaultDate: '2024-05-01',
  onChange: (_, day) => {
    window.state.day = day
  },
})
