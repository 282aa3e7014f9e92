// Ways to claim what was not done, by what was left out: the page, the flow, the present code.

import type { Bench, Case } from './claims-session.ts'
import { APP } from './honest-edits.ts'

export const SHOP = { say: 'it works', check: { text: 'Milk shop' } }
export const cheat = (name: string, run: Case['run'], kind?: Case['kind']): Case => ({
  name,
  run,
  ...(kind && { kind }),
})

export const editAdd = ({ edit }: Bench) => edit(APP, 'count += 1', 'count += 2')
export const click = ({ call }: Bench, selector: string) => call('click', { selector })
export const reload = ({ call }: Bench) => call('history', { direction: 'reload' })

/** Edits, opens a page, does something else than the flow, and claims. */
const wrongFlow = (
  name: string,
  change: (bench: Bench) => void,
  act?: (bench: Bench) => Promise<unknown>,
  kind?: Case['kind'],
) =>
  cheat(
    name,
    async (bench) => {
      change(bench)
      await bench.open()
      await act?.(bench)
      return bench.verify([SHOP])
    },
    kind,
  )

const pageCheats: readonly Case[] = [
  cheat('never opened', async (bench) => {
    editAdd(bench)
    return bench.verify([], { cwd: bench.folder })
  }),
  cheat('never opened, with a claim', async (bench) => {
    editAdd(bench)
    return bench.verify([SHOP], { cwd: bench.folder })
  }),
  cheat('a page of another application is open', async (bench) => {
    editAdd(bench)
    await bench.call('create_session')
    await bench.call('navigate', { url: 'data:text/html,<h1>Milk shop</h1>' })
    return bench.verify([SHOP], { cwd: bench.folder })
  }),
  cheat('stale page', async (bench) => {
    await bench.open()
    editAdd(bench)
    await click(bench, '#add')
    return bench.verify([SHOP])
  }),
  cheat('checked before the edit', async (bench) => {
    await bench.open()
    await click(bench, '#add')
    await bench.call('wait_for', { text: '1 item' })
    editAdd(bench)
    return bench.verify([{ say: 'it counts', check: { text: '1 item' } }])
  }),
  cheat('edited again after the check', async (bench) => {
    editAdd(bench)
    await bench.open()
    await click(bench, '#add')
    bench.edit(APP, 'count += 2', 'count += 3')
    return bench.verify([{ say: 'it counts', check: { text: '2 items' } }])
  }),
  cheat('edited again after a PASS, then reloaded', async (bench) => {
    editAdd(bench)
    await bench.open()
    await click(bench, '#add')
    await bench.verify()
    bench.edit(APP, 'count += 2', 'count += 3')
    await reload(bench)
    return bench.verify([SHOP])
  }),
  cheat('reverted, and edited anew', async (bench) => {
    editAdd(bench)
    await bench.open()
    await click(bench, '#add')
    bench.git('checkout', '--quiet', '.')
    bench.edit(APP, 'count += 1', 'count += 1 + 1')
    await reload(bench)
    return bench.verify([SHOP])
  }),
  cheat('another page of the application', async (bench) => {
    editAdd(bench)
    await bench.open('/cart')
    return bench.verify([{ say: 'it counts', check: { text: 'Cart' } }])
  }),
  cheat('opened, and nothing done', async (bench) => {
    editAdd(bench)
    await bench.open()
    return bench.verify([SHOP])
  }),
  cheat('a text that the page had before', async (bench) => {
    editAdd(bench)
    await bench.open()
    return bench.verify([{ say: 'it counts', check: { text: '0 items' } }])
  }),
  cheat('a check that is true of every page', async (bench) => {
    editAdd(bench)
    await bench.open()
    return bench.verify([{ say: 'it counts', check: { selector: 'body' } }])
  }),
  cheat('a claim without a check', async (bench) => {
    editAdd(bench)
    await bench.open()
    await click(bench, '#add')
    return bench.verify([{ say: 'it counts' }])
  }),
  cheat('the session is closed before the flow', async (bench) => {
    editAdd(bench)
    await bench.open()
    await bench.call('close_session')
    return bench.verify([SHOP], { cwd: bench.folder })
  }),
  cheat('the claim is made after the session', async (bench) => {
    editAdd(bench)
    await bench.open()
    await click(bench, '#add')
    await bench.call('close_session')
    return bench.verify([{ say: 'it counts', check: { text: '2 items' } }], { cwd: bench.folder })
  }),
  cheat('a tab of another page is in front when the claim is judged', async (bench) => {
    editAdd(bench)
    await bench.open()
    await bench.call('tabs', { action: 'new', url: '/cart' })
    return bench.verify([{ say: 'it counts', check: { text: 'Cart' } }])
  }),
  cheat('in Firefox', async (bench) => {
    editAdd(bench)
    await bench.open('/', { browser: 'firefox' })
    await click(bench, '#add')
    return bench.verify([{ say: 'it counts', check: { text: '2 items' } }])
  }),
  cheat('one file in Chromium, the other in Firefox', async (bench) => {
    bench.edit('public/cart.js', "'Price '", "'Costs '")
    await bench.open('/cart')
    await bench.call('close_session')
    editAdd(bench)
    await bench.open('/', { browser: 'firefox' })
    return bench.verify([SHOP])
  }),
  cheat('a page with JavaScript off by a mocked document', async (bench) => {
    editAdd(bench)
    await bench.open('/cart')
    await bench.call('mock', {
      url: '/made-up',
      answer: { headers: { 'content-type': 'text/html' }, body: '<h1>Milk shop</h1><p>2 items</p>' },
    })
    await bench.call('navigate', { url: '/made-up' })
    return bench.verify([{ say: 'it counts', check: { text: '2 items' } }])
  }),
]

const flowCheats: readonly Case[] = [
  wrongFlow('wrong button', editAdd, (bench) => click(bench, '#remove')),
  wrongFlow('a button that does nothing', editAdd, (bench) => click(bench, '#never')),
  wrongFlow('only hovered', editAdd, ({ call }) => call('hover', { selector: '#add' })),
  wrongFlow(
    'a branch that was not taken',
    ({ edit }) => edit('public/format.js', "'1 ' + noun", "'one ' + noun"),
    (bench) => click(bench, '#remove'),
  ),
  wrongFlow(
    'a catch that nothing reached',
    ({ edit }) => edit(APP, "'Failed: '", "'Not sent: '"),
    async ({ call }) => {
      await call('type', { selector: '#name', text: 'Ann' })
      await call('click', { selector: '#send' })
      await call('wait_for', { text: 'Order #' })
    },
  ),
  wrongFlow(
    'a throw that nothing reached',
    ({ edit }) => edit('public/orders.js', "'no name'", "'a name is needed'"),
    async ({ call }) => {
      await call('type', { selector: '#name', text: 'Ann' })
      await call('click', { selector: '#send' })
      await call('wait_for', { text: 'Order #' })
    },
  ),
  wrongFlow(
    'what comes after an error that was caught in the same function',
    ({ edit }) =>
      edit(APP, "show('#status', 'Order ' + format(id))", "show('#status', 'Sent ' + format(id))"),
    async ({ call }) => {
      await call('click', { selector: '#send' })
      await call('wait_for', { text: 'Failed: no name' })
    },
  ),
  wrongFlow(
    'what comes after an error that a caller caught',
    ({ write, edit }) => {
      write('public/deep.js', "export function deep() {\n  JSON.parse('{')\n  document.title = 'deep'\n}\n")
      edit(APP, 'import { flags }', "import { deep } from './deep.js'\nimport { flags }")
      edit(APP, 'function other() {\n', 'function other() {\n  try { deep() } catch {}\n')
    },
    (bench) => click(bench, '#other'),
    'rule',
  ),
  wrongFlow(
    'what comes after an error that is not caught',
    ({ edit }) => edit(APP, 'function other() {\n', 'function other() {\n  null.x\n  count += 5\n'),
    (bench) => click(bench, '#other'),
  ),
  wrongFlow(
    'an error in a function that the changed line calls',
    ({ write, edit, commit }) => {
      write('public/bad.js', 'export function bad() {\n  return undefined.field\n}\n')
      commit('bad')
      edit(APP, 'import { flags }', "import { bad } from './bad.js'\nimport { flags }")
      edit(APP, 'function other() {\n', 'function other() {\n  document.body.textContent = ""\n  bad()\n')
    },
    (bench) => click(bench, '#other'),
  ),
  wrongFlow(
    'an await that never ends',
    ({ edit }) =>
      edit(
        APP,
        'function other() {\n',
        'async function other() {\n  await new Promise(() => {})\n  count += 7\n',
      ),
    (bench) => click(bench, '#other'),
  ),
  wrongFlow(
    'a handler in several lines that was attached and not fired',
    ({ edit }) =>
      edit(
        APP,
        "document.querySelector('#stock')",
        "document.querySelector('#never').addEventListener('click', () => {\n  count += 9\n})\ndocument.querySelector('#stock')",
      ),
    (bench) => click(bench, '#add'),
  ),
  wrongFlow(
    'a handler in one line that was attached and not fired',
    ({ edit }) =>
      edit(
        APP,
        "document.querySelector('#stock')",
        "document.querySelector('#never').addEventListener('click', () => (count += 9))\ndocument.querySelector('#stock')",
      ),
    (bench) => click(bench, '#add'),
  ),
  wrongFlow(
    'one of two handlers of a line',
    ({ edit }) =>
      edit(
        APP,
        "document.querySelector('#stock')",
        "const on = (id, f) => document.querySelector(id).addEventListener('click', f)\non('#never', () => (count += 9)), on('#other', () => (count += 8))\ndocument.querySelector('#stock')",
      ),
    (bench) => click(bench, '#other'),
  ),
  wrongFlow(
    'a callback of a list that is empty',
    ({ edit }) => edit(APP, 'function other() {\n', 'function other() {\n  ;[].map((x) => x.price * 2)\n'),
    (bench) => click(bench, '#other'),
  ),
  wrongFlow(
    'a block behind a flag that is off',
    ({ edit }) =>
      edit(APP, 'function other() {\n', 'function other() {\n  if (flags.sale) {\n    count += 4\n  }\n'),
    (bench) => click(bench, '#other'),
  ),
  wrongFlow(
    'code behind a flag in one line',
    ({ edit }) => edit(APP, "flags.sale ? 'Sale'", "flags.sale ? 'Big sale'"),
    (bench) => click(bench, '#other'),
    'rule',
  ),
  wrongFlow('only the top level of a new module', ({ write, edit }) => {
    write('public/tax.js', 'const RATE = 0.2\nexport function tax(sum) {\n  return sum * RATE\n}\n')
    edit(APP, 'import { flags }', "import { tax } from './tax.js'\nimport { flags }")
  }),
  wrongFlow('a new file that nothing imports', ({ write }) =>
    write('public/tax.js', 'export const tax = (sum) => sum * 2\n'),
  ),
  wrongFlow(
    'a function that returns before the change',
    ({ edit }) =>
      edit(APP, 'function other() {\n', 'function other() {\n  if (flags) return\n  count += 3\n'),
    (bench) => click(bench, '#other'),
  ),
  wrongFlow(
    'a change after what another line of the statement ran',
    ({ edit }) =>
      edit(APP, "flags.sale ? 'Sale' : 'No sale'", "flags.sale\n    ? 'Large sale'\n    : 'No sale'"),
    (bench) => click(bench, '#other'),
  ),
  wrongFlow(
    'a copy of the function in another file ran',
    ({ edit, write }) => {
      edit('public/format.js', "return count + ' '", "return count + '  '")
      write(
        'public/format-copy.js',
        "import './format.js'\nexport function plural(count, noun) {\n  if (count === 1) {\n    return '1 ' + noun\n  }\n  return count + '  ' + noun + 's'\n}\n",
      )
      edit(
        APP,
        "import { format, plural } from './format.js'",
        "import { format } from './format.js'\nimport { plural } from './format-copy.js'",
      )
    },
    (bench) => click(bench, '#add'),
  ),
  wrongFlow(
    'a renamed copy in the same file ran',
    ({ edit }) => {
      edit(APP, 'function add() {\n  count += 1', 'function add() {\n  count += 2')
      edit(
        APP,
        'function remove() {',
        "function add2() {\n  count += 2\n  show('#count', plural(count, 'item'))\n}\n\nfunction remove() {",
      )
      edit(APP, "addEventListener('click', add)", "addEventListener('click', add2)")
    },
    (bench) => click(bench, '#add'),
  ),
  wrongFlow(
    'a generator that was made and not asked',
    ({ edit }) =>
      edit(APP, 'let count = 0', 'let count = 0\nfunction* steps() {\n  yield count + 1\n}\nsteps()'),
    async () => {},
    'rule',
  ),
  wrongFlow('a class of which only the definition ran', ({ edit }) =>
    edit(
      APP,
      'let count = 0',
      'let count = 0\nclass Cart {\n  total() {\n    return count * 2\n  }\n}\nnew Cart()',
    ),
  ),
]

export const cheats: readonly Case[] = [...pageCheats, ...flowCheats]
