// Honest runs with new files, repairs, and routes of the server.

import { setTimeout } from 'node:timers/promises'
import type { Case } from './claims-session.ts'
import { APP, click, type Flow, FORMAT, honest, nothing, order } from './honest-edits.ts'

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
  route('a price', 'price: 5', 'price: 6', nothing, '/cart', 'Price #6'),
  route(
    'a price that is computed',
    'return { price: 5 }',
    'const price = 3 + 4\n  return { price }',
    nothing,
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

export const honestRuns: readonly Case[] = [...files, ...repairs, ...routes]
