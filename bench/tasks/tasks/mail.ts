// A mailbox of twelve: archive both newsletters, star one message, delete the spam. Each row has icons without text.

import { page } from '../../../test/support/site.ts'
import { button, click, readForm, type Task } from '../task.ts'

const messages = [
  ['Anna Berg', 'Minutes of Monday'],
  ['Weekly Digest', 'Ten links for you'],
  ['Carla Ruiz', 'Contract to sign by Friday'],
  ['Lucky Prize', 'You have won a car'],
  ['David Okoye', 'Lunch tomorrow?'],
  ['Shop News', 'Autumn sale'],
  ['Build Server', 'Nightly build passed'],
  ['Eva Novak', 'Photos from the trip'],
  ['Finance', 'Expense report approved'],
  ['Frank Li', 'Question on the roadmap'],
  ['Grace Kim', 'Re: Onboarding'],
  ['Travel Team', 'Your tickets'],
] as const

const icons = [
  ['star', 'Star', '☆'],
  ['archive', 'Archive', '▤'],
  ['delete', 'Delete', '✕'],
] as const

const row = ([sender, subject]: (typeof messages)[number], id: number) =>
  `<li data-id="${id}"><b>${sender}</b> <span>${subject}</span> ${icons
    .map(
      ([action, label, icon]) =>
        `<button data-action="${action}" aria-label="${label} ${subject}">${icon}</button>`,
    )
    .join(' ')}</li>`

const app = page(
  `<h1>Inbox</h1><p role="status">${messages.length} messages</p><ul>${messages.map(row).join('')}</ul><script>
  document.querySelector('ul').onclick = async ({ target }) => {
    const { action } = target.dataset
    if (!action) return
    const item = target.closest('li')
    const body = new URLSearchParams({ action, id: item.dataset.id })
    await (await fetch('/act', { method: 'post', body })).text()
    if (action === 'star') target.textContent = '★'
    else item.remove()
    document.querySelector('[role=status]').textContent = document.querySelectorAll('li').length + ' messages'
  }
</script>`,
  'Inbox',
)

export const mail: Task = {
  name: 'mail triage',
  path: '/',
  rounds: [
    [
      click(button('Archive Ten links for you')),
      click(button('Star Contract to sign by Friday')),
      click(button('Delete You have won a car')),
      click(button('Archive Autumn sale')),
    ],
  ],
  result: /9 messages/,
  create() {
    const acts: string[] = []
    return {
      isDone: () => acts.toSorted().join() === 'archive 1,archive 5,delete 3,star 2',
      routes: {
        '/': app,
        async '/act'(request, response) {
          const { action, id } = await readForm(request)
          acts.push(`${action} ${id}`)
          response.end('done')
        },
      },
    }
  },
}
