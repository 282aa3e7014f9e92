// run_test with the real Playwright Test of a small project, whose own browsers are not installed here.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type Answer, connect, type Peer } from '../../support/client.ts'
import { connectOverHttp, serveOverHttp } from '../../support/http.ts'
import { until } from '../../support/leftovers.ts'
import { reservePort } from '../../support/reserve-port.ts'
import { createTestProject, type TestProject, webServer } from '../../support/test-project.ts'

const imports = `import { test, expect } from '@playwright/test'\n`
const green = `${imports}
test('greets', async ({ page }) => {
  await page.setContent('<h1>Hi</h1>')
  await expect(page.locator('h1')).toHaveText('Hi')
})
test('adds', async () => expect(1 + 1).toBe(2))
test.skip('later', async () => {})
`
const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

/** The application of the shop: its front page fails, and the script of its cart was transformed from a source. */
const map = { version: 3, sources: ['main.tsx'], names: [], mappings: ';;;AACA' }
const script = `\n\n\nconsole.error('cannot load the cart')\n//# sourceMappingURL=data:application/json;base64,${btoa(JSON.stringify(map))}`
const cart = `
require('node:http').createServer((request, response) => {
  const isScript = request.url === '/src/main.tsx'
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
  response.end(isScript ? ${JSON.stringify(script)} : '<script type="module" src="/src/main.tsx"></script>')
}).listen(Number(process.env.CART_PORT), '127.0.0.1')
`
const shop = (cartPort: number) => `${imports}
test.describe('shop', () => {
  test('wrong text', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading')).toHaveText('Products')
  })
  test('missing button', async ({ page }) => {
    const isRejected = page.waitForEvent('pageerror')
    await page.goto('/')
    await isRejected
    console.log('<b> token=${TOKEN}')
    await page.getByRole('button', { name: 'Remove' }).click({ timeout: 500 })
  })
})
test('logs in', async ({ page }) => {
  await page.setContent('<label>Kennung <input></label><label>Geheim <input id="pwd" type="password"></label><p></p>')
  await page.locator('#pwd').fill('hunter2-x')
  await page.locator('p').evaluate((p) => (p.textContent = document.querySelector('#pwd').value))
  await page.getByLabel('Kennung').fill('Ada')
  await page.getByRole('button').click({ timeout: 500 })
})
test('shows the cart', async ({ page }) => {
  await page.goto('http://127.0.0.1:${cartPort}/')
  await expect(page.locator('body'), '${TOKEN}').toHaveText('Cart')
})
test('adds', async () => expect(1 + 1).toBe(2))
test.skip('later', async () => {})
`

let peer: Peer
let project: TestProject
let port: number
beforeAll(async () => {
  port = await reservePort()
  const cartPort = await reservePort()
  const server = webServer(port).replace('env: {', `env: { CART_PORT: '${cartPort}',`)
  project = createTestProject({
    'green/playwright.config.ts': `export default { timeout: 0, testDir: './tests' }`,
    'green/tests/green.spec.ts': green,
    'green/tests/more (1)/other.spec.ts': green,
    'green/tests/more (1)+/other.spec.ts': green,
    'shop/playwright.config.ts': `export default { timeout: 0, workers: 1, expect: { timeout: 300 }, ${server} }`,
    'shop/src/main.tsx': '',
    'shop/tests/shop.spec.ts': shop(cartPort),
    'server/playwright.config.ts': `export default { webServer: { command: 'node fail.cjs', port: ${await reservePort()} } }`,
    'server/fail.cjs': `console.error('Error: no DATABASE_URL'); process.exit(3)`,
    'server/a.spec.ts': green,
    'broken/playwright.config.ts': `export default {}`,
    'broken/a.spec.ts': `${imports}const = 1`,
    'thrown/playwright.config.ts': `throw new Error('no secret')`,
    'thrown/a.spec.ts': green,
    'endless/a.spec.ts': endless,
    'endless/playwright.config.ts': `export default { workers: 1, timeout: 0 }`,
  })
  project.write({
    'shop/application.cjs': readFileSync(join(project.folder, 'application.cjs'), 'utf8') + cart,
  })
  peer = await connect({ cwd: project.folder })
})
afterAll(async () => {
  await peer.close()
  project.remove()
})

const run = (input: Record<string, unknown> = {}) => peer.call('run_test', input)
const textOf = ({ content: [first] }: CallToolResult): string => (first?.type === 'text' ? first.text : '')

test('a green run is one line, reports its progress and writes nothing into the project', async () => {
  const before = project.files()
  const messages: unknown[] = []
  const result = (await peer.client.callTool({ name: 'run_test', arguments: { path: 'green' } }, undefined, {
    timeout: 120_000,
    onprogress: ({ message }) => messages.push(message),
  })) as CallToolResult
  expect(textOf(result)).toMatch(/^6 passed, 3 skipped in [\d.]+ s$/)
  expect(result.structuredContent).toMatchObject({ passed: 6, flaky: 0, skipped: 3, notRun: 0 })
  expect(messages).toContain('0/9')
  expect(messages.filter((message) => /^\d\/9 (passed|skipped): /.test(String(message)))).toHaveLength(9)
  expect(project.files()).toEqual(before)
})

test('a line of a file, and a title in a folder, select tests', async () => {
  const countPassed = async (input: Record<string, unknown>) => (await run(input)).data.passed
  expect(await countPassed({ path: 'green/tests/green.spec.ts:7' })).toBe(1)
  expect(await countPassed({ path: 'green/tests/more (1)', grep: '^.*adds$' })).toBe(1)
})

describe('a run in which tests fail', () => {
  let answer: Answer
  let failures: any[]
  beforeAll(async () => {
    answer = await run({ path: 'shop' })
    failures = answer.data.details.failures
  })

  test('each failure has its error, source, page, console, requests and server lines', () => {
    expect(answer.failed).toBe(true)
    expect(answer.data).toMatchObject({ errorCode: 'TEST_FAILED', category: 'browser' })
    expect(answer.data.message).toMatch(
      /^4 failed.* in .*run it again with path "shop\/tests\/shop\.spec\.ts:4"\.$/,
    )
    const [wrongText, missing] = failures
    expect(wrongText).toMatchObject({
      test: 'shop/tests/shop.spec.ts:4 shop › wrong text',
      at: 'shop/tests/shop.spec.ts:6',
      page: { url: `http://127.0.0.1:${port}/`, title: 'Shop' },
    })
    expect(wrongText.error).toMatch(/Expected: "Products"\nReceived: "Items"/)
    expect(wrongText.codeFrame).toMatch(/\n6> .*toHaveText\('Products'\)\n/)
    expect(wrongText.page.snapshot).toContain('Items')
    expect(missing).toMatchObject({ test: 'shop/tests/shop.spec.ts:8 shop › missing button' })
    expect(missing.error).toContain(`waiting for getByRole('button', { name: 'Remove' })`)
    expect(missing.page.snapshot).toContain('button "Add"')
    const text = textOf(answer.result)
    expect(text).toContain('uncaught Error: cannot load items (/:')
    expect(text).toContain(`GET http://127.0.0.1:${port}/api/items 500 {"error":"no database"}`)
    expect(text).toContain('Error: the database is down')
    expect(text).toContain('items were requested')
    expect(text).not.toContain('\u001b')
    expect(text).not.toContain('ghp_0123456789')
    expect(readFileSync(missing.screenshot).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
    expect(existsSync(missing.trace)).toBe(true)
  })

  test('what a test enters into a password field is nowhere in its failure', () => {
    const [, , failure] = failures
    expect(failure.page.snapshot).toContain('Geheim')
    expect(failure.page.snapshot).toContain('Ada')
    expect(failure.codeFrame).toContain("fill('Ada')")
    expect(JSON.stringify(answer.result)).not.toContain('hunter2')
  })

  test('errors of a script that the server has transformed are at their lines in the source', () => {
    expect(failures[3].console).toEqual(['cannot load the cart (src/main.tsx:2)'])
  })

  test('a title that no test has names those that there are, and the next run removes the traces of the last one', async () => {
    const { data } = await run({ path: 'shop', grep: 'nothing' })
    expect(data).toMatchObject({
      errorCode: 'TEST_RUN_FAILED',
      details: {
        reason: 'no_tests',
        available: expect.arrayContaining([expect.stringMatching(/shop\.spec\.ts:\d+ adds/)]),
      },
    })
    expect(existsSync(failures[1].trace)).toBe(false)
  })
})

test('a web server, a file or a configuration that fails is named with its lines', async () => {
  const [server, broken, thrown, several] = await Promise.all(
    ['server', 'broken', 'thrown', '.'].map(async (path) => (await run({ path })).data),
  )
  expect(server.details).toMatchObject({ reason: 'web_server', server: ['Error: no DATABASE_URL'] })
  expect(broken.details).toMatchObject({ reason: 'loading' })
  expect(broken.message).toContain('broken/a.spec.ts:2: SyntaxError')
  expect(broken.details.codeFrame ?? broken.details.errors[0]).toMatch(/2> const = 1|> 2 \| const = 1/)
  expect(thrown.details).toMatchObject({ reason: 'configuration' })
  expect(thrown.message).toContain('Error: no secret')
  expect(several).toMatchObject({ details: { reason: 'configuration' } })
})

const endless = `${imports}
test('begins', async () => {})
test('hangs', async ({ page }) => {
  await page.setContent('<title>Stuck</title><h1>Loading</h1>')
  await page.getByText('Ready').click({ timeout: 0 })
})`

test('a run that takes too long ends, with the state of the test that was running', async () => {
  // On a busy machine a limit may come before the test hangs.
  const isStuck = ({ details }: Answer['data']) => details.failures?.[0]?.page?.title === 'Stuck'
  let data: Answer['data']
  for (const timeout of [5000, 20_000, 60_000]) {
    data = (await run({ path: 'endless', timeout })).data
    if (isStuck(data)) break
  }
  expect(data).toMatchObject({ errorCode: 'TEST_RUN_FAILED', details: { reason: 'timeout', passed: 1 } })
  expect(data.message).toContain('running: hangs')
  expect(data.details.failures[0]).toMatchObject({
    test: 'endless/a.spec.ts:4 hangs',
    page: { title: 'Stuck' },
  })
})

test('a cancelled run leaves no process, and a closed server neither', async () => {
  const own = await connect({ cwd: project.folder })
  const ownProcesses = own.trace.processes().length
  const start = async () => {
    const cancellation = new AbortController()
    let hasBegun = false
    const call = own.client
      .callTool({ name: 'run_test', arguments: { path: 'endless' } }, undefined, {
        signal: cancellation.signal,
        timeout: 120_000,
        onprogress: ({ message }) => (hasBegun ||= String(message).startsWith('1/2')),
      })
      .catch(() => {})
    expect(await until(() => hasBegun && own.trace.browsers().length > 0)).toBe(true)
    return { cancellation, call }
  }
  const { cancellation, call } = await start()
  cancellation.abort()
  await call
  expect(await until(() => own.trace.processes().length <= ownProcesses)).toBe(true)
  // The end of the connection, after which nothing may be left, comes with the next run under way.
  await start()
  await own.close()
})

test('what is missing is named: Playwright Test, Node, a path', async () => {
  const bare = createTestProject({ 'a.spec.ts': green }, { hasPackages: false })
  const own = await connect({ cwd: bare.folder, env: { PATH: '/nowhere' } })
  const fail = async (input: Record<string, unknown> = {}) => (await own.call('run_test', input)).data
  const missing = await fail()
  expect(missing.details).toMatchObject({ reason: 'playwright_missing' })
  expect(missing.message).toContain(`${bare.folder}/node_modules`)
  expect(missing.message).toContain('npm install -D @playwright/test')
  expect(await fail({ path: '/etc/hosts' })).toMatchObject({ errorCode: 'ACCESS_DENIED' })
  expect(await fail({ path: 'b.spec.ts' })).toMatchObject({ errorCode: 'INVALID_PARAMETERS' })
  bare.write({ 'node_modules/@playwright/test/cli.js': '' })
  expect((await fail()).details).toMatchObject({ reason: 'runtime_missing' })
  await own.close()
  bare.remove()
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

test('where commands are restricted tests run only if they are listed; projects without a browser are left out, and a missing channel runs with another browser', async () => {
  const listed = createTestProject({
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
  const runWith = async (commands: string) => {
    const own = await connect({ cwd: listed.folder, args: ['--headless', '--server-command', commands] })
    const answer = await own.call('run_test')
    await own.close()
    return answer
  }
  expect((await runWith('/usr/bin/node')).data).toMatchObject({
    errorCode: 'COMMAND_NOT_ALLOWED',
    details: { command: 'playwright test', allowed: ['/usr/bin/node'] },
  })
  const { failed, data } = await runWith('/usr/bin/node:playwright test')
  listed.remove()
  expect({ failed, ...data }).toMatchObject({ failed: false, passed: 2, flaky: 1, flakyTests: ['is flaky'] })
  const notes = data.notes.join('\n')
  expect(notes).toContain(`Project phone was left out (tests: 2): Playwright's webkit is not installed.`)
  expect(notes).toContain(`Chromium distribution 'chrome-beta' is not found: ran with /`)
})

test('the tests of a configuration are listed before its first run alone where all projects have a browser', async () => {
  const listed = createTestProject({
    'playwright.config.mjs': `import { appendFileSync } from 'node:fs'
if (!process.env.TEST_WORKER_INDEX) appendFileSync('loads.txt', process.argv.includes('--list') ? 'list ' : 'run ')
export default { projects: [{ name: 'fox', use: { browserName: 'firefox', channel: 'own' } }] }`,
    'a.spec.ts': `${imports}test('adds', () => expect(1 + 1).toBe(2))`,
  })
  const own = await connect({ cwd: listed.folder })
  for (let count = 0; count < 2; count += 1)
    expect((await own.call('run_test')).data).toMatchObject({ passed: 1 })
  await own.close()
  const loads = readFileSync(join(listed.folder, 'loads.txt'), 'utf8')
  listed.remove()
  expect(loads).toBe('list run run ')
})
