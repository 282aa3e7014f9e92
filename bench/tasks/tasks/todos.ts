// A todo list: add three, complete one, delete one.

import { page } from '../../../test/support/site.ts'
import { button, check, checkbox, click, enter, readForm, type Task, textbox } from '../task.ts'

const app = page(
  `<h1>Todos</h1><input aria-label="New todo" placeholder="What needs to be done?"><ul></ul><p id="left">0 left</p><script>
  const list = document.querySelector('ul')
  const save = () => {
    left.textContent = list.querySelectorAll('input:not(:checked)').length + ' left'
    const items = [...list.children].map((item) => item.querySelector('input').checked + ':' + item.textContent.trim().replace(/ ×$/, ''))
    fetch('/save', { method: 'post', body: new URLSearchParams({ items: items.join('|') }) }).then((answer) => answer.text())
  }
  document.querySelector('input').onkeydown = ({ key, target }) => {
    if (key !== 'Enter' || !target.value) return
    const item = document.createElement('li')
    item.innerHTML = '<label><input type="checkbox"> </label> <button>×</button>'
    item.querySelector('label').append(target.value)
    item.querySelector('button').ariaLabel = 'Delete ' + target.value
    item.querySelector('input').onchange = save
    item.querySelector('button').onclick = () => { item.remove(); save() }
    list.append(item)
    target.value = ''
    save()
  }
</script>`,
  'Todos',
)

const field = textbox('New todo')

export const todos: Task = {
  name: 'todo list',
  path: '/',
  rounds: [
    [enter(field, 'Milk'), enter(field, 'Bread'), enter(field, 'Tea')],
    [check(checkbox('Bread')), click(button('Delete Milk'))],
  ],
  result: /1 left/,
  create() {
    let items = ''
    return {
      isDone: () => items === 'true:Bread|false:Tea',
      routes: {
        '/': app,
        async '/save'(request, response) {
          items = (await readForm(request))['items'] ?? ''
          response.end('done')
        },
      },
    }
  },
}
