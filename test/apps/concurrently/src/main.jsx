import { countText } from './count-text.js'

let count = 0
const button = document.getElementById('counter')
const show = () => (button.textContent = countText(count))

function increment() {
  count += 1
  show()
}

document.querySelector('h1').textContent = 'First title'
button.onclick = increment
show()
