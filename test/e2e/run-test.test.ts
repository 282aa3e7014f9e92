// run_test with the real Playwright Test of a small project, whose own browsers are not installed here.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { connect, type Peer } from '../support/client.ts'
import { connectOverHttp, serveOverHttp } from '../support/http.ts'
import { casesOf, readJunit } from '../support/junit.ts'
import { until } from '../support/leftovers.ts'
import { reservePort } from '../support/reserve-port.ts'
import { createTestProject, type TestProject, webServer } from '../support/test-project.ts'

let peer: Peer | undefined
let project: TestProject | undefined
beforeEach(() => {
  peer = undefined
  project = undefined
})
afterEach(async () => {
  await peer?.close()
  project?.remove()
})

const imports = `import { test, expect } from '@playwright/test'\n`
const green = `${imports}
test('greets', async ({ page }) => {
  await page.setContent('<h1>Hi</h1>')
  await expect(page.locator('h1')).toHaveText('Hi')
})
test('adds', async () => expect(1 + 1).toBe(2))
test.skip('later', async () => {})
`

async function open(
  files: Readonly<Record<string, string>>,
  { hasPackages = true, args = [] as string[], env = {} as Record<string, string> } = {},
) {
  project = createTestProject(files, { hasPackages })
  peer = await connect({ cwd: project.folder, args: ['--headless', ...args], env })
  return { peer, project }
}

const textOf = ({ content: [first] }: CallToolResult): string => (first?.type === 'text' ? first.text : '')

test('a green run is one line, reports its progress and writes nothing into the project', async () => {
  const opened = await open({ 'tests/green.spec.ts': green })
  const before = opened.project.files()
  const messages: unknown[] = []
  const result = (await opened.peer.client.callTool({ name: 'run_test', arguments: {} }, undefined, {
    timeout: 120_000,
    onprogress: ({ message }) => messages.push(message),
  })) as CallToolResult
  expect(textOf(result)).toMatch(/^2 passed, 1 skipped in [\d.]+ s$/)
  expect(result.structuredContent).toMatchObject({ passed: 2, flaky: 0, skipped: 1, notRun: 0 })
  expect(messages).toContain('0/3')
  expect(messages.filter((message) => /^\d\/3 (passed|skipped): /.test(String(message)))).toHaveLength(3)
  expect(opened.project.files()).toEqual(before)
})

test('a file, a line, a title and a folder select tests', async () => {
  const opened = await open({
    'playwright.config.ts': `export default { timeout: 0, testDir: './tests' }`,
    'tests/green.spec.ts': green,
    'tests/more (1)/other.spec.ts': green,
    'tests/more (1)+/other.spec.ts': green,
  })
  const countPassed = async (input: Record<string, unknown>) =>
    (await opened.peer.call('run_test', input)).data.passed
  expect(await countPassed({ path: 'tests/green.spec.ts', grep: '^.*adds$' })).toBe(1)
  expect(await countPassed({ path: 'tests/green.spec.ts:7' })).toBe(1)
  expect(await countPassed({ path: 'tests/more (1)', grep: 'adds' })).toBe(1)
})

test('each failure has its error, source, page, console, requests and server lines', async () => {
  const port = await reservePort()
  const opened = await open({
    'playwright.config.ts': `export default { timeout: 0, expect: { timeout: 300 }, ${webServer(port)} }`,
    'tests/shop.spec.ts': `${imports}
test.describe('shop', () => {
  test('wrong text', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading')).toHaveText('Products')
  })
  test('missing button', async ({ page }) => {
    const isRejected = page.waitForEvent('pageerror')
    await page.goto('/')
    await isRejected
    console.log('token=ghp_0123456789abcdefghijABCDEFGHIJ012345')
    await page.getByRole('button', { name: 'Remove' }).click({ timeout: 500 })
  })
})`,
  })
  const { failed, data, result } = await opened.peer.call('run_test')
  expect(failed).toBe(true)
  expect(data).toMatchObject({ errorCode: 'TEST_FAILED', category: 'browser' })
  expect(data.message).toMatch(/^2 failed in .*run it again with path "tests\/shop\.spec\.ts:4"\.$/)
  const [wrongText, missing] = data.details.failures
  expect(wrongText).toMatchObject({
    test: 'tests/shop.spec.ts:4 shop › wrong text',
    at: 'tests/shop.spec.ts:6',
    page: { url: `http://127.0.0.1:${port}/`, title: 'Shop' },
  })
  expect(wrongText.error).toMatch(/Expected: "Products"\nReceived: "Items"/)
  expect(wrongText.codeFrame).toMatch(/\n6> .*toHaveText\('Products'\)\n/)
  expect(wrongText.page.snapshot).toContain('Items')
  expect(missing).toMatchObject({ test: 'tests/shop.spec.ts:8 shop › missing button' })
  expect(missing.error).toContain(`waiting for getByRole('button', { name: 'Remove' })`)
  expect(missing.page.snapshot).toContain('button "Add"')
  const text = textOf(result)
  expect(text).toContain('uncaught Error: cannot load items (/:')
  expect(text).toContain(`GET http://127.0.0.1:${port}/api/items 500 {"error":"no database"}`)
  expect(text).toContain('Error: the database is down')
  expect(text).toContain('items were requested')
  expect(text).not.toContain('\u001b')
  expect(text).not.toContain('ghp_0123456789')
  expect(readFileSync(missing.screenshot).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
  expect(existsSync(missing.trace)).toBe(true)
  await opened.peer.call('run_test', { path: 'application.cjs' })
  expect(existsSync(missing.trace)).toBe(false)
})

test('the results as JUnit XML: with source lines, redacted, in place of the last ones and of nothing else', async () => {
  const opened = await open({
    'tests/mixed.spec.ts': `${green}
test('fails', async ({ page }) => {
  console.log('<b> token=ghp_0123456789abcdefghijABCDEFGHIJ012345')
  await page.setContent('<p>one</p>')
  await expect(page.locator('p'), 'ghp_0123456789abcdefghijABCDEFGHIJ012345').toHaveText('two', { timeout: 300 })
})`,
  })
  const junit = 'out/ci/results.xml'
  const readCases = () => {
    const xml = readFileSync(join(opened.project.folder, junit), 'utf8')
    expect(xml).not.toContain('ghp_0123456789')
    return casesOf(readJunit(xml))
  }
  const run = (input: Record<string, unknown>) => opened.peer.call('run_test', { junit, ...input })
  expect((await run({})).data.errorCode).toBe('TEST_FAILED')
  const cases = readCases()
  expect(cases.map(({ attributes }) => attributes['name'])).toEqual(['greets', 'adds', 'later', 'fails'])
  expect(cases.map(({ children }) => children.map(({ name }) => name))).toEqual([
    [],
    [],
    ['skipped'],
    ['failure', 'system-out'],
  ])
  const [failure, output] = cases[3]?.children ?? []
  expect(failure?.text).toMatch(/Expected: "two"\nReceived: "one"/)
  expect(failure?.text).toMatch(/\nat tests\/mixed\.spec\.ts:13\n/)
  expect(failure?.text).toMatch(/\n13> .*toHaveText\('two'/)
  expect(output?.text).toContain('<b> token=')
  expect((await run({ grep: 'adds' })).data.passed).toBe(1)
  expect(readCases()).toHaveLength(1)
  expect((await run({ grep: 'nothing' })).data.errorCode).toBe('TEST_RUN_FAILED')
  expect(readCases()[0]?.children).toMatchObject([
    { name: 'error', attributes: { message: 'No test matches' } },
  ])
  const denied = await run({ junit: 'package.json' })
  expect(denied.data).toMatchObject({ errorCode: 'INVALID_PARAMETERS', details: { field: 'junit' } })
  expect(readFileSync(join(opened.project.folder, 'package.json'), 'utf8')).toBe('{}')
  expect((await run({ junit: '/results.xml' })).data.errorCode).toBe('ACCESS_DENIED')
})

test('errors of a script that the server has transformed are at their lines in the source', async () => {
  const port = await reservePort()
  const map = { version: 3, sources: ['main.tsx'], names: [], mappings: ';;;AACA' }
  const script = `\n\n\nconsole.error('cannot load the cart')\n//# sourceMappingURL=data:application/json;base64,${btoa(JSON.stringify(map))}`
  const opened = await open({
    'playwright.config.ts': `export default { timeout: 0, ${webServer(port)} }`,
    'src/main.tsx': '',
    'application.cjs': `
require('node:http').createServer((request, response) => {
  const isScript = request.url === '/src/main.tsx'
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
  response.end(isScript ? ${JSON.stringify(script)} : '<script type="module" src="/src/main.tsx"></script>')
}).listen(Number(process.env.PORT), '127.0.0.1')`,
    'tests/shop.spec.ts': `${imports}
test('shows the cart', async ({ page }) => {
  await page.goto('/')
  await page.getByText('Cart').click({ timeout: 1000 })
})`,
  })
  const { data } = await opened.peer.call('run_test')
  expect(data.details.failures[0].console).toEqual(['cannot load the cart (src/main.tsx:2)'])
})

test('what a test enters into a password field is nowhere in its failure', async () => {
  const opened = await open({
    'tests/login.spec.ts': `${imports}
test('logs in', async ({ page }) => {
  await page.setContent('<label>Kennung <input></label><label>Geheim <input id="pwd" type="password"></label><p></p>')
  await page.locator('#pwd').fill('hunter2-x')
  await page.locator('p').evaluate((p) => (p.textContent = document.querySelector('#pwd').value))
  await page.getByLabel('Kennung').fill('Ada')
  await page.getByRole('button').click({ timeout: 500 })
})`,
  })
  const { data, result } = await opened.peer.call('run_test')
  expect(data.errorCode).toBe('TEST_FAILED')
  const [failure] = data.details.failures
  expect(failure.page.snapshot).toContain('Geheim')
  expect(failure.page.snapshot).toContain('Ada')
  expect(failure.codeFrame).toContain("fill('Ada')")
  expect(JSON.stringify(result)).not.toContain('hunter2')
})

test('a web server, a file or a configuration that fails is named with its lines, and so is a missing match', async () => {
  const opened = await open({
    'tests/green.spec.ts': green,
    'server/playwright.config.ts': `export default { webServer: { command: 'node fail.cjs', port: ${await reservePort()} } }`,
    'server/fail.cjs': `console.error('Error: no DATABASE_URL'); process.exit(3)`,
    'server/a.spec.ts': green,
    'broken/playwright.config.ts': `export default {}`,
    'broken/a.spec.ts': `${imports}const = 1`,
    'thrown/playwright.config.ts': `throw new Error('no secret')`,
    'thrown/a.spec.ts': green,
  })
  const run = async (input: Record<string, unknown>) => (await opened.peer.call('run_test', input)).data
  expect((await run({ path: 'server' })).details).toMatchObject({
    reason: 'web_server',
    server: ['Error: no DATABASE_URL'],
  })
  const broken = await run({ path: 'broken' })
  expect(broken.details).toMatchObject({ reason: 'loading' })
  expect(broken.message).toContain('broken/a.spec.ts:2: SyntaxError')
  expect(broken.details.codeFrame ?? broken.details.errors[0]).toMatch(/2> const = 1|> 2 \| const = 1/)
  const thrown = await run({ path: 'thrown' })
  expect(thrown.details).toMatchObject({ reason: 'configuration' })
  expect(thrown.message).toContain('Error: no secret')
  expect((await run({ path: 'tests/green.spec.ts', grep: 'nothing' })).details).toMatchObject({
    reason: 'no_tests',
    available: expect.arrayContaining(['tests/green.spec.ts:7 adds']),
  })
  expect(await run({})).toMatchObject({ details: { reason: 'configuration' } })
})

test('projects without a browser are left out, and a missing channel runs with another browser', async () => {
  const opened = await open({
    'playwright.config.mjs': `import { devices } from '@playwright/test'
export default { timeout: 0, projects: [
  { name: 'prepare', testMatch: /prepare/ },
  { name: 'wide', dependencies: ['prepare'], use: { ...devices['Desktop Chrome'], channel: 'chrome-beta', headless: false } },
  { name: 'phone', use: devices['iPhone 13'] },
] }`,
    'prepare.ts': `${imports}test('prepares', async () => {})`,
    'a.spec.ts': `${imports}
test.use({ launchOptions: { slowMo: 1, chromiumSandbox: true } })
test('is Chromium', async ({ browserName, page }) => {
  await page.goto('about:blank')
  expect(browserName).toBe('chromium')
})
test('is flaky', async ({}, { retry }) => expect(retry).toBe(1))
test.describe.configure({ retries: 1 })`,
  })
  const { failed, data } = await opened.peer.call('run_test')
  expect({ failed, ...data }).toMatchObject({ failed: false, passed: 2, flaky: 1, flakyTests: ['is flaky'] })
  const notes = data.notes.join('\n')
  expect(notes).toContain(`Project phone was left out (tests: 2): Playwright's webkit is not installed.`)
  expect(notes).toContain(`Chromium distribution 'chrome-beta' is not found: ran with /`)
})

test('a run that takes too long ends, with the state of the test that was running', async () => {
  const opened = await open({
    'a.spec.ts': `${imports}
test('is quick', async () => {})
test('hangs', async ({ page }) => {
  await page.setContent('<title>Stuck</title><h1>Loading</h1>')
  await page.getByText('Ready').click({ timeout: 0 })
})`,
    'playwright.config.ts': `export default { workers: 1, timeout: 0 }`,
  })
  const run = async (timeout: number) => (await opened.peer.call('run_test', { timeout })).data
  // On a busy machine the first limit may come before the test hangs.
  const first = await run(12_000)
  const data = first.details.failures?.[0]?.page?.title === 'Stuck' ? first : await run(60_000)
  expect(data).toMatchObject({ errorCode: 'TEST_RUN_FAILED', details: { reason: 'timeout', passed: 1 } })
  expect(data.message).toContain('running: hangs')
  expect(data.details.failures[0]).toMatchObject({ test: 'a.spec.ts:4 hangs', page: { title: 'Stuck' } })
})

const endless = `${imports}
test('begins', async () => {})
test('hangs', async ({ page }) => {
  await page.setContent('<h1>Loading</h1>')
  await page.getByText('Ready').click({ timeout: 0 })
})`

test('a cancelled run leaves no process, and a closed server neither', async () => {
  const port = await reservePort()
  const opened = await open({
    'a.spec.ts': endless,
    'playwright.config.ts': `export default { workers: 1, timeout: 0, ${webServer(port)} }`,
  })
  const ownProcesses = opened.peer.trace.processes().length
  const start = async () => {
    const cancellation = new AbortController()
    let hasBegun = false
    const call = opened.peer.client
      .callTool({ name: 'run_test', arguments: {} }, undefined, {
        signal: cancellation.signal,
        timeout: 120_000,
        onprogress: ({ message }) => (hasBegun ||= String(message).startsWith('1/2')),
      })
      .catch(() => {})
    expect(await until(() => hasBegun && opened.peer.trace.browsers().length > 0)).toBe(true)
    return { cancellation, call }
  }
  const { cancellation, call } = await start()
  cancellation.abort()
  await call
  expect(await until(() => opened.peer.trace.processes().length <= ownProcesses)).toBe(true)
  // The end of the connection, after which nothing may be left, comes with the next run under way.
  await start()
})

test('what is missing is named: Playwright Test, Node, a path', async () => {
  const opened = await open({ 'a.spec.ts': green }, { hasPackages: false, env: { PATH: '/nowhere' } })
  const run = async (input: Record<string, unknown> = {}) => (await opened.peer.call('run_test', input)).data
  const missing = await run()
  expect(missing.details).toMatchObject({ reason: 'playwright_missing' })
  expect(missing.message).toContain(`${opened.project.folder}/node_modules`)
  expect(missing.message).toContain('npm install -D @playwright/test')
  expect(await run({ path: '/etc/hosts' })).toMatchObject({ errorCode: 'ACCESS_DENIED' })
  expect(await run({ path: 'b.spec.ts' })).toMatchObject({ errorCode: 'INVALID_PARAMETERS' })
  opened.project.write({ 'node_modules/@playwright/test/cli.js': '' })
  expect((await run()).details).toMatchObject({ reason: 'runtime_missing' })
})

test('over HTTP tests do not run', async () => {
  const server = await serveOverHttp()
  const client = await connectOverHttp(server.url)
  expect((await client.call('run_test')).data).toMatchObject({
    errorCode: 'COMMAND_NOT_ALLOWED',
    details: { command: 'playwright test', allowed: [] },
  })
  await client.close()
  await server.close()
})

test('where commands are restricted tests run only if they are listed', async () => {
  const opened = await open({ 'a.spec.ts': green }, { args: ['--server-command', '/usr/bin/node'] })
  expect((await opened.peer.call('run_test')).data).toMatchObject({
    errorCode: 'COMMAND_NOT_ALLOWED',
    details: { command: 'playwright test', allowed: ['/usr/bin/node'] },
  })
  await opened.peer.close()
  peer = await connect({
    cwd: opened.project.folder,
    args: ['--headless', '--server-command', '/usr/bin/node:playwright test'],
  })
  expect((await peer.call('run_test')).data).toMatchObject({ passed: 2 })
})
