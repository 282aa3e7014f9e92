// What an agent is told of a page that had content and shows nothing since a call.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callOrThrow } from '../../support/client.ts'
import { edit, openShop, type Shop } from '../../support/small-shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop([], (folder) => {
    const write = (path: string, text: string) => writeFileSync(join(folder, 'public', path), text)
    write('app.html', '<!doctype html><div id="root"></div><script type="module" src="/main.js"></script>')
    write('select.js', `export function select(value) {\n  return value.id.toUpperCase()\n}\n`)
    write('form.js', `import { select } from './select.js'\nexport const form = (item) =>\n  select(item)\n`)
    write('main.js', MAIN)
  })
}, 300_000)
afterAll(() => shop.close())
afterEach(async () => {
  await shop.peer.call('close_session')
  shop.restore()
})

const MAIN = `import { form } from './form.js'
const root = document.querySelector('#root')
const actions = {
  crash() {
    root.replaceChildren()
    root.append(form(undefined))
  },
  wipe() { document.body.innerHTML = '' },
  refill() {
    root.replaceChildren()
    setTimeout(draw, 1500)
  },
  ask() {
    root.replaceChildren()
    alert('Sure?')
  },
  short() { root.textContent = 'Bye' },
  // The color has no blue.
  box() { root.innerHTML = '<div style="border: 1px solid black; height: 20px"></div>' },
  fold() { root.innerHTML = '<details><summary></summary></details>' },
}
function draw() {
  root.innerHTML = '<h1>App</h1>' + '<p>row</p>'.repeat(30) +
    Object.keys(actions).map((name) => '<button id="' + name + '">' + name + '</button>').join('')
  for (const name in actions) document.getElementById(name).onclick = actions[name]
}
draw()
`

const call = (tool: string, input: Record<string, unknown> = {}) => callOrThrow(shop.peer, tool, input)
const open = async () => {
  await call('create_session', { command: ['node', 'server.js'] })
  await call('navigate', { url: '/app.html' })
}
const click = async (id: string): Promise<string> =>
  (await call('click', { selector: `#${id}` })).notes?.join('\n') ?? ''

const PLACES = 'public/select.js:2, public/form.js:3, public/main.js:6'

test.each([false, true])(
  'an error that empties the page is said with its places; snapshot: %p',
  async (isRead) => {
    edit(shop.folder, 'public/form.js', '  select(item)', '  select(item ?? undefined)')
    await open()
    if (isRead) await call('snapshot')
    expect(await click('crash')).toContain(
      `The page is blank since this click: it had 39 elements. Its error: ${PLACES}.`,
    )
    expect((await call('snapshot')).snapshot).toBe(
      `The page is blank since click #crash: it had 39 elements. Its error: ${PLACES}.`,
    )
    expect((await call('get_session_status')).blank).toBe('since click #crash: it had 39 elements')
    const verdict = await call('verify')
    expect(verdict.verdict).toBe('FAIL')
    expect(verdict.errors.join('\n')).toContain('public/form.js:3 TypeError, which left the page blank')
    await call('navigate', { url: '/app.html' })
    expect((await call('get_session_status')).blank).toBeUndefined()
  },
  90_000,
)

test('a page that is emptied without an error is blank, one that is filled again or short is not', async () => {
  await open()
  expect(await click('refill')).not.toContain('blank')
  await call('wait_for', { text: 'App' })
  expect(await click('wipe')).toContain('The page is blank since this click: it had 39 elements.')
  await call('history', { direction: 'reload' })
  await call('snapshot')
  expect(await click('wipe')).toContain('The page is blank since this click: it had 39 elements.')
  await call('history', { direction: 'reload' })
  for (const id of ['box', 'fold']) {
    expect(await click(id)).not.toContain('blank')
    await call('history', { direction: 'reload' })
  }
  expect(await click('short')).not.toContain('blank')
  expect(await call('navigate', { url: 'about:blank' })).not.toHaveProperty('notes')
  expect((await call('snapshot')).snapshot).toBe('')
  expect((await call('get_session_status')).blank).toBeUndefined()
}, 90_000)

test('an open dialog hides nothing, and what it leaves is said once it is answered', async () => {
  await open()
  expect(await click('ask')).not.toContain('blank')
  expect(JSON.stringify(await call('handle_dialog', { accept: true }))).toContain('The page is blank since')
}, 90_000)

test('a module that throws at a reload leaves the page blank', async () => {
  await open()
  edit(shop.folder, 'public/main.js', 'draw()\n', 'missing.draw()\n')
  const { notes } = await call('history', { direction: 'reload' })
  expect(notes.join('\n')).toContain('The page is blank since this call: it had 39 elements.')
}, 90_000)
