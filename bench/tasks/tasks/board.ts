// Drag and drop: two cards of a board to other columns.

import { page } from '../../../test/support/site.ts'
import { readForm, type Target, type Task } from '../task.ts'

const columns = { 'To do': ['Write tests', 'Fix login'], Doing: ['Review docs'], Done: ['Set up CI'] }

const app = page(
  `<style>section { display: inline-block; vertical-align: top; width: 200px; min-height: 200px; margin: 8px; background: #eee }
  article { margin: 8px; padding: 8px; background: #fff }</style><h1>Board</h1>${Object.entries(columns)
    .map(
      ([name, cards]) =>
        `<section role="group" tabindex="0" aria-label="${name}"><h2>${name}</h2>${cards
          .map(
            (card) =>
              `<article draggable="true" role="button" tabindex="0" aria-label="${card}">${card}</article>`,
          )
          .join('')}</section>`,
    )
    .join('')}<p role="status"></p><script>
  let dragged
  document.querySelectorAll('article').forEach((one) => (one.ondragstart = ({ dataTransfer }) => {
    dragged = one
    dataTransfer.setData('text/plain', one.textContent)
  }))
  document.querySelectorAll('section').forEach((one) => {
    one.ondragover = (event) => event.preventDefault()
    one.ondrop = async (event) => {
      event.preventDefault()
      one.append(dragged)
      const body = new URLSearchParams({ card: dragged.textContent, column: one.ariaLabel })
      document.querySelector('[role=status]').textContent = await (await fetch('/move', { method: 'post', body })).text()
    }
  })
</script>`,
  'Board',
)

const card = (name: string): Target => ({ role: 'button', name })
const column = (name: string): Target => ({ role: 'group', name })

export const board: Task = {
  name: 'drag and drop',
  path: '/',
  rounds: [
    [
      { kind: 'drag', target: card('Review docs'), to: column('Done') },
      { kind: 'drag', target: card('Fix login'), to: column('Doing') },
    ],
  ],
  result: /Fix login is in Doing/,
  create() {
    const moves: string[] = []
    return {
      isDone: () => moves.join() === 'Review docs → Done,Fix login → Doing',
      routes: {
        '/': app,
        async '/move'(request, response) {
          const { card: moved, column: to } = await readForm(request)
          moves.push(`${moved} → ${to}`)
          response.end(`${moved} is in ${to}`)
        },
      },
    }
  },
}
