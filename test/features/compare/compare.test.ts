// Two versions of an application, as a user sees them.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { openPages } from '../../support/checks.ts'
import { callOrThrow, connect, type Peer } from '../../support/client.ts'
import { until } from '../../support/leftovers.ts'
import { openShell } from '../../support/shell.ts'
import { serveSite } from '../../support/site.ts'
import { createShop, edit, git } from '../../support/small-shop.ts'

const command = ['node', 'server.js']

let folder: string
let peer: Peer
const start = () =>
  connect({ args: ['--headless', '--tools', '+compare', '--output-dir', `${folder}-out`], cwd: folder })
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-compare-')))
  createShop(folder)
  peer = await start()
}, 300_000)
afterAll(async () => {
  await peer.close()
  rmSync(folder, { recursive: true, force: true })
  rmSync(`${folder}-out`, { recursive: true, force: true })
})
beforeEach(() => void git(folder, 'checkout', '--quiet', '.'))

const compare = (input: Record<string, unknown> = {}) =>
  callOrThrow(peer, 'compare', { command, cwd: folder, ...input })

/** What git and the file system say about the repository. */
function stateOf(repository: string) {
  const index = join(repository, '.git', 'index')
  return {
    worktrees: git(repository, 'worktree', 'list', '--porcelain'),
    branches: git(repository, 'branch', '--list'),
    index: readFileSync(index).toString('base64'),
    indexTime: statSync(index).mtimeMs,
    status: git(repository, '--no-optional-locks', 'status', '--short'),
    records: existsSync(join(repository, '.git', 'worktrees')),
  }
}

/** The differences in the order of the answer, each as `kind file:line`. */
const listOf = ({ steps }: any): string[] =>
  steps.flatMap(({ step, differences }: any) =>
    differences.map(({ kind, file, line, inDiff }: any) => `${step} ${kind} ${file}:${line} ${inDiff}`),
  )

test('a version does not differ from itself, though it counts its visits: that is masked and named', async () => {
  const before = stateOf(folder)
  const result = await compare({ flow: ['/', '/cart'] })
  expect(result).toMatchObject({ steps: [], unexplained: 0 })
  expect(result.masked).toContainEqual(
    expect.objectContaining({ step: 2, what: expect.stringContaining('Visit') }),
  )
  expect(stateOf(folder)).toEqual(before)
  expect(peer.trace.processes().filter(({ command: line }) => line.includes('server.js'))).toEqual([])
}, 300_000)

test('each change is in the step that shows it, with its line where a rule or a stack tells it', async () => {
  edit(folder, 'public/index.html', 'Fresh every day', 'Fresh each morning')
  edit(folder, 'public/style.css', '.lead { color: #333 }', '.lead { color: #ccc }')
  edit(folder, 'public/style.css', '.total { width: 100px }', '.total { width: 400px; background: #eee }')
  edit(folder, 'public/cart.js', '/api/price', '/api/cost')
  const [inAddress, inCheck] = ['Zq81hfLw02mcXx7vB4tG', 'ghp_Zq81hfLw02mcXx7vB4tGZq81hfLw02mcXx7v']
  const expected = [{ text: 'Loading' }, { text: 'Price: 5' }, { text: `key ${inCheck}` }]
  const result = await compare({
    base: 'HEAD',
    flow: [`/?access_token=${inAddress}`, '/cart'],
    expect: expected,
  })
  expect(result.unexplained).toBe(0)
  const list = listOf(result)
  expect(list).toContain('1 tree undefined:undefined undefined')
  expect(list).toContain('1 accessibility public/style.css:2 true')
  expect(list).toContain('2 request undefined:undefined undefined')
  expect(list).toContain('2 tree undefined:undefined undefined')
  expect(list).toContain('2 layout public/style.css:3 true')
  // Its area shows another text as well, of which the cause is not known.
  expect(list).toContain('2 pixels undefined:undefined undefined')
  expect(list).toContain('2 console public/cart.js:6 undefined')
  expect(result.expect.map(({ base, current }: any) => [base, current])).toEqual([
    [false, true],
    [true, false],
    [false, false],
  ])
  const files = readdirSync(dirname(result.files.html))
  expect(files).toEqual(
    expect.arrayContaining(['compare.html', 'compare.md', 'step-1-base.png', 'step-2-current.png']),
  )
  const written = [result.files.md, result.files.html].map((path) => readFileSync(path, 'utf8'))
  expect(written[0]).toContain('| ![base](step-1-base.png) |')
  for (const text of [...written, JSON.stringify(result)])
    for (const secret of [inAddress, inCheck]) expect(text).not.toContain(secret)
}, 300_000)

test('the steps of a session go through both: a removed handler is what its click no longer does', async () => {
  const { sessionId, url } = await callOrThrow(peer, 'create_session', { command, cwd: folder })
  await callOrThrow(peer, 'navigate', { sessionId, url })
  await callOrThrow(peer, 'click', { sessionId, selector: '#add' })
  await callOrThrow(peer, 'wait_for', { sessionId, text: '1 items' })
  const path = join(folder, 'tests/add.spec.ts')
  await callOrThrow(peer, 'save_test', { sessionId, path, replay: 1, run: false })
  edit(folder, 'public/app.js', "'click'", "'dblclick'")
  const result = await callOrThrow(peer, 'compare', { sessionId, flow: 'session' })
  expect(result).toMatchObject({ steps: [], unproven: 1, message: expect.stringContaining('TIMEOUT') })
  const saved = await callOrThrow(peer, 'compare', { sessionId, flow: path })
  expect(listOf(saved)).toEqual([
    '2 tree undefined:undefined undefined',
    '2 pixels undefined:undefined undefined',
  ])
  expect(saved.steps).toMatchObject([{ step: 2, title: expect.stringContaining('Clicked') }])
  rmSync(join(folder, 'tests'), { recursive: true })
  rmSync(join(folder, 'playwright.config.ts'))
  await callOrThrow(peer, 'close_session', { sessionId })
}, 300_000)

test('what comes from another server is the same for both, from one recording', async () => {
  let requestCount = 0
  const other = await serveSite({}, (_, response) => {
    requestCount += 1
    response.setHeader('access-control-allow-origin', '*')
    response.end(`Rate ${requestCount}`)
  })
  const script = `fetch('${other.url}/rate').then((r) => r.text()).then((rate) => { document.querySelector('h1').textContent = rate })`
  edit(folder, 'public/app.js', 'let count = 0', `let count = 0\n${script}`)
  git(folder, 'commit', '--quiet', '--all', '--message=rate')
  const result = await compare({ base: 'HEAD', flow: '/' })
  git(folder, 'reset', '--quiet', '--hard', 'HEAD~1')
  other.close()
  expect(result).toMatchObject({ steps: [], masked: [] })
  expect(result.notes).toContain(`Replayed to both as the base got them: the answers of ${other.url}.`)
}, 300_000)

test('the page opened from disk asks for nothing and says what changed', async () => {
  edit(folder, 'public/index.html', 'Milk shop', 'Oat <b>shop</b>')
  const { files } = await compare({ flow: '/' })
  for (const engine of ['chromium', 'firefox'] as const) {
    const browser = await openPages(engine, 1)
    const [page] = browser.pages
    if (!page) throw new Error('no page')
    const [requests, complaints]: [string[], string[]] = [[], []]
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto(pathToFileURL(files.html).href)
    expect(requests.filter((address) => !/^(file|data):/.test(address))).toEqual([])
    expect(complaints).toEqual([])
    const text = await page.evaluate(() => document.body.innerText)
    expect(text).toContain('Oat shop')
    expect(text).toContain('cause not known')
    expect(await page.locator('svg image').count()).toBe(2)
    await browser.close()
  }
}, 300_000)

test('a base that is none is refused, by name', async () => {
  const { data } = await peer.call('compare', { command, cwd: folder, base: 'no-such-branch' })
  expect(data).toMatchObject({ errorCode: 'INVALID_PARAMETERS', details: { field: 'base' } })
  expect(stateOf(folder).records).toBe(false)
}, 120_000)

test('killed at any moment, nothing is left of it within ten seconds', async () => {
  edit(folder, 'public/index.html', 'Fresh every day', 'Fresh each morning')
  const before = stateOf(folder)
  for (const signal of ['worktree', 'server.js', '/cart'] as const) {
    const other = await start()
    const progress: string[] = []
    const call = other.client
      .callTool({ name: 'compare', arguments: { command, cwd: folder, flow: ['/', '/cart'] } }, undefined, {
        timeout: 120_000,
        onprogress: ({ message = '' }) => void progress.push(message),
      })
      .catch(() => {})
    const isReached = () =>
      signal === '/cart'
        ? progress.some((message) => message.includes(signal))
        : signal === 'worktree'
          ? existsSync(join(folder, '.git', 'worktrees'))
          : other.trace.processes().filter(({ command: line }) => line.includes(signal)).length > 1
    expect(await until(isReached, 60_000, 5)).toBe(true)
    process.kill(other.pid, 'SIGKILL')
    await call
    const isRemoved = () => !existsSync(join(folder, '.git', 'worktrees'))
    expect(await until(isRemoved, 10_000, 20)).toBe(true)
    await other.close()
    expect(stateOf(folder)).toEqual(before)
  }
}, 300_000)

test('the command line prints the Markdown and fails where something differs that is not in the diff', async () => {
  const shell = openShell()
  rmSync(join(shell.folder, '.git'), { recursive: true })
  createShop(shell.folder)
  const words = ['compare', '/', '--command', 'node server.js', '--ci']
  edit(shell.folder, 'public/index.html', 'Fresh every day', 'Fresh each morning')
  const changed = await shell.run(...words)
  expect([changed.code, changed.err]).toEqual([0, ''])
  expect(changed.out).toContain('`text: Fresh every day → Fresh each morning` | **cause not known**')
  git(shell.folder, 'commit', '--quiet', '--all', '--message=words')
  // What a server of another version shows is in no diff.
  const folderBase = mkdtempSync(join(tmpdir(), 'fl-base-'))
  createShop(folderBase)
  const unexplained = await shell.run(...words, '--base', folderBase)
  expect([unexplained.code, unexplained.err]).toEqual([1, ''])
  expect(unexplained.out).toContain('**NOT in the diff**')
  rmSync(folderBase, { recursive: true, force: true })
  // What is not there is not seen, although nothing differs.
  const unproven = await shell.run('compare', '/missing', '--command', 'node server.js', '--ci')
  expect([unproven.code, unproven.err]).toEqual([1, ''])
  await shell.close()
}, 300_000)
