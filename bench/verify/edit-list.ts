// Edits of the application with what is true of each changed line: where the flow touched it, where it did not.

import type { Bench } from './claims-session.ts'
import { APP, click, type Flow, FORMAT, nothing, order } from './honest-edits.ts'

/** `ran` is also partly; several are as good as each other. */
export type Line = 'ran' | 'not run' | 'not loaded' | 'not seen' | 'no code'
type Lines = readonly (readonly Line[])[]

export interface Edit {
  readonly name: string
  /** What has to be edited besides, in files that are not looked at. */
  readonly prepare?: (bench: Bench) => void
  readonly path: string
  /** The text after which the lines are put; undefined for a new file. */
  readonly after?: string
  readonly text: string
  readonly page: string
  readonly touch: Flow
  /** The page that does not touch it, and what is done there. */
  readonly idlePage: string
  readonly idle: Flow
  readonly touched: Lines
  readonly untouched: Lines
  /** Without a new start of the server nothing tells. */
  readonly isServer?: boolean
}

type Place = Omit<Edit, 'name' | 'text' | 'touched' | 'untouched'> & { readonly isLoaded?: boolean }

const places: Readonly<Record<string, Place>> = {
  add: place(APP, 'function add() {\n', click('#add'), click('#remove')),
  remove: place(APP, 'function remove() {\n', click('#remove'), click('#add')),
  'remove with items': place(APP, '  if (count > 0) {\n', click('#add', '#remove'), click('#remove')),
  other: place(APP, 'function other() {\n', click('#other'), click('#add')),
  stock: place(
    APP,
    "  const answer = await fetch('/api/stock')\n",
    waitFor(click('#stock'), 'left'),
    click('#add'),
  ),
  'after an order': place(
    APP,
    "await send(document.querySelector('#name').value)\n",
    waitFor(order, 'Order #'),
    waitFor(click('#send'), 'Failed'),
  ),
  'a failed order': place(
    APP,
    '} catch (error) {\n',
    waitFor(click('#send'), 'Failed'),
    waitFor(order, 'Order #'),
  ),
  'no name': place(
    'public/orders.js',
    "if (name === '') {\n",
    waitFor(click('#send'), 'Failed'),
    waitFor(order, 'Order #'),
  ),
  'one item': place(FORMAT, 'if (count === 1) {\n', click('#add'), click('#remove')),
  'many items': place(FORMAT, "    return '1 ' + noun\n  }\n", click('#remove'), click('#add')),
  load: {
    ...place('public/cart.js', 'async function load() {\n', waitFor(nothing, 'Price'), click('#add')),
    page: '/cart',
    isLoaded: false,
  },
  'show the price': {
    ...place('public/cart.js', 'const show = (text) => {\n', waitFor(nothing, 'Price'), click('#add')),
    page: '/cart',
    isLoaded: false,
  },
  'the route of prices': {
    ...place('routes.js', 'function price() {\n', waitFor(nothing, 'Price'), click('#add')),
    page: '/cart',
    isServer: true,
  },
  'the route of orders': {
    ...place('routes.js', 'function order() {\n', waitFor(order, 'Order #'), click('#add')),
    isServer: true,
  },
  'the route of stocks': {
    ...place('routes.js', 'function stock() {\n', waitFor(click('#stock'), 'left'), click('#add')),
    isServer: true,
  },
}

function place(path: string, after: string, touch: Flow, idle: Flow): Place {
  return { path, after, touch, idle, page: '/', idlePage: '/' }
}

function waitFor(flow: Flow, text: string): Flow {
  return async (bench) => {
    await flow(bench)
    await bench.call('wait_for', { text })
  }
}

/** Lines that are put into a function; `r`: it runs, `n`: it does not run, `-`: it is no code, `e`: it begins what does not run, `?`: it may be said to be none. */
const codes: readonly (readonly [name: string, text: string, lines: string])[] = [
  ['a statement', '  globalThis.one = 1\n', 'r'],
  ['two statements and a comment', '  let extra = 1\n  // More.\n  extra += 2\n', 'r-r'],
  ['a branch that is not taken', '  if (Date.now() < 0) {\n    globalThis.one = 2\n  }\n', 'rn-'],
  [
    'a branch that is taken',
    '  if (Date.now() > 0) {\n    globalThis.one = 3\n  } else {\n    globalThis.one = 4\n  }\n',
    'rren-',
  ],
  ['a catch', "  try {\n    JSON.parse('{')\n  } catch {\n    globalThis.one = 5\n  }\n", '?r?r-'],
  ['a callback of a list', '  ;[1].map((value) => value + 1)\n', 'r'],
  ['a function that is not called', '  globalThis.two = () => {\n    return 1\n  }\n', 'rn-'],
]

const STATES: Readonly<Record<string, readonly Line[]>> = {
  r: ['ran'],
  n: ['not run'],
  '-': ['no code'],
  '?': ['ran', 'no code'],
  e: ['not run', 'no code'],
}

function editsOf(name: string, { isLoaded = true, ...where }: Place): readonly Edit[] {
  const idleState: Line = isLoaded ? 'not run' : 'not loaded'
  return codes.map(([code, text, lines]) => ({
    ...where,
    name: `${name}: ${code}`,
    text,
    touched: [...lines].map((line) => STATES[line] ?? []),
    untouched: [...lines].map((line) =>
      line === '-' ? ['no code'] : '?e'.includes(line) ? [idleState, 'no code'] : [idleState],
    ),
  }))
}

const shop = { page: '/', idlePage: '/', touch: nothing, idle: nothing }

/** A file of which nothing runs, or nothing tells. */
const still = (path: string, after: string, text: string, state: Line): Edit => ({
  ...shop,
  ...{ name: path, path, after, text },
  touched: [[state]],
  untouched: [[state]],
})

const module = (name: string): Edit => ({
  ...shop,
  name: `a new module ${name}`,
  prepare({ edit }) {
    edit(APP, 'import { flags }', `import { ${name} } from './${name}.js'\nimport { flags }`)
    edit(APP, 'function add() {\n', `function add() {\n  ${name}(1)\n`)
  },
  path: `public/${name}.js`,
  text: `const RATE = 2\n\nexport function ${name}(sum) {\n  return sum * RATE\n}\n`,
  touch: click('#add'),
  touched: [['ran'], ['no code'], ['ran', 'no code'], ['ran'], ['no code']],
  untouched: [['ran'], ['no code'], ['ran', 'not run', 'no code'], ['not run'], ['no code']],
})

const others: readonly Edit[] = [
  module('tax'),
  module('rate'),
  {
    ...shop,
    name: 'a rule of the cart',
    path: 'public/style.css',
    after: '.lead { color: #333 }\n',
    text: '.total { color: #111 }\n',
    page: '/cart',
    touched: [['ran']],
    untouched: [['not run']],
  },
  {
    ...shop,
    name: 'a rule that nothing matches',
    path: 'public/style.css',
    after: '.lead { color: #333 }\n',
    text: '.sale {\n  color: #111;\n}\n',
    touched: [['not run'], ['not run'], ['not run', 'no code']],
    untouched: [['not run'], ['not run'], ['not run', 'no code']],
  },
  still(APP, 'let count = 0\n', '// A comment.\n', 'no code'),
  still('test/format.test.js', "format.js'\n", 'console.log(2)\n', 'no code'),
  still('README.md', '# Shop\n', 'Milk.\n', 'no code'),
  still('shop.config.js', 'module.exports = { port: 1 }\n', 'module.exports.name = 1\n', 'not seen'),
  still('public/data.json', '{ "name": "Milk" }\n', '\n', 'not seen'),
  still('public/index.html', '<h1>Milk shop</h1>\n', '<p>New</p>\n', 'not seen'),
  { ...still('public/types.ts', '', 'export interface Item { name: string }\n', 'no code') },
]

export const edits: readonly Edit[] = [
  ...Object.entries(places).flatMap(([name, where]) => editsOf(name, where)),
  ...others,
]
