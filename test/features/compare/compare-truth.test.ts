// What a comparison says of itself: where its steps ended, what it masked, and what it was told is meant to change.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callOrThrow, connect, type Peer } from '../../support/client.ts'
import { type GUARDED, guardedSite } from '../../support/guarded-site.ts'
import { createShop, edit, git } from '../../support/small-shop.ts'

const command = ['node', 'server.js']

let folder: string
let peer: Peer
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-truth-')))
  createShop(folder)
  writeFileSync(join(folder, 'guarded.js'), guardedSite)
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=guarded')
  peer = await connect({
    args: ['--headless', '--tools', '+compare', '--output-dir', `${folder}-out`],
    cwd: folder,
  })
}, 120_000)
afterAll(async () => {
  await peer.close()
  for (const path of [folder, `${folder}-out`]) rmSync(path, { recursive: true, force: true })
})
beforeEach(() => void git(folder, 'checkout', '--quiet', '.'))

const compare = (input: Record<string, unknown>) =>
  callOrThrow(peer, 'compare', { command, cwd: folder, base: 'HEAD', ...input })

const SENTENCES: Readonly<Record<(typeof GUARDED)[number], RegExp>> = {
  redirect: /shows? the page of \/login \(heading "Log in"\), which is not the one that was asked for/,
  'same-url': /shows a form with a password at \/same-url/,
  unauthorized: /shows status 401 .*\/unauthorized/,
  forbidden: /shows status 403 at \/forbidden/,
  basic: /(status 401|failed in both versions: NAVIGATION_FAILED)/,
  modal: /shows a form with a password at \/modal \(heading "Sign in"\)/,
  'client-redirect': /the page of \/login/,
  oauth: /the page of http:\/\/127\.0\.0\.1\/authorize \(heading "Choose an account"\)/,
  expired: /shows "Your session has expired/,
  hidden: /shows status 404 at \/hidden/,
}

const differencesOf = ({ steps }: any): any[] =>
  steps.flatMap(({ step, differences }: any) => differences.map((one: any) => ({ ...one, step })))

test.each([
  [['redirect', 'same-url', 'unauthorized', 'forbidden']],
  [['modal', 'client-redirect', 'oauth', 'expired']],
  [['hidden']],
  [['basic']],
] as const)(
  'a page behind a login is said first, with the way out, and nothing is called equal: %p',
  async (kinds) => {
    const { message } = await compare({
      command: 'node guarded.js',
      flow: kinds.map((kind) => `/${kind}`),
    })
    const [, first] = message.split('HEAD → the work tree: ')
    expect(first).toStartWith('Step 1 ')
    for (const kind of kinds) expect(first).toMatch(SENTENCES[kind])
    expect(first).toMatch(/log in in a session .* saved test .* storage state/)
    expect(first).toEndWith(
      `No difference was seen in ${kinds.length} ${kinds.length > 1 ? 'steps' : 'step'}.`,
    )
  },
  300_000,
)

test('a login that the flow does is no word worth', async () => {
  const { sessionId, url } = await callOrThrow(peer, 'create_session', {
    command: 'node guarded.js',
    cwd: folder,
  })
  await callOrThrow(peer, 'navigate', { sessionId, url: `${url}same-url` })
  await callOrThrow(peer, 'fill_form', { sessionId, fields: [{ selector: '[name=mail]', value: 'ada' }] })
  const { message } = await callOrThrow(peer, 'compare', { sessionId, flow: ['session'] })
  expect(message).toEndWith('HEAD → the work tree: Nothing differs for a user in 2 steps.'.slice(4))
  await callOrThrow(peer, 'close_session', { sessionId })
}, 300_000)

test('the index of git keeps its bytes and its time where a file was only touched', async () => {
  const index = join(folder, '.git/index')
  const before = [readFileSync(index).toString('base64'), statSync(index).mtimeMs]
  utimesSync(join(folder, 'server.js'), new Date(), new Date())
  await compare({ flow: ['/'] })
  expect([readFileSync(index).toString('base64'), statSync(index).mtimeMs]).toEqual(before)
}, 300_000)

test('a failed step tells whether the click or the text after it is missing', async () => {
  const { sessionId, url } = await callOrThrow(peer, 'create_session', { command, cwd: folder })
  await callOrThrow(peer, 'navigate', { sessionId, url })
  await callOrThrow(peer, 'click', { sessionId, selector: '#add' })
  await callOrThrow(peer, 'wait_for', { sessionId, text: '1 items' })
  edit(folder, 'public/app.js', "'click'", "'dblclick'")
  const result = await callOrThrow(peer, 'compare', { sessionId, base: 'HEAD', flow: ['session'] })
  expect(result.notes).toContainEqual(
    expect.stringMatching(/^verify: UNVERIFIED - \d of \d changed files? ran/),
  )
  // A busy machine times out as well: it is said, and is no difference with a line.
  expect(differencesOf(result)).toEqual([])
  expect(result.message).toMatch(
    /Step 2 \(Clicked Add to cart\) worked, and then the check "1 items" failed in the current version: TIMEOUT\./,
  )
  expect(result.masked).toContainEqual(
    expect.objectContaining({ step: 2, why: 'not reached in both: TIMEOUT' }),
  )
  await callOrThrow(peer, 'close_session', { sessionId })
}, 300_000)

test('a random text of the server is masked with its element, however long it is in each run', async () => {
  const random = "String(Math.random()).slice(2, 6 + visits * 3) + ' ' + process.pid"
  edit(folder, 'server.js', "text.replace('{{visits}}', visits)", `text.replace('{{visits}}', ${random})`)
  git(folder, 'commit', '--quiet', '--all', '--message=random')
  const result = await compare({ flow: ['/cart'] })
  git(folder, 'reset', '--quiet', '--hard', 'HEAD~1')
  expect(result).toMatchObject({ steps: [], unexplained: 0 })
  expect(result.masked).toContainEqual(expect.objectContaining({ what: expect.stringContaining('Visit') }))
}, 300_000)

test('what the server shows has no known cause, and is not called outside of the diff', async () => {
  writeFileSync(
    join(folder, 'public/bison.html'),
    '<!doctype html><title>Bison</title><h1>Bison</h1><p>3 left</p>',
  )
  edit(folder, 'server.js', "'/cart' ? '/cart.html'", "'/bison' ? '/bison.html'")
  writeFileSync(join(folder, '.gitignore'), 'public/bison.html\n')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=bison')
  const other = realpathSync(mkdtempSync(join(tmpdir(), 'fl-bison-')))
  git(folder, 'clone', '--quiet', folder, other)
  writeFileSync(
    join(other, 'public/bison.html'),
    '<!doctype html><title>Bison</title><h1>Bison</h1><p>3 left</p>',
  )
  edit(folder, 'public/bison.html', '3 left', 'Sold')
  edit(folder, 'public/index.html', 'Fresh every day', 'Fresh each morning')
  const result = await compare({ base: other, flow: ['/', '/bison'] })
  git(folder, 'reset', '--quiet', '--hard', 'HEAD~1')
  rmSync(other, { recursive: true, force: true })
  const [first, second] = [1, 2].map((step) => differencesOf(result).filter((one) => one.step === step))
  for (const differences of [first, second]) {
    expect(differences?.length).toBeGreaterThan(0)
    for (const { file, inDiff } of differences ?? []) expect([file, inDiff]).toEqual([undefined, undefined])
  }
  expect(result).toMatchObject({ unexplained: 0, message: expect.not.stringContaining('NOT in the diff') })
}, 300_000)

test('what changed server code renders has no known cause, and no place is accused', async () => {
  edit(folder, 'server.js', "text.replace('{{visits}}', visits)", "text.replace('>Total<', '>Total: 16.50<')")
  const result = await compare({ flow: ['/cart'] })
  const texts = differencesOf(result).filter(({ kind }) => kind === 'tree')
  expect(texts.map(({ text }) => text).join()).toContain('16.50')
  for (const { file, inDiff } of texts) expect([file, inDiff]).toEqual([undefined, undefined])
  expect(result).toMatchObject({ unexplained: 0, unproven: 0 })
  expect(result.message).toContain('of a cause that is not known')
  expect(result.notes).toContainEqual(expect.stringContaining('server code'))
}, 300_000)

test('what differs outside of what is meant to change is unexplained, whatever the diff touches', async () => {
  edit(folder, 'public/index.html', 'Fresh every day', 'Fresh each morning')
  edit(folder, 'public/index.html', 'Add to cart', 'Buy now')
  const all = await compare({ flow: ['/'] })
  expect(all.unexplained).toBe(0)
  const isMeant = (result: any, text: string) =>
    differencesOf(result).flatMap((one) => (String(one.text).includes(text) ? [one.isOutside !== true] : []))
  for (const only of [['#add'], ['Buy now']]) {
    const result = await compare({ flow: ['/'], only })
    expect(isMeant(result, 'Buy now')).toEqual([true])
    expect(isMeant(result, 'Fresh each morning')).toEqual([false])
    expect(result.message).toContain('outside of what is meant to change')
  }
}, 300_000)

test('a layout that a rule has made wide has the line of the rule, though its element is in a changed file', async () => {
  edit(folder, 'public/cart.html', '<p class="total">Total</p>', '<p class="total">Total:</p>')
  edit(
    folder,
    'public/style.css',
    '.total { width: 100px }',
    '.total { width: 420px; border-top: 8px solid }',
  )
  const result = await compare({ flow: ['/cart'] })
  const layout = differencesOf(result).filter(({ kind }) => kind === 'layout')
  expect(layout).toMatchObject([{ file: 'public/style.css', line: 3, inDiff: true }])
}, 300_000)

test('a picture that shows the first part of what scrolls is no proof of the rest', async () => {
  edit(
    folder,
    'public/style.css',
    '.lead {',
    'html { overflow: hidden }\nbody { height: 90vh; overflow: auto }\n.lead {',
  )
  edit(folder, 'public/style.css', '.total {', '#count { margin-top: 2000px; color: #111 }\n.total {')
  git(folder, 'commit', '--quiet', '--all', '--message=scrolls')
  edit(folder, 'public/style.css', '#111', '#e00')
  const { message, masked } = await compare({ flow: ['/'] })
  git(folder, 'reset', '--quiet', '--hard', 'HEAD~1')
  expect(message).toEndWith('Nothing differs for a user in 1 step, apart from what is masked.')
  expect(masked).toEqual([
    { step: 1, what: 'pixels of <body> below and beside what it shows', why: 'it scrolls by itself' },
  ])
}, 300_000)

test('a tab in which the flow does nothing is not compared, and that is said', async () => {
  edit(folder, 'public/index.html', '<a href="/cart">', '<a href="/cart" target="_blank">')
  git(folder, 'commit', '--quiet', '--all', '--message=tab')
  const { sessionId, url } = await callOrThrow(peer, 'create_session', { command, cwd: folder })
  await callOrThrow(peer, 'navigate', { sessionId, url })
  await callOrThrow(peer, 'click', { sessionId, selector: 'a' })
  edit(folder, 'public/cart.html', 'Total', 'Sum')
  const { message } = await callOrThrow(peer, 'compare', { sessionId, base: 'HEAD', flow: ['session'] })
  await callOrThrow(peer, 'close_session', { sessionId })
  git(folder, 'reset', '--quiet', '--hard', 'HEAD~1')
  expect(message).toContain('A tab was opened in which the flow does nothing. It is not compared.')
  expect(message).not.toContain('Nothing differs')
}, 300_000)

test('the folder of a version is no difference, and what the base has not is said where something differs', async () => {
  edit(
    folder,
    'server.js',
    "text.replace('{{visits}}', visits)",
    "text.replace('{{visits}}', __dirname + '/x')",
  )
  git(folder, 'commit', '--quiet', '--all', '--message=folder')
  writeFileSync(join(folder, '.gitignore'), '.env\n')
  writeFileSync(join(folder, '.env'), 'KEY=1\n')
  const same = await compare({ flow: ['/cart'] })
  edit(folder, 'public/cart.html', '>Cart<', '>Basket<')
  const other = await compare({ flow: ['/cart'] })
  for (const name of ['.env', '.gitignore']) rmSync(join(folder, name))
  git(folder, 'reset', '--quiet', '--hard', 'HEAD~1')
  expect(
    same.steps.flatMap(({ differences }: any) => differences).filter(({ kind }: any) => kind === 'tree'),
  ).toEqual([])
  expect(other.message).toContain('The base ran without .env, which is not in git.')
  expect(other.message).not.toContain('all are in the diff')
}, 300_000)

test('packages that are other ones in the base cannot differ, and that is said', async () => {
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"dependencies":{"a":"1"}}')
  git(folder, 'add', 'package.json')
  git(folder, 'commit', '--quiet', '--message=packages')
  writeFileSync(join(folder, 'package.json'), '{"dependencies":{"a":"2"}}')
  const { message } = await compare({ flow: ['/'] })
  rmSync(join(folder, 'node_modules'), { recursive: true })
  git(folder, 'reset', '--quiet', '--hard', 'HEAD~1')
  expect(message).toContain('package.json is another one in the base')
  expect(message).toEndWith('No difference was seen in 1 step.')
}, 300_000)
