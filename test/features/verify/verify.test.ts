// What an agent is told of its change: which lines ran in the browser, as the code is now.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callOrThrow, connect } from '../../support/client.ts'
import { openShell } from '../../support/shell.ts'
import { createShop, edit, openShop, type Shop } from '../../support/small-shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
}, 300_000)
afterAll(() => shop.close())
afterEach(async () => {
  await shop.peer.call('close_session')
  shop.restore()
})

const call = (tool: string, input: Record<string, unknown> = {}) => callOrThrow(shop.peer, tool, input)
const open = async (path = '/') => {
  await call('create_session', { command: ['node', 'server.js'] })
  await call('navigate', { url: path })
}
/** The verdict with the lines of one file. */
const verify = async (file: string, input: Record<string, unknown> = {}) => {
  const { data, result } = await shop.peer.call('verify', input)
  const { verdict, files, ...rest } = data
  const lines = (result.content[0] as { text: string }).text.split('\n')
  const { ran, partly, notRun, notLoaded } = files.find((one: any) => one.file === file) ?? {}
  return { ...rest, lines, verdict, states: { ran, partly, notRun, notLoaded } }
}

const BRANCH = `  count += 2
  if (count > 100) {
    count = 0
  }`

test('a file that is gone and that a page asks for is no PASS', async () => {
  await open()
  rmSync(join(shop.folder, 'public/app.js'))
  await call('navigate', { url: '/' })
  expect(await verify('public/app.js')).toMatchObject({
    verdict: 'UNVERIFIED',
    stale: expect.arrayContaining(['public/app.js is gone, and a page asked for it: 404.']),
  })
  await call('navigate', { url: '/cart' })
})

test('a changed line is not loaded, not run, and then ran, up to the next edit', async () => {
  await open('/cart')
  expect(await call('verify')).toMatchObject({ verdict: 'UNVERIFIED', files: [] })
  edit(shop.folder, 'public/app.js', '  count += 1', BRANCH)
  expect(await verify('public/app.js')).toMatchObject({
    verdict: 'UNVERIFIED',
    states: { ran: [], notRun: [], notLoaded: ['3-5'] },
  })
  await call('navigate', { url: '/' })
  expect(await verify('public/app.js')).toMatchObject({
    verdict: 'UNVERIFIED',
    states: { ran: [], notRun: ['3-5'], notLoaded: [] },
  })
  await call('click', { selector: '#add' })
  expect(await verify('public/app.js')).toMatchObject({
    verdict: 'UNVERIFIED',
    states: { ran: ['3'], partly: ['4'], notRun: ['5'] },
  })
  edit(shop.folder, 'public/app.js', BRANCH, '  count += 3')
  const stale = await verify('public/app.js')
  expect(stale).toMatchObject({ verdict: 'UNVERIFIED', states: { notLoaded: ['3'] } })
  expect(stale.stale.join()).toContain('public/app.js')
  await call('history', { direction: 'reload' })
  await call('click', { selector: '#add' })
  const verdict = await verify('public/app.js')
  expect(verdict).toMatchObject({ verdict: 'PASS', states: { ran: ['3'], notRun: [], notLoaded: [] } })
  expect(verdict.lines).toEqual([
    'verify: PASS - 1 of 1 changed file ran',
    expect.stringMatching(/^ ran +public\/app\.js:3 \(click #add, \d+ s ago\)$/),
    `all of it: ${verdict.file}`,
  ])
}, 90_000)

test('a claim is judged in the page as it is now; without a check it is not verified', async () => {
  edit(shop.folder, 'public/app.js', '  count += 1', '  count += 2')
  await open()
  await call('click', { selector: '#add' })
  const claims = [{ say: 'it adds two', check: { text: '2 items' } }]
  expect(await call('verify', { claims })).toMatchObject({
    verdict: 'PASS',
    claims: [{ say: 'it adds two', verdict: 'PASS' }],
  })
  const pretty = { say: 'it is pretty' }
  expect(await call('verify', { claims: [...claims, pretty] })).toMatchObject({ verdict: 'UNVERIFIED' })
  const wrong = { say: 'it adds three', check: { text: '3 items', timeout: 300 } }
  expect(await call('verify', { claims: [...claims, wrong] })).toMatchObject({
    verdict: 'FAIL',
    claims: [{ verdict: 'PASS' }, { verdict: 'FAIL' }],
  })
  const { path, markdown } = await call('report')
  for (const file of [path, markdown])
    expect(readFileSync(file, 'utf8')).toMatch(/verify: FAIL.*[^]*it adds three/)
  const bad = await shop.peer.call('verify', { claims: [{ say: 'x', check: { txt: 'a' } }] })
  expect([bad.failed, bad.data.details.field]).toEqual([true, 'claims[0].check.txt'])
}, 90_000)

test('an uncaught error in a changed line fails the change, though the line ran', async () => {
  edit(shop.folder, 'public/app.js', '  count += 1', '  count.missing.field')
  await open()
  await call('click', { selector: '#add' })
  const verdict = await call('verify')
  expect(verdict).toMatchObject({
    verdict: 'FAIL',
    errors: [expect.stringContaining('public/app.js:3 TypeError')],
  })
}, 90_000)

test('rules of style ran where the page uses them', async () => {
  edit(
    shop.folder,
    'public/style.css',
    '.lead { color: #333 }',
    '.lead { color: #444 }\n.nobody { color: #555 }',
  )
  await open()
  expect(await verify('public/style.css')).toMatchObject({
    verdict: 'UNVERIFIED',
    states: { ran: ['2'], notRun: ['3'] },
  })
}, 90_000)

test('lines of a Node server ran where its route was asked for', async () => {
  edit(shop.folder, 'server.js', `  visits += 1`, `  visits += 2`)
  edit(
    shop.folder,
    'server.js',
    `    return response.end('{"price":5}')`,
    `    return response.end('{"price":6}')`,
  )
  await open()
  expect(await verify('server.js')).toMatchObject({
    verdict: 'UNVERIFIED',
    states: { ran: ['10'], notRun: ['8'] },
  })
  await call('navigate', { url: '/cart' })
  await call('wait_for', { text: 'Price: 6' })
  expect(await verify('server.js')).toMatchObject({
    verdict: 'PASS',
    states: { ran: ['10'], partly: ['8'], notRun: [] },
  })
}, 90_000)

test('nothing counts the lines of a server that started before the first edit, until it is started again', async () => {
  await open('/cart')
  edit(
    shop.folder,
    'server.js',
    `    return response.end('{"price":5}')`,
    `    return response.end('{"price":6}')`,
  )
  expect((await call('verify')).files).toMatchObject([
    { file: 'server.js', notSeen: expect.stringContaining('no coverage of this server') },
  ])
  await call('restart_server')
  await call('navigate', { url: '/cart' })
  await call('wait_for', { text: 'Price: 6' })
  expect(await verify('server.js')).toMatchObject({ verdict: 'PASS', states: { partly: ['8'] } })
}, 90_000)

test('the first edit of a session is counted from the next navigation on', async () => {
  await open()
  edit(shop.folder, 'public/app.js', '  count += 1', '  count += 2')
  await call('history', { direction: 'reload' })
  await call('click', { selector: '#add' })
  expect(await verify('public/app.js')).toMatchObject({ verdict: 'PASS', states: { ran: ['3'] } })
}, 90_000)

test('what an evaluation ran is said to be by it, and a session of other files proves nothing', async () => {
  edit(shop.folder, 'public/app.js', '  count += 1', '  count += 9')
  await open()
  await call('evaluate', { script: "document.querySelector('#add').click()" })
  const { lines } = await verify('public/app.js')
  expect(lines[1]).toContain('evaluate, ')
  await call('click', { selector: '#add' })
  expect((await verify('public/app.js')).lines[1]).toContain('(click #add, ')
  const other = join(shop.folder, 'other')
  mkdirSync(other)
  createShop(other)
  expect(await call('verify', { cwd: other })).toMatchObject({
    verdict: 'UNVERIFIED',
    stale: expect.arrayContaining([expect.stringContaining(`of another folder: ${shop.folder}`)]),
  })
  rmSync(other, { recursive: true })
  await expect(call('verify', { cwd: tmpdir() })).rejects.toThrow('ACCESS_DENIED')
}, 90_000)

test('where the ledger cannot be written, verify says why instead of a verdict', async () => {
  edit(shop.folder, 'public/app.js', '  count += 1', '  count += 8')
  const output = mkdtempSync(join(tmpdir(), 'fl-verify-'))
  writeFileSync(join(output, 'verify'), '')
  const other = await connect({ args: ['--headless', '--output-dir', output], cwd: shop.folder })
  await callOrThrow(other, 'create_session', { command: ['node', 'server.js'] })
  await callOrThrow(other, 'navigate', { url: '/' })
  const { failed, data } = await other.call('verify')
  expect([failed, data.message]).toEqual([true, expect.stringContaining(join(output, 'verify'))])
  await other.close()
  rmSync(output, { recursive: true })
}, 90_000)

test('in a shell the verdict is the exit code', async () => {
  const shell = openShell()
  try {
    rmSync(shell.folder, { recursive: true })
    createShop(shell.folder)
    edit(shell.folder, 'public/app.js', '  count += 1', '  count += 2')
    await shell.run('up', 'node server.js')
    await shell.run('open', '/')
    const before = await shell.run('verify', '--ci')
    expect([before.code, before.out]).toEqual([5, expect.stringContaining('## verify: UNVERIFIED')])
    await shell.run('click', '#add')
    const after = await shell.run('verify', '--ci')
    expect([after.code, after.out]).toEqual([0, expect.stringContaining('## verify: PASS')])
  } finally {
    await shell.close()
  }
}, 120_000)

test('a script whose path no file can have is no error of the server', async () => {
  const names = ['/' + 'b'.repeat(400) + '.js', '/%00.js']
  edit(
    shop.folder,
    'server.js',
    '  visits += 1',
    `  if (/b{300}|%00/.test(pathname)) {
    response.setHeader('content-type', 'text/javascript')
    return response.end('globalThis.loaded = 1')
  }
  visits += 1`,
  )
  const scripts = names.map((name) => `<script src="${name}"></script>`).join('')
  edit(shop.folder, 'public/index.html', '<p id="count">', `${scripts}<p id="count">`)
  await open('/')
  expect(await call('get_session_status')).toBeDefined()
  expect(await call('verify')).toMatchObject({ verdict: 'PASS', stale: [] })
  expect(shop.peer.stderr()).not.toContain('internal error')
})
