import { countText } from './count-text.js'

let count = 0
const title = document.createElement('h1')
title.textContent = 'First title'
const button = document.createElement('button')
button.id = 'counter'
const show = () => (button.textContent = countText(count))

function increment() {
  count += 1
  show()
}

button.onclick = increment
show()
document.body.append(title, button)
