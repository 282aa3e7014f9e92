// Two dates from a calendar that opens as a popup; the field itself is read-only.

import { page } from '../../../test/support/site.ts'
import { button, click, readForm, type Task } from '../task.ts'

const app = page(
  `<h1>Book a room</h1><form><p>Arrival <input id="arrival" readonly> <button type="button" data-for="arrival">Choose arrival</button>
  <p>Departure <input id="departure" readonly> <button type="button" data-for="departure">Choose departure</button>
  <p><button>Book</button></form><div id="calendar" role="dialog" aria-label="Calendar" hidden></div><p role="status"></p><script>
  const names = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
  let field, month = 10, year = 2026
  const draw = () => {
    const count = new Date(year, month + 1, 0).getDate()
    const days = Array.from({ length: count }, (_, day) =>
      '<button data-day="' + (day + 1) + '" aria-label="' + (day + 1) + ' ' + names[month] + ' ' + year + '">' + (day + 1) + '</button>')
    calendar.innerHTML = '<button data-move="-1" aria-label="Previous month">‹</button> ' + names[month] + ' ' + year +
      ' <button data-move="1" aria-label="Next month">›</button><div>' + days.join(' ') + '</div>'
    calendar.hidden = false
  }
  document.querySelectorAll('[data-for]').forEach((one) => (one.onclick = () => { field = one.dataset.for; draw() }))
  calendar.onclick = ({ target: { dataset } }) => {
    if (dataset.move) {
      const moved = new Date(year, month + Number(dataset.move))
      month = moved.getMonth()
      year = moved.getFullYear()
      draw()
    }
    if (!dataset.day) return
    document.getElementById(field).value = [year, String(month + 1).padStart(2, '0'), dataset.day.padStart(2, '0')].join('-')
    calendar.hidden = true
  }
  document.querySelector('form').onsubmit = async (event) => {
    event.preventDefault()
    const body = new URLSearchParams({ arrival: arrival.value, departure: departure.value })
    document.querySelector('[role=status]').textContent = await (await fetch('/book', { method: 'post', body })).text()
  }
</script>`,
  'Book a room',
)

export const datePicker: Task = {
  name: 'date picker',
  path: '/',
  rounds: [
    [click(button('Choose arrival'))],
    [click(button('Next month'))],
    [click(button('29 December 2026')), click(button('Choose departure'))],
    [click(button('Next month'))],
    [click(button('3 January 2027')), click(button('Book'))],
  ],
  result: /Booked 2026-12-29 to 2027-01-03/,
  create() {
    let booked = ''
    return {
      isDone: () => booked === '2026-12-29 2027-01-03',
      routes: {
        '/': app,
        async '/book'(request, response) {
          const { arrival, departure } = await readForm(request)
          booked = `${arrival} ${departure}`
          response.end(`Booked ${arrival} to ${departure}`)
        },
      },
    }
  },
}
