const [form, list, status] = ['form', 'ul', 'p'].map((name) => document.querySelector(name))

async function send(method, note) {
  await fetch('/api/notes', { method, body: note })
  await show()
}

function itemOf(note) {
  const item = document.createElement('li')
  const button = document.createElement('button')
  button.textContent = 'Remove'
  button.addEventListener('click', () => send('DELETE', note))
  item.append(`${note} `, button)
  return item
}

async function show() {
  const notes = await (await fetch('/api/notes')).json()
  list.replaceChildren(...notes.map(itemOf))
  status.textContent = `${notes.length} in the list`
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void send('POST', form.elements.text.value)
  form.reset()
})
await show()
