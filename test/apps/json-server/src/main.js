const api = 'http://localhost:5318/notes'
const [form, list, status] = ['form', 'ul', 'p'].map((name) => document.querySelector(name))

async function send(method, path, note) {
  const headers = { 'content-type': 'application/json' }
  await fetch(`${api}${path}`, { method, headers, body: JSON.stringify(note) })
  await show()
}

function itemOf({ id, text }) {
  const item = document.createElement('li')
  const button = document.createElement('button')
  button.textContent = 'Remove'
  button.addEventListener('click', () => send('DELETE', `/${id}`))
  item.append(`${text} `, button)
  return item
}

async function show() {
  const notes = await (await fetch(api)).json()
  list.replaceChildren(...notes.map(itemOf))
  status.textContent = `${notes.length} in the list`
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void send('POST', '', { text: form.elements.text.value })
  form.reset()
})
await show()
