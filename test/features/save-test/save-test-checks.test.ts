// The checks that save_test adds: green in the project's own Playwright Test, and red as soon as the application has the bug.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { callOrThrow, connect, type Peer } from '../../support/client.ts'
import { reservePort } from '../../support/reserve-port.ts'

const TEST_TIMEOUT_MS = 180_000

const pages = {
  // The message stays for a second.
  '/stock': `<table><tr><td>Hammer</td><td>8</td><td><button>Take one</button></td></tr>
    <tr><td>Drill</td><td>14</td><td><button>Take one</button></td></tr></table><div role="status"></div><script>
    for (const button of document.querySelectorAll('button')) button.onclick = () => {
      const [name, quantity] = button.closest('tr').cells
      const left = Number(quantity.textContent) - 1
      if (!isBroken) quantity.textContent = left
      const status = document.querySelector('[role=status]')
      status.textContent = name.textContent + ': ' + left + ' in stock'
      setTimeout(() => (status.textContent = ''), 1000)
    }</script>`,
  '/orders': `<table><tr><th>Part</th><th>Left</th><th></th></tr><tr><td>Drill</td><td>14</td><td><button>Order</button></td></tr></table>
    <select aria-label="Size"><option>S</option><option>M</option><option>L</option></select><script>
    document.querySelector('button').onclick = () =>
      isBroken || (document.querySelector('tr:last-child').cells[1].textContent = '15, soon')
    </script>`,
  '/notes': `<input type="search" aria-label="Search"><ul></ul><button aria-pressed="false">Pin</button><script>
    const [list, pin, search] = ['ul', 'button', 'input'].map((name) => document.querySelector(name))
    const notes = ['Groceries', 'Agenda', 'Books']
    const show = () => {
      const isPinned = pin.getAttribute('aria-pressed') === 'true' && !isBroken
      const order = isPinned ? ['Books', 'Groceries', 'Agenda'] : notes
      const shown = order.filter((note) => note.includes(search.value))
      list.innerHTML = shown.map((note) => '<li>' + note + '</li>').join('')
    }
    pin.onclick = () => (pin.setAttribute('aria-pressed', 'true'), show())
    search.oninput = show
    show()</script>`,
  '/tags': `<p><span>#weekly</span> <span>#home</span></p><button>Remove tag home</button><script>
    document.querySelector('button').onclick = (event) => {
      if (isBroken) return
      document.querySelector('span:last-child').remove()
      event.target.remove()
    }</script>`,
  '/people': `<main></main><script>
    const people = ['Ada Lovelace', 'Barbara Liskov', 'Alan Turing'].sort(() => Math.random() - 0.5)
    const row = (name) => '<div><b>' + name + '</b> <i></i> <button>☆</button></div>'
    document.querySelector('main').innerHTML = people.map(row).join('')
    const rows = [...document.querySelectorAll('div')]
    for (const row of rows) row.lastChild.onclick = (event) => {
      const target = isBroken ? rows.find((other) => other !== row).lastChild : event.target
      target.textContent = '★'
    }</script>`,
  // As SolidStart does it: the handlers are there after the page has loaded.
  '/rendered': `<button>Add</button><p>0 notes</p><script>
    window._$HY = { events: [] }
    const later = () => fetch('/script').then(() => (document.querySelector('button').onclick = () =>
      (document.querySelector('p').textContent = isBroken ? '0 notes' : '1 note')))
    onload = () => setTimeout(later, 50)</script>`,
  '/help': `<iframe title="Help" src="/question"></iframe>`,
  '/question': `<label>Name <input></label><button>Send</button><p></p><script>
    document.querySelector('button').onclick = () =>
      (document.querySelector('p').textContent = isBroken ? 'Sorry' : 'Thanks ' + document.querySelector('input').value)
    </script>`,
}

let folder: string
let peer: Peer
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'saved-checks-')))
  writeFileSync(
    join(folder, 'server.cjs'),
    `const pages = ${JSON.stringify(pages)}
    const isBroken = () => require('fs').existsSync(require('path').join(__dirname, 'broken'))
    require('http').createServer((request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end('<!doctype html><script>const isBroken = ' + isBroken() + '</script>' + (pages[request.url] ?? ''))
    }).listen(process.env.PORT, '127.0.0.1')`,
  )
  peer = await connect({ cwd: folder })
})
afterAll(async () => {
  await peer.close()
  rmSync(folder, { recursive: true, force: true })
})

const call = (tool: string, input: Record<string, unknown> = {}) => callOrThrow(peer, tool, input)
type Call = readonly [string, Record<string, unknown>]
const click = (selector: string): Call => ['click', { selector }]
const seeText = (text: string): Call => ['wait_for', { text }]

/** What a second replay tells from the first. */
const DIFFERENT_EACH_TIME: readonly string[] = ['/stock', '/people', '/rendered']

const port = await reservePort()
const specs: readonly (readonly [string, keyof typeof pages, readonly Call[], readonly string[]])[] = [
  [
    'the new value in the row, beside a message that vanishes',
    '/stock',
    [click('tr:has-text("Drill") button'), seeText('Drill: 13 in stock')],
    [`.filter({ hasText: 'Drill' }).getByRole('cell', { name: '13', exact: true })`],
  ],
  [
    'the joined lines of a snapshot, as they were read',
    '/orders',
    [
      click('button'),
      [
        'wait_for',
        {
          aria: 'row [e3] of columnheaders: Part | Left | \nrow [e7]: Drill | 15, soon | button "Order" [e10]\noption "S" selected, "M", "L"',
        },
      ],
    ],
    [`- cell "15, soon"`, `- option "M"`],
  ],
  [
    'a pressed button, and the order of the items, which a search has hidden',
    '/notes',
    [
      ['fill_form', { fields: [{ selector: 'input', value: 'Books' }] }],
      click('button'),
      ['fill_form', { fields: [{ selector: 'input', value: '' }] }],
      seeText('Groceries'),
    ],
    [`{ name: 'Pin', pressed: true }`, `toContainText(['Books', 'Groceries', 'Agenda'])`],
  ],
  [
    'that what was removed is gone, beside a check that held before',
    '/tags',
    [click('button'), seeText('#weekly')],
    [`getByRole('button', { name: 'Remove tag home' })).toBeHidden()`],
  ],
  [
    'the new name of the button in its row, which is elsewhere at every load',
    '/people',
    [click('div:has-text("Barbara Liskov") > button'), seeText('★')],
    [`getByText('Barbara Liskov').locator('..').getByRole('button', { name: '★' })`],
  ],
  [
    'what a server rendered, once its handlers are there',
    '/rendered',
    [click('button'), seeText('1 note')],
    [`'/rendered', { waitUntil: 'networkidle' }`, `getByText('1 note')`],
  ],
  [
    'a text in a frame, which is named once',
    '/help',
    [
      [
        'fill_form',
        { fields: [{ selector: 'iframe >> internal:control=enter-frame >> input', value: 'Ada' }] },
      ],
      click('iframe >> internal:control=enter-frame >> button'),
      seeText('Thanks Ada'),
    ],
    [
      `const helpFrame = page.frameLocator('iframe[title="Help"]');`,
      `expect(helpFrame.getByText('Thanks Ada')).toBeVisible()`,
    ],
  ],
]

test.each(specs)(
  '%s',
  async (_, path, calls, expected) => {
    const command = [process.env['FOOTLIGHT_TEST_NODE'] ?? 'node', 'server.cjs']
    const { url } = await call('create_session', { command, port })
    await call('navigate', { url: new URL(path, url).href })
    for (const [tool, input] of calls) await call(tool, input)
    const replay = DIFFERENT_EACH_TIME.includes(path) ? 2 : 1
    await call('save_test', { path: `tests${path}.spec.ts`, replay })
    await call('close_session')
    const text = readFileSync(join(folder, `tests${path}.spec.ts`), 'utf8')
    for (const part of expected)
      expect(text.replaceAll(/\n\s*/g, '').replaceAll(/,([\])])/g, '$1')).toContain(part)
  },
  TEST_TIMEOUT_MS,
)

test(
  'all of them are green, and red once the application is broken',
  async () => {
    // Only now, so that the saved tests were not run one by one.
    symlinkSync(resolve(import.meta.dir, '../../../node_modules'), join(folder, 'node_modules'), 'junction')
    expect((await call('run_test')).passed).toBe(specs.length)
    writeFileSync(join(folder, 'broken'), '')
    // What fails now would be waited for.
    const config = join(folder, 'playwright.config.ts')
    const text = readFileSync(config, 'utf8')
    writeFileSync(config, text.replace('testDir', 'expect: { timeout: 1000 },\n  testDir'))
    expect(readFileSync(config, 'utf8')).not.toBe(text)
    const { data } = await peer.call('run_test')
    expect([data.errorCode, data.details.passed, data.details.failed]).toEqual([
      'TEST_FAILED',
      0,
      specs.length,
    ])
  },
  TEST_TIMEOUT_MS,
)
