// The tests that a change touches: real runs of Playwright Test on a small application whose lines are known.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callOrThrow, connect, type Peer } from '../../../support/client.ts'
import { until } from '../../../support/leftovers.ts'
import { reservePort } from '../../../support/reserve-port.ts'
import { openShell } from '../../../support/shell.ts'
import { edit, git } from '../../../support/small-shop.ts'
import { createTestProject, type TestProject } from '../../../support/test-project.ts'

const server = `import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
createServer((request, response) => {
  const path = request.url === '/' ? '/index.html' : request.url
  response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html')
  try { response.end(readFileSync('.' + path)) } catch { response.writeHead(404).end() }
}).listen(process.env.PORT, '127.0.0.1')
`
const main = `import { total } from './cart.js'
import { pay } from './pay.js'

let count = 0
document.querySelector('#add').onclick = () => {
  count += 1
  document.querySelector('#total').textContent = total(count)
}
document.querySelector('#pay').onclick = () => {
  document.querySelector('#paid').textContent = pay(count)
}
`
const cart = `export function total(count) {
  if (count > 100) {
    return 'many'
  }
  return String(count * 2)
}
`
const pay = `export function pay(count) {
  const sum = count * 2
  return \`paid \${sum}\`
}
`
const flow = (title: string, button: string, place: string, text: string) => `
import { expect, test } from '@playwright/test'
test('${title}', async ({ page }) => {
  await page.goto('/')
  await page.click('#${button}')
  await expect(page.locator('#${place}')).toHaveText('${text}')
})
`

let project: TestProject
let peer: Peer
let port: number
beforeAll(async () => {
  port = await reservePort()
  const url = `http://127.0.0.1:${port}`
  project = createTestProject({
    '.gitignore': 'node_modules\n.footlight\n',
    'server.mjs': server,
    'index.html': `<title>Shop</title><button id=add>Add</button><button id=pay>Pay</button><p id=total></p><p id=paid></p><script type=module src=/main.js></script>`,
    ...{ 'main.js': main, 'cart.js': cart, 'pay.js': pay },
    'playwright.config.mjs': `export default { testDir: 'tests', expect: { timeout: 500 }, use: { baseURL: '${url}', actionTimeout: Number(process.env.SHORT ?? 0) },
      webServer: { command: 'node server.mjs', url: '${url}', reuseExistingServer: true, env: { PORT: '${port}' } } }`,
    'tests/add.spec.mjs': flow('adds', 'add', 'total', '2'),
    'tests/pay.spec.mjs': flow('pays', 'pay', 'paid', 'paid 0'),
  })
  git(project.folder, 'init', '--quiet', '--initial-branch', 'main')
  git(project.folder, 'add', '.')
  git(project.folder, 'commit', '--quiet', '--message', 'first')
  peer = await connect({ args: ['--headless'], cwd: project.folder })
}, 120_000)
afterAll(async () => {
  await peer.close()
  project.remove()
})
afterEach(() => void git(project.folder, 'checkout', '--quiet', '.'))

const call = (tool: string, input: Record<string, unknown> = {}) => callOrThrow(peer, tool, input)
const flowsOf = async (input: Record<string, unknown> = {}) => {
  const { verdict, flows, files } = await call('verify', input)
  return {
    verdict,
    flows: flows.map(({ path, touches, verdict: word }: any) => [path, touches.join(' '), word]),
    ran: files.flatMap(({ file, ran }: any) => (ran.length > 0 ? `${file}:${ran}` : [])),
  }
}

test('tests of which nothing is known are named, run, and then known by the lines that they ran', async () => {
  expect(await flowsOf()).toEqual({ verdict: 'UNVERIFIED', flows: [], ran: [] })
  edit(project.folder, 'pay.js', 'count * 2', 'count * 3')
  expect(await flowsOf()).toEqual({
    verdict: 'UNVERIFIED',
    flows: [
      ['tests/add.spec.mjs', '', 'UNVERIFIED'],
      ['tests/pay.spec.mjs', '', 'UNVERIFIED'],
    ],
    ran: [],
  })
  expect(await flowsOf({ run: true })).toEqual({
    verdict: 'PASS',
    flows: [['tests/pay.spec.mjs', 'pay.js:2', 'PASS']],
    ran: ['pay.js:2'],
  })
}, 120_000)

test('an edit touches the tests that ran its lines, and no others; one that fails is a FAIL', async () => {
  expect((await flowsOf()).flows).toEqual([['tests/pay.spec.mjs', 'pay.js:2', 'UNVERIFIED']])
  await flowsOf({ run: true })
  expect((await flowsOf()).flows).toEqual([])
  edit(project.folder, 'cart.js', "'many'", "'lots'")
  expect(await flowsOf()).toMatchObject({ verdict: 'UNVERIFIED', flows: [] })
  edit(project.folder, 'cart.js', 'count * 2', 'count * 3')
  expect((await flowsOf()).flows).toEqual([['tests/add.spec.mjs', 'cart.js:5', 'UNVERIFIED']])
  const { failures } = (await peer.call('run_test', { touched: true })).data.details
  expect(failures).toMatchObject([{ test: expect.stringContaining('add.spec.mjs:3 adds') }])
  expect(failures[0].notes).toBeUndefined()
  expect(await flowsOf()).toMatchObject({
    verdict: 'FAIL',
    flows: [['tests/add.spec.mjs', 'cart.js:5', 'FAIL']],
  })
  git(project.folder, 'checkout', '--quiet', '.')
  expect(await flowsOf()).toMatchObject({ verdict: 'UNVERIFIED', flows: [] })
}, 120_000)

test('lines move with the text, and a removed line counts', async () => {
  edit(project.folder, 'main.js', 'let count = 0', '// a comment\n\nlet count = 0')
  edit(project.folder, 'main.js', '  count += 1\n', '')
  const { flows } = await flowsOf()
  expect(flows.find(([path]: string[]) => path === 'tests/add.spec.mjs')).toEqual([
    'tests/add.spec.mjs',
    'main.js:4-5,7-8',
    'UNVERIFIED',
  ])
})

test('a failure that ran none of the changed lines says so', async () => {
  edit(project.folder, 'cart.js', "'many'", "'lots'")
  edit(project.folder, 'tests/pay.spec.mjs', 'paid 0', 'paid 9')
  const { failures } = (await peer.call('run_test', { path: 'tests/pay.spec.mjs' })).data.details
  expect(failures[0].notes).toBeUndefined()
  git(project.folder, 'commit', '--quiet', '--message', 'wrong', 'tests')
  git(project.folder, 'checkout', '--quiet', '-b', 'feature')
  const again = (await peer.call('run_test', { path: 'tests/pay.spec.mjs' })).data.details
  expect(again.failures[0].notes).toEqual([
    'It did not run your changed line: probably not due to this change.',
  ])
  git(project.folder, 'checkout', '--quiet', '--force', 'main')
  git(project.folder, 'branch', '--quiet', '-D', 'feature')
  git(project.folder, 'reset', '--quiet', '--hard', 'HEAD~1')
}, 120_000)

test('where a locator finds nothing, that of the same element is offered, and none if the application has changed', async () => {
  const notesOf = async () => {
    const input = { path: 'tests/pay.spec.mjs', env: { SHORT: '1000' } }
    return (await peer.call('run_test', input)).data.details.failures[0].notes.join(' ')
  }
  await call('run_test', { path: 'tests/pay.spec.mjs' })
  edit(project.folder, 'index.html', 'id=pay>', 'id=buy class=main>')
  edit(project.folder, 'main.js', "'#pay'", "'#buy'")
  expect(await notesOf()).toContain(
    "locator('#pay') finds nothing. The element that it found when the test passed has the same role and text now, and is found by getByRole('button', { name: 'Pay' }).",
  )
  // A run that failed does not forget what was found.
  edit(project.folder, 'index.html', '>Pay<', '>Buy<')
  const notes = await notesOf()
  expect(notes).toContain('the application has changed, not only the locator')
  expect(notes).not.toContain('is found by')
}, 180_000)

test('a test that failed for what no page counts is not called flaky', async () => {
  await call('run_test', { path: 'tests/add.spec.mjs' })
  edit(project.folder, 'index.html', 'id=total', 'id=sum')
  edit(project.folder, 'index.html', 'type=module', 'type=module data-total=total')
  const { failures } = (await peer.call('run_test', { path: 'tests/add.spec.mjs' })).data.details
  expect((failures[0].notes ?? []).join(' ')).not.toContain('flaky')
}, 120_000)

test('with a guard the tests that an edit touches run beside the session, and the next answer says what broke, once', async () => {
  await flowsOf({ run: true })
  await call('create_session', { command: ['node', 'server.mjs'], port, guard: true })
  await call('navigate', { url: '/' })
  edit(project.folder, 'pay.js', 'paid $', 'payed $')
  await call('click', { selector: '#pay' })
  const lines: string[] = []
  const readLines = async () => lines.push(...((await call('click', { selector: '#pay' })).notes ?? []))
  await until(async () => {
    await readLines()
    return lines.some((line) => line.includes('fails since'))
  })
  await readLines()
  expect(lines.filter((line) => line.includes('fails since'))).toEqual([
    'tests/pay.spec.mjs:6 fails since your edit of pay.js:3 (expected "paid 0", received "payed 0")',
  ])
  await call('close_session')
}, 180_000)

test('in the shell, test --touched runs these alone, and verify --ci runs them before it judges', async () => {
  const shell = openShell()
  const run = (...words: readonly string[]) => shell.runWith({ cwd: project.folder }, ...words)
  try {
    edit(project.folder, 'pay.js', 'count * 2', 'count + count')
    const touched = await run('test', '--touched')
    expect(touched).toMatchObject({ code: 0, out: expect.stringContaining('1 passed') })
    expect((await run('test', '--touched')).out).toContain('Your change touches no test')
    edit(project.folder, 'pay.js', 'count + count', '2 * count')
    mkdirSync(join(project.folder, 'web'))
    writeFileSync(join(project.folder, 'web/playwright.config.mjs'), 'export default {}\n')
    writeFileSync(
      join(project.folder, 'web/web.spec.mjs'),
      "import { test } from '@playwright/test'\ntest('web', () => {})\n",
    )
    const first = await run('test', '--touched')
    expect(first.out).toContain('Your change also touches 1 test file of other projects')
    rmSync(join(project.folder, 'web'), { recursive: true })
    edit(project.folder, 'pay.js', 'paid $', 'payed $')
    const verdict = await run('verify', '--ci')
    expect(verdict.out).toContain('| `tests/pay.spec.mjs` | `pay.js:2-3` | FAIL |')
    expect(verdict.code).toBe(1)
    edit(project.folder, 'pay.js', 'payed $', 'paid $')
    git(project.folder, 'commit', '--quiet', '--message', 'other sum', 'pay.js')
    edit(project.folder, 'pay.js', '2 * count', 'count * 4 - 2 * count')
    git(project.folder, 'commit', '--quiet', '--message', 'sum', 'pay.js')
    const since = await run('verify', '--run', '--base', 'HEAD~1')
    expect(since.out).toContain('tests/pay.spec.mjs touches pay.js:2: passed')
    git(project.folder, 'reset', '--quiet', '--hard', 'HEAD~2')
  } finally {
    await shell.close()
  }
}, 180_000)
