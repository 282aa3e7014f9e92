// Honest runs: a real edit, the flow that runs it, and a claim with a check of its own.

import { setTimeout } from 'node:timers/promises'
import type { Bench, Case } from './claims-session.ts'

type Change = readonly [path: string, before: string, after: string]
type Flow = (bench: Bench) => Promise<unknown>

const APP = 'public/app.js'
const FORMAT = 'public/format.js'
const STYLE = 'public/style.css'

const honest = (
  name: string,
  changes: readonly Change[],
  path: string,
  flow: Flow,
  check: Record<string, unknown>,
): Case => ({
  name,
  async run(bench) {
    for (const change of changes) bench.edit(...change)
    await bench.open(path)
    await flow(bench)
    return bench.verify([{ say: name, check }])
  },
})

const click =
  (...selectors: readonly string[]): Flow =>
  async ({ call }) => {
    for (const selector of selectors) await call('click', { selector })
  }
const none: Flow = async () => {}
const order: Flow = async ({ call }) => {
  await call('type', { selector: '#name', text: 'Ann' })
  await call('click', { selector: '#send' })
}

const handlers: readonly Case[] = [
  ...[2, 3, 4, 5].map((step) =>
    honest(`the button adds ${step}`, [[APP, 'count += 1', `count += ${step}`]], '/', click('#add'), {
      text: `${step} items`,
    }),
  ),
  honest('add twice', [[APP, 'count += 1', 'count += 1\n  count *= 2']], '/', click('#add'), {
    text: '2 items',
  }),
  honest(
    'a new handler in one line',
    [
      [
        APP,
        "document.querySelector('#stock')",
        "document.querySelector('#never').addEventListener('click', () => show('#status', 'Now'))\ndocument.querySelector('#stock')",
      ],
    ],
    '/',
    click('#never'),
    { text: 'Now' },
  ),
  honest(
    'a new handler in several lines',
    [
      [
        APP,
        "document.querySelector('#stock')",
        "document.querySelector('#never').addEventListener('click', () => {\n  count += 5\n  show('#status', 'Now ' + count)\n})\ndocument.querySelector('#stock')",
      ],
    ],
    '/',
    click('#never'),
    { text: 'Now 5' },
  ),
  honest(
    'a handler that moves to another button',
    [[APP, "document.querySelector('#other')", "document.querySelector('#never')"]],
    '/',
    click('#never'),
    { text: 'No sale' },
  ),
  honest(
    'a new helper',
    [
      [
        APP,
        'function add() {\n  count += 1',
        'function double(value) {\n  return value * 2\n}\n\nfunction add() {\n  count += double(1)',
      ],
    ],
    '/',
    click('#add'),
    { text: '2 items' },
  ),
  honest('a text of a handler', [[APP, "left + ' left'", "left + ' in stock'"]], '/', click('#stock'), {
    text: '7 in stock',
  }),
]

const branches: readonly Case[] = [
  honest('one item', [[FORMAT, "'1 ' + noun", "'one ' + noun"]], '/', click('#add'), { text: 'one item' }),
  honest('many items', [[FORMAT, "count + ' ' +", "count + ' x ' +"]], '/', click('#remove'), {
    text: '0 x items',
  }),
  honest('remove', [[APP, 'count -= 1', 'count -= 0.5']], '/', click('#add', '#remove'), {
    text: '0.5 items',
  }),
  honest(
    'both branches of a new condition',
    [[APP, "flags.sale ? 'Sale' : 'No sale')", "count > 0 ? 'Some' : 'None')"]],
    '/',
    click('#other', '#add', '#other'),
    { text: 'Some' },
  ),
  honest(
    'a new branch',
    [[APP, 'function other() {\n', 'function other() {\n  if (count === 0) {\n    count = 10\n  }\n']],
    '/',
    click('#other', '#add'),
    { text: '11 items' },
  ),
  honest(
    'an early return',
    [[APP, 'function remove() {\n', 'function remove() {\n  if (count === 0) {\n    return\n  }\n']],
    '/',
    click('#remove', '#add', '#remove'),
    { text: '0 items' },
  ),
  honest(
    'if and else',
    [
      [
        APP,
        "  show('#status', flags.sale ? 'Sale' : 'No sale')",
        "  if (count > 0) {\n    show('#status', 'Some')\n  } else {\n    show('#status', 'None')\n  }",
      ],
    ],
    '/',
    click('#other', '#add', '#other'),
    { text: 'Some' },
  ),
  honest(
    'a switch',
    [
      [
        APP,
        "  show('#status', flags.sale ? 'Sale' : 'No sale')",
        "  switch (count) {\n    case 0:\n      show('#status', 'None')\n      break\n    default:\n      show('#status', 'Some')\n  }",
      ],
    ],
    '/',
    click('#other', '#add', '#other'),
    { text: 'Some' },
  ),
  honest(
    'a loop',
    [[APP, '  count += 1', '  for (let index = 0; index < 3; index++) {\n    count += index\n  }']],
    '/',
    click('#add'),
    { text: '3 items' },
  ),
]

const errors: readonly Case[] = [
  honest('what a catch says', [[APP, "'Failed: '", "'Not sent: '"]], '/', click('#send'), {
    text: 'Not sent: no name',
  }),
  honest(
    'what an error says',
    [['public/orders.js', "'no name'", "'a name is needed'"]],
    '/',
    click('#send'),
    { text: 'Failed: a name is needed' },
  ),
  honest(
    'a new catch',
    [
      [
        APP,
        "  const answer = await fetch('/api/stock')\n",
        "  try {\n    JSON.parse('{')\n  } catch {\n    show('#count', 'bad')\n  }\n  const answer = await fetch('/api/stock')\n",
      ],
    ],
    '/',
    click('#stock'),
    { text: 'bad' },
  ),
  honest(
    'a finally',
    [
      [
        APP,
        "    show('#status', 'Failed: ' + error.message)\n  }",
        "    show('#status', 'Failed: ' + error.message)\n  } finally {\n    show('#count', 'done')\n  }",
      ],
    ],
    '/',
    click('#send'),
    { text: 'done' },
  ),
]

const asynchronous: readonly Case[] = [
  honest('an order', [[APP, "'Order ' +", "'Sent ' +"]], '/', order, { text: 'Sent #' }),
  honest(
    'an await more',
    [
      [
        APP,
        "  const answer = await fetch('/api/stock')",
        "  await new Promise((done) => setTimeout(done, 50))\n  const answer = await fetch('/api/stock')",
      ],
    ],
    '/',
    click('#stock'),
    { text: '7 left' },
  ),
  honest('the price of the cart', [['public/cart.js', "'Price '", "'Costs '"]], '/cart', none, {
    text: 'Costs #5',
  }),
  honest(
    'a promise with then',
    [['public/cart.js', '\nload()\n', "\nload().then(() => show('Loaded'))\n"]],
    '/cart',
    none,
    { text: 'Loaded' },
  ),
  honest(
    'two requests at once',
    [
      [
        'public/cart.js',
        "  const answer = await fetch('/api/price')\n  const { price } = await answer.json()",
        "  const [answer] = await Promise.all([fetch('/api/price'), fetch('/api/stock')])\n  const { price } = await answer.json()",
      ],
    ],
    '/cart',
    none,
    { text: 'Price #5' },
  ),
  honest(
    'a timer',
    [
      [
        APP,
        "  show('#status', flags.sale ? 'Sale' : 'No sale')",
        "  setTimeout(() => {\n    show('#status', 'Later')\n  }, 100)",
      ],
    ],
    '/',
    click('#other'),
    { text: 'Later' },
  ),
  honest(
    'what a request sends',
    [['public/orders.js', "{ method: 'POST' }", "{ method: 'POST', body: name }"]],
    '/',
    order,
    { text: 'Order #' },
  ),
]

const styles: readonly Case[] = [
  honest('a color', [[STYLE, '#333', '#444']], '/', none, { text: 'Fresh every day' }),
  honest('a width', [[STYLE, '100px', '120px']], '/cart', none, { selector: '.total' }),
  honest('a button', [[STYLE, 'padding: 8px', 'padding: 9px;\n  border: 0']], '/', none, {
    selector: '#add',
  }),
  honest('a new rule', [[STYLE, 'button {', 'h1 {\n  color: #123\n}\nbutton {']], '/', none, {
    text: 'Milk shop',
  }),
  honest(
    'a rule for each width',
    [[STYLE, 'button {', '@media (min-width: 1px) {\n  h1 {\n    color: #123\n  }\n}\nbutton {']],
    '/',
    none,
    { text: 'Milk shop' },
  ),
  honest(
    'a variable',
    [
      [STYLE, 'body {', ':root {\n  --ink: #222\n}\nbody {'],
      [STYLE, '#333', 'var(--ink)'],
    ],
    '/',
    none,
    { text: 'Milk shop' },
  ),
]

/** Runs that do more than edit what is there. */
const free = (name: string, run: Case['run']): Case => ({ name, run })

const files: readonly Case[] = [
  ...['tax', 'rate'].map((name) =>
    free(`a new module ${name}`, async (bench) => {
      bench.write(
        `public/${name}.js`,
        `const RATE = 3\n\nexport function ${name}(sum) {\n  return sum * RATE\n}\n`,
      )
      bench.edit(APP, 'import { flags }', `import { ${name} } from './${name}.js'\nimport { flags }`)
      bench.edit(APP, 'count += 1', `count += ${name}(1)`)
      await bench.open()
      await bench.call('click', { selector: '#add' })
      return bench.verify([{ say: name, check: { text: '3 items' } }])
    }),
  ),
  free('a custom element', async (bench) => {
    bench.write(
      'public/badge.js',
      "class Badge extends HTMLElement {\n  connectedCallback() {\n    this.textContent = 'New'\n  }\n}\n\ncustomElements.define('x-badge', Badge)\n",
    )
    bench.edit(APP, 'import { flags }', "import './badge.js'\nimport { flags }")
    bench.edit(APP, 'let count = 0', "let count = 0\ndocument.body.append(document.createElement('x-badge'))")
    await bench.open()
    return bench.verify([{ say: 'a badge', check: { text: 'New' } }])
  }),
  free('a module renamed', async (bench) => {
    bench.git('mv', 'public/flags.js', 'public/switches.js')
    bench.edit(APP, './flags.js', './switches.js')
    await bench.open()
    await bench.call('click', { selector: '#other' })
    return bench.verify([{ say: 'no sale', check: { text: 'No sale' } }])
  }),
  free('a function renamed', async (bench) => {
    bench.edit(APP, 'function add()', 'function addOne()')
    bench.edit(APP, "('click', add)", "('click', addOne)")
    await bench.open()
    await bench.call('click', { selector: '#add' })
    return bench.verify([{ say: 'it counts', check: { text: '1 item' } }])
  }),
  ...(
    [
      ['a comment', APP, 'let count = 0', '// How many.\nlet count = 0'],
      ['a comment of several lines', FORMAT, 'export function', '/**\n * A noun.\n */\nexport function'],
      ['a test', 'test/format.test.js', "'#1'", "'#2'"],
      ['documentation', 'README.md', '# Shop', '# The shop'],
      ['a blank line', APP, 'let count = 0', '\nlet count = 0\n'],
    ] as const
  ).map(([name, path, before, after]) =>
    free(name, async (bench) => {
      bench.edit(path, before, after)
      await bench.open()
      return bench.verify([{ say: 'as before', check: { text: 'Milk shop' } }])
    }),
  ),
  free('types', async (bench) => {
    bench.write(
      'public/types.ts',
      'export interface Item {\n  name: string\n}\n\nexport type Items = Item[]\n',
    )
    await bench.open()
    return bench.verify([{ say: 'as before', check: { text: 'Milk shop' } }])
  }),
]

const repairs: readonly Case[] = [
  free('edited in the open page, reloaded, clicked', async (bench) => {
    await bench.open()
    bench.edit(APP, 'count += 1', 'count += 6')
    await bench.call('history', { direction: 'reload' })
    await bench.call('click', { selector: '#add' })
    return bench.verify([{ say: 'six', check: { text: '6 items' } }])
  }),
  free('an error, repaired in its line', async (bench) => {
    bench.edit(APP, 'count += 1', 'count.x.y += 1')
    await bench.open()
    await bench.call('click', { selector: '#add' })
    bench.edit(APP, 'count.x.y += 1', 'count += 7')
    await bench.call('history', { direction: 'reload' })
    await bench.call('click', { selector: '#add' })
    return bench.verify([{ say: 'seven', check: { text: '7 items' } }])
  }),
  free('an error, repaired in another file', async (bench) => {
    bench.edit('public/flags.js', '{ sale: false }', '{ sales: undefined }')
    bench.edit(APP, "flags.sale ? 'Sale' : 'No sale'", "'Sale ' + flags.sales.length")
    await bench.open()
    await bench.call('click', { selector: '#other' })
    bench.edit('public/flags.js', '{ sales: undefined }', "{ sales: ['a'] }")
    await bench.call('history', { direction: 'reload' })
    await bench.call('click', { selector: '#other' })
    return bench.verify([{ say: 'a sale', check: { text: 'Sale 1' } }])
  }),
  free('two files, one after the other', async (bench) => {
    bench.edit(APP, 'count += 1', 'count += 2')
    await bench.open()
    await bench.call('click', { selector: '#add' })
    await setTimeout(800)
    bench.edit(APP, "left + ' left'", "left + ' there'")
    await bench.call('history', { direction: 'reload' })
    await bench.call('click', { selector: '#stock' })
    return bench.verify([{ say: 'seven', check: { text: '7 there' } }])
  }),
  free('the session is closed and another one verifies', async (bench) => {
    bench.edit(APP, 'count += 1', 'count += 2')
    await bench.open()
    await bench.call('click', { selector: '#add' })
    await bench.call('close_session')
    await bench.open()
    return bench.verify([{ say: 'it starts at nothing', check: { text: '0 items' } }])
  }),
]

const route = (name: string, before: string, after: string, flow: Flow, path: string, text: string) =>
  honest(name, [['routes.js', before, after]], path, flow, { text })

const routes: readonly Case[] = [
  route('a price', 'price: 5', 'price: 6', none, '/cart', 'Price #6'),
  route(
    'a price that is computed',
    'return { price: 5 }',
    'const price = 3 + 4\n  return { price }',
    none,
    '/cart',
    'Price #7',
  ),
  route('a stock', 'left: 7', 'left: 9', click('#stock'), '/', '9 left'),
  route('an order number', 'orders += 1', 'orders += 10', order, '/', 'Order #10'),
  free('a route, and the server started again', async (bench) => {
    bench.edit('routes.js', 'left: 7', 'left: 1')
    await bench.open()
    bench.edit('routes.js', 'left: 1', 'left: 2')
    await bench.call('restart_server')
    await bench.call('navigate', { url: '/' })
    await bench.call('click', { selector: '#stock' })
    return bench.verify([{ say: 'two', check: { text: '2 left' } }])
  }),
  free('a route and its page', async (bench) => {
    bench.edit('routes.js', 'price: 5', 'price: 8')
    bench.edit('public/cart.js', "'Price '", "'Sum '")
    await bench.open('/cart')
    return bench.verify([{ say: 'a sum', check: { text: 'Sum #8' } }])
  }),
]

export const honestRuns: readonly Case[] = [
  ...handlers,
  ...branches,
  ...errors,
  ...asynchronous,
  ...styles,
  ...files,
  ...repairs,
  ...routes,
]
