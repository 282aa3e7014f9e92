// Ten changes of the application with a flow for each, and what is true of each changed line then.

import { APP, FORMAT } from './honest-edits.ts'

export type Act =
  | { readonly click: string; readonly name: string }
  | { readonly type: string; readonly name: string; readonly text: string }
  | { readonly wait: string }

export type State = 'ran' | 'not run' | 'stale'

export interface Edit {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** A changed line of code, by what it has alone in its file. */
export interface PeerLine {
  readonly path: string
  readonly text: string
  readonly state: State
}

export interface PeerChange {
  readonly name: string
  readonly edits: readonly Edit[]
  readonly page: string
  readonly acts: readonly Act[]
  readonly lines: readonly PeerLine[]
  /** What the agent edits after its flow. */
  readonly later?: Edit
  readonly isServer?: true
  /** An uncaught error, by its name, that the changed line throws. */
  readonly error?: string
}

const STYLE = 'public/style.css'
const add: Act = { click: '#add', name: 'Add' }
const remove: Act = { click: '#remove', name: 'Remove' }
const other: Act = { click: '#other', name: 'Other' }
const send: Act = { click: '#send', name: 'Order' }

const adds = (after: string) => ({ path: APP, before: 'count += 1', after })
const inOther = (text: string) => ({
  path: APP,
  before: 'function other() {\n',
  after: `function other() {\n${text}`,
})
const line = (path: string, text: string, state: State) => ({ path, text, state })

export const peerChanges: readonly PeerChange[] = [
  {
    name: 'a handler, and its button is clicked',
    edits: [adds('count += 2')],
    page: '/',
    acts: [add, { wait: '2 items' }],
    lines: [line(APP, 'count += 2', 'ran')],
  },
  {
    name: 'a handler, and another button is clicked',
    edits: [adds('count += 3')],
    page: '/',
    acts: [remove],
    lines: [line(APP, 'count += 3', 'not run')],
  },
  {
    name: 'a branch that is not taken',
    edits: [{ path: FORMAT, before: "'1 ' + noun", after: "'one ' + noun" }],
    page: '/',
    acts: [remove],
    lines: [line(FORMAT, "'one ' + noun", 'not run')],
  },
  {
    name: 'the line after one that throws, which the function catches',
    edits: [{ path: APP, before: "'Order ' + format(id)", after: "'Sent ' + format(id)" }],
    page: '/',
    acts: [send, { wait: 'Failed: no name' }],
    lines: [line(APP, "'Sent ' + format(id)", 'not run')],
  },
  {
    name: 'lines after an early return that is taken',
    edits: [
      inOther(
        "  if (count === 0) return show('#status', 'Empty')\n  const isMany = count > 9 || flags.sale\n  const text = isMany ? 'Many' : 'Few'\n  show('#count', text)\n",
      ),
    ],
    page: '/',
    acts: [other, { wait: 'Empty' }],
    lines: [
      line(APP, "return show('#status', 'Empty')", 'ran'),
      line(APP, 'const isMany', 'not run'),
      line(APP, 'const text = isMany', 'not run'),
      line(APP, "show('#count', text)", 'not run'),
    ],
  },
  {
    name: 'a new module of which one function is called',
    edits: [
      { path: APP, before: 'import { flags }', after: "import { tax } from './tax.js'\nimport { flags }" },
      adds('count += tax(2)'),
      {
        path: 'public/tax.js',
        before: '',
        after:
          'const RATE = 3\nexport function tax(sum) {\n  return sum * RATE\n}\nexport function refund(sum) {\n  return -tax(sum)\n}\n',
      },
    ],
    page: '/',
    acts: [add, { wait: '6 items' }],
    lines: [
      line(APP, 'count += tax(2)', 'ran'),
      line('public/tax.js', 'const RATE = 3', 'ran'),
      line('public/tax.js', 'return sum * RATE', 'ran'),
      line('public/tax.js', 'return -tax(sum)', 'not run'),
    ],
  },
  {
    name: 'two rules of style, of which the page uses one',
    edits: [
      { path: STYLE, before: '.lead { color: #333 }', after: '.lead { color: #444 }\n.hint { color: #555 }' },
    ],
    page: '/',
    acts: [],
    lines: [line(STYLE, '.lead { color: #444 }', 'ran'), line(STYLE, '.hint { color: #555 }', 'not run')],
  },
  {
    name: 'two routes of the server, of which one is asked for',
    edits: [
      { path: 'routes.js', before: '{ price: 5 }', after: '{ price: 6 }' },
      { path: 'routes.js', before: '{ left: 7 }', after: '{ left: 8 }' },
    ],
    page: '/cart',
    acts: [{ wait: 'Price #6' }],
    lines: [line('routes.js', '{ price: 6 }', 'ran'), line('routes.js', '{ left: 8 }', 'not run')],
    isServer: true,
  },
  {
    name: 'edited again after the flow',
    edits: [adds('count += 2')],
    page: '/',
    acts: [add, { wait: '2 items' }],
    lines: [line(APP, 'count += 4', 'stale')],
    later: { path: APP, before: 'count += 2', after: 'count += 4' },
  },
  {
    name: 'an uncaught error in a line that ran',
    edits: [inOther('  flags.sizes.length\n')],
    page: '/',
    acts: [other],
    lines: [line(APP, 'flags.sizes.length', 'ran')],
    error: 'TypeError',
  },
]
