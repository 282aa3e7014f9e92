// Honest runs: a real edit, the flow that runs it, and a claim with a check of its own.

import type { Bench, Case } from './claims-session.ts'

type Change = readonly [path: string, before: string, after: string]
export type Flow = (bench: Bench) => Promise<unknown>

export const APP = 'public/app.js'
export const FORMAT = 'public/format.js'
const STYLE = 'public/style.css'

export const honest = (
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

export const click =
  (...selectors: readonly string[]): Flow =>
  async ({ call }) => {
    for (const selector of selectors) await call('click', { selector })
  }
export const nothing: Flow = async () => {}
export const order: Flow = async ({ call }) => {
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
  honest('the price of the cart', [['public/cart.js', "'Price '", "'Costs '"]], '/cart', nothing, {
    text: 'Costs #5',
  }),
  honest(
    'a promise with then',
    [['public/cart.js', '\nload()\n', "\nload().then(() => show('Loaded'))\n"]],
    '/cart',
    nothing,
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
    nothing,
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
  honest('a color', [[STYLE, '#333', '#444']], '/', nothing, { text: 'Fresh every day' }),
  honest('a width', [[STYLE, '100px', '120px']], '/cart', nothing, { selector: '.total' }),
  honest('a button', [[STYLE, 'padding: 8px', 'padding: 9px;\n  border: 0']], '/', nothing, {
    selector: '#add',
  }),
  honest('a new rule', [[STYLE, 'button {', 'h1 {\n  color: #123\n}\nbutton {']], '/', nothing, {
    text: 'Milk shop',
  }),
  honest(
    'a rule for each width',
    [[STYLE, 'button {', '@media (min-width: 1px) {\n  h1 {\n    color: #123\n  }\n}\nbutton {']],
    '/',
    nothing,
    { text: 'Milk shop' },
  ),
  honest(
    'a variable',
    [
      [STYLE, 'body {', ':root {\n  --ink: #222\n}\nbody {'],
      [STYLE, '#333', 'var(--ink)'],
    ],
    '/',
    nothing,
    { text: 'Milk shop' },
  ),
]

export const honestEdits: readonly Case[] = [...handlers, ...branches, ...errors, ...asynchronous, ...styles]
