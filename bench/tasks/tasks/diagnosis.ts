// An application that fails: start it, see the failure, find its cause in what the server printed, report it.

import { button, click, fill, type Task, textbox } from '../task.ts'

export const diagnosis: Task = {
  name: 'error diagnosis with a dev server',
  path: '/',
  program: 'ledger-app.mjs',
  rounds: [
    [click(button('Load report'))],
    (seen) => {
      const cause = /LEDGER-\d+/.exec(seen)?.[0]
      if (cause !== undefined) return [fill(textbox('Cause'), cause), click(button('Report'))]
      return seen.includes('could not be loaded') ? 'log' : 'look'
    },
  ],
  result: /Thank you/,
  create: () => ({
    routes: {},
    isDone: async (url) => (await (await fetch(`${url}/done`)).text()) === 'true',
  }),
}
