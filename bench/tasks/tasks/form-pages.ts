// A form over three pages: each page is sent before the next one is shown.

import { page, type Route } from '../../../test/support/site.ts'
import {
  button,
  check,
  checkbox,
  click,
  combobox,
  fill,
  readForm,
  select,
  type Task,
  textbox,
} from '../task.ts'

const field = (label: string, name: string) => `<p><label>${label} <input name="${name}" required></label>`
const choice = (label: string, name: string, options: readonly string[]) =>
  `<p><label>${label} <select name="${name}">${options.map((option) => `<option>${option}</option>`).join('')}</select></label>`

const steps: readonly (readonly [title: string, fields: string])[] = [
  [
    'Applicant',
    field('First name', 'first') +
      field('Last name', 'last') +
      field('E-mail', 'email') +
      field('Phone', 'phone'),
  ],
  [
    'Company',
    field('Company name', 'company') +
      choice('Country', 'country', ['Choose', 'Austria', 'Germany', 'Switzerland']) +
      choice('Employees', 'size', ['Choose', '1-9', '10-49', '50-249', '250+']),
  ],
  [
    'Plan',
    choice('Plan', 'plan', ['Free', 'Team', 'Enterprise']) +
      '<p><label>Remarks <textarea name="remarks"></textarea></label>' +
      '<p><label><input type="checkbox" name="terms" required> I accept the terms</label>',
  ],
]

const expected = {
  first: 'Ada',
  last: 'Lovelace',
  email: 'ada@example.com',
  phone: '+43 1 23456',
  company: 'Analytical Engines',
  country: 'Austria',
  size: '10-49',
  plan: 'Team',
  remarks: 'Invoice by mail',
  terms: 'on',
} as const

export const formPages: Task = {
  name: 'form over three pages',
  path: '/step/1',
  rounds: [
    [
      fill(textbox('First name'), expected.first),
      fill(textbox('Last name'), expected.last),
      fill(textbox('E-mail'), expected.email),
      fill(textbox('Phone'), expected.phone),
      click(button('Continue')),
    ],
    [
      fill(textbox('Company name'), expected.company),
      select(combobox('Country'), expected.country),
      select(combobox('Employees'), expected.size),
      click(button('Continue')),
    ],
    [
      select(combobox('Plan'), expected.plan),
      fill(textbox('Remarks'), expected.remarks),
      check(checkbox('I accept the terms')),
      click(button('Send')),
    ],
  ],
  result: /Application received/,
  create() {
    let sent: Readonly<Record<string, string>> = {}
    const stepRoute =
      (index: number): Route =>
      async (request, response) => {
        sent = { ...sent, ...(await readForm(request)) }
        const [title, fields] = steps[index] ?? ['Application received', undefined]
        const form =
          fields &&
          `<form method="post" action="/step/${index + 2}">${fields}<p><button>${index === 2 ? 'Send' : 'Continue'}</button></form>`
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(page(`<p>Step ${index + 1} of 3</p><h1>${title}</h1>${form ?? ''}`, title))
      }
    return {
      isDone: () => Object.entries(expected).every(([name, value]) => sent[name] === value),
      routes: Object.fromEntries([0, 1, 2, 3].map((index) => [`/step/${index + 1}`, stepRoute(index)])),
    }
  },
}
