// What a saved test needs to be green where it is run: its configuration, its address, its place and its variables.

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { callOrThrow, closeSessions, connect, type Peer } from '../../support/client.ts'
import { until } from '../../support/leftovers.ts'
import { reservePort } from '../../support/reserve-port.ts'
import { createTestProject, type TestProject } from '../../support/test-project.ts'

const node = process.env['FOOTLIGHT_TEST_NODE'] ?? 'node'

let project: TestProject
let peer: Peer
beforeAll(async () => {
  project = createTestProject({})
  peer = await connect({ cwd: project.folder, env: { CI: 'true' } })
})
afterEach(async () => {
  await closeSessions(peer)
  for (const name of readdirSync(project.folder).filter((name) => name !== 'node_modules'))
    rmSync(join(project.folder, name), { recursive: true })
  project.write({ 'package.json': '{}' })
})
afterAll(async () => {
  await peer.close()
  project.remove()
})

const counter = `<!doctype html><title>Counter</title><h1>Counter</h1><button id=add>Add</button><p id=out>Count is 0</p>
<script>let n = 0; document.getElementById('add').addEventListener('click', () => { n++; document.getElementById('out').textContent = 'Count is ' + n })</script>`

/** A server with these answers by path; others are 404. `listen` is what it listens on. */
const serverOf = (paths: string, listen = 'process.env.PORT') => `
const http = require('node:http'); const page = ${JSON.stringify(counter)}
const server = http.createServer((request, response) => {
  const answer = (${paths})[request.url.split('?')[0]]
  response.writeHead(answer ? 200 : 404, { 'content-type': 'text/html' }).end(answer)
}).listen(${listen}, () => console.log('http://localhost:' + server.address().port))`

const call = (tool: string, input: Record<string, unknown> = {}) => callOrThrow(peer, tool, input)
async function count(path: string, session: Record<string, unknown> = {}) {
  const opened = await call('create_session', { command: [node, 'server.cjs'], ...session })
  await call('navigate', { url: path })
  await call('click', { selector: '#add' })
  await call('wait_for', { text: 'Count is 1' })
  return opened
}
const save = (input: Record<string, unknown> = {}) =>
  peer.call('save_test', { path: 'e2e/flow.spec.ts', replay: 1, ...input })
const textIn = (path: string) => readFileSync(join(project.folder, path), 'utf8')
const hasWritten = () =>
  ['playwright.config.ts', 'e2e'].some((path) => existsSync(join(project.folder, path)))

test('the configuration waits for an address that answered in the recording: below the root, with its slash', async () => {
  project.write({ 'server.cjs': serverOf(`{ '/app/': page }`) })
  const { port } = await count('/app/')
  const { data } = await save()
  expect(data.run).toBe('1 passed')
  expect(textIn('playwright.config.ts')).toContain(`url: 'http://localhost:${port}/app/'`)
  expect(textIn('playwright.config.ts')).toContain(`baseURL: 'http://localhost:${port}'`)
})

test('readyUrl comes first, its timeout is written, and a server without any such address is known by its port', async () => {
  const port = await reservePort()
  const ready = `http://localhost:${port}/health`
  project.write({ 'server.cjs': serverOf(`{ '/': page, '/health': 'ok' }`) })
  await count('/', { port, readyUrl: ready, readyTimeout: 90_000 })
  expect((await save({ run: false })).failed).toBe(false)
  expect(textIn('playwright.config.ts')).toContain(`url: '${ready}'`)
  expect(textIn('playwright.config.ts')).toContain('timeout: 90_000')
  await call('close_session')
  // A page of its own for what it does not have, as hosts of static applications send it.
  rmSync(join(project.folder, 'playwright.config.ts'))
  project.write({ 'server.cjs': serverOf('{}').replace('.end(answer)', '.end(page)') })
  await count('/start', { port })
  expect((await save({ path: 'e2e/other.spec.ts' })).data.run).toBe('1 passed')
  expect(textIn('playwright.config.ts')).toContain(`port: ${port}`)
})

test('a server whose port is another one at each start is refused before anything is written', async () => {
  project.write({ 'server.cjs': serverOf(`{ '/': page }`, '0') })
  await count('/')
  const { failed, data } = await save()
  expect([failed, data.errorCode, hasWritten()]).toEqual([true, 'INVALID_PARAMETERS', false])
  expect(data.message).toMatch(
    /was at http:\/\/localhost:\d+\/ and is at http:\/\/localhost:\d+\/ after a restart/,
  )
})

test('so is one that has left its port for the next, because another program had it', async () => {
  const port = await reservePort()
  project.write({
    'server.cjs': serverOf(`{ '/': page }`, `${port + 1}`).replace(
      '\nconst http',
      `\nconsole.log('Port ${port} is in use, trying another one...')\nconst http`,
    ),
  })
  await count('/')
  const { failed, data } = await save()
  expect([failed, hasWritten()]).toEqual([true, false])
  expect(data.message).toContain(`left port ${port}`)
})

test('so is one that does this in silence, and none that keeps to its port', async () => {
  const port = await reservePort()
  const other = createServer().listen(port)
  await once(other, 'listening')
  const next = serverOf(`{ '/': page }`, `${port}`).replace(
    /$/,
    `\nlet last = ${port}; server.on('error', () => server.listen(last += 1))`,
  )
  project.write({ 'server.cjs': next })
  await count('/', { port: 'none' })
  const { failed, data } = await save()
  expect([failed, hasWritten()]).toEqual([true, false])
  expect(data.message).toContain(`left port ${port}`)
  await call('navigate', { url: '/' })
  await call('close_session')
  project.write({ 'server.cjs': serverOf(`{ '/': page }`, `${port + 1}`) })
  await count('/', { port: 'none' })
  expect((await save({ run: false })).failed).toBe(false)
  other.close()
})

/** A command whose server is in a process group of its own. */
const parent = (handler: string) =>
  `const child = require('node:child_process').spawn(process.execPath, ['server.cjs'], { detached: true, stdio: 'inherit' }); ${handler}`

test('a server that its command leaves running is refused before anything is written, and runs on', async () => {
  const port = await reservePort()
  project.write({
    'server.cjs': serverOf(`{ '/': page }`),
    'up.cjs': parent(`process.on('SIGTERM', () => {})`),
  })
  await count('/', { command: [node, 'up.cjs'], port })
  const { failed, data } = await save()
  expect([failed, data.errorCode, hasWritten()]).toEqual([true, 'INVALID_PARAMETERS', false])
  expect(data.message).toMatch(/one whose command leaves pid \d+ \(".*server\.cjs"/)
  await call('navigate', { url: '/' })
})

test('a command that ends its server when it is asked to is asked to in the configuration', async () => {
  const port = await reservePort()
  project.write({
    'server.cjs': serverOf(`{ '/': page }`),
    'up.cjs': parent(`process.on('SIGTERM', () => child.kill()); child.on('exit', () => process.exit())`),
  })
  await count('/', { command: [node, 'up.cjs'], port })
  expect((await save()).data.run).toBe('1 passed')
  expect(textIn('playwright.config.ts')).toContain(
    "gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },",
  )
})

test('what keeps the server of a framework in the foreground for the session is written, whatever the manifest names', async () => {
  project.write({
    'astro.cjs': `if (!process.env.ASTRO_DEV_BACKGROUND) process.exit(); ${serverOf(`{ '/': page }`)}`,
  })
  await count('/', { command: [node, 'astro.cjs'] })
  await save({ run: false })
  expect(textIn('playwright.config.ts')).toContain("ASTRO_DEV_BACKGROUND: '1'")
})

const template = `import { defineConfig } from '@playwright/test'
export default defineConfig({
  testDir: './e2e',
  use: {
    // baseURL: 'http://localhost:3000',
  },
  /* Run your local dev server before starting the tests */
  // webServer: {
  //   command: 'npm run start',
  //   url: 'http://localhost:3000',
  // },
})
`

test('a template with comments starts no server: the answer has what to add, and the test its address', async () => {
  project.write({ 'server.cjs': serverOf(`{ '/': page }`), 'playwright.config.ts': template })
  const { url } = await count('/')
  const { data } = await save()
  expect(data.run).toStartWith('not run with Playwright Test')
  expect(JSON.stringify(data.notes)).toContain('webServer: {')
  expect(textIn('e2e/flow.spec.ts')).toContain(`baseURL: '${new URL(url).origin}'`)
  expect(await call('run_test', { path: 'e2e/flow.spec.ts' })).toMatchObject({ passed: 1 })
})

test('a path outside of testDir is refused, and named where tests are run', async () => {
  project.write({ 'server.cjs': serverOf(`{ '/': page }`), 'playwright.config.ts': template })
  await count('/')
  const { failed, data } = await save({ path: 'tests/flow.spec.ts' })
  expect([failed, data.details.field]).toEqual([true, 'path'])
  expect(data.message).toContain('./e2e, the testDir of playwright.config.ts')
  project.write({
    'tests/own.spec.ts': '',
    'e2e/a.spec.ts': `require('@playwright/test').test('a', () => {})`,
  })
  const run = await peer.call('run_test', { path: 'tests/own.spec.ts' })
  expect(run.data.message).toContain('tests/own.spec.ts is outside of testDir, e2e')
})

test('a configuration that does not start the server is an error, with the reason first and what was written', async () => {
  const port = await reservePort()
  project.write({
    'server.cjs': serverOf(`{ '/': page }`),
    'playwright.config.ts': `export default { webServer: { command: 'node -e "process.exit(3)"', url: 'http://localhost:${port}' } }`,
  })
  await count('/', { port })
  const { failed, data } = await save()
  expect([failed, data.errorCode, data.details.reason]).toEqual([true, 'TEST_RUN_FAILED', 'web_server'])
  expect(data.message).toStartWith('The web server of the configuration failed to start')
  expect(JSON.stringify(data.details.notes)).toContain('e2e/flow.spec.ts')
})

test('a runner that takes the file too is named', async () => {
  project.write({
    'server.cjs': serverOf(`{ '/': page }`),
    'package.json': JSON.stringify({ scripts: { test: 'vitest run' }, devDependencies: { vitest: '*' } }),
  })
  await count('/')
  const { data } = await save({ run: false })
  expect(JSON.stringify(data.notes)).toContain(
    "Vitest takes e2e/flow.spec.ts too, and fails on it: add 'e2e/**'",
  )
})

test('types are right where those of Node are missing', async () => {
  project.write({
    'server.cjs': serverOf(`{ '/': page }`),
    'tsconfig.json': '{ "compilerOptions": { "types": [] } } // none',
  })
  await count('/')
  await save({ run: false })
  expect(textIn('playwright.config.ts')).toContain('declare const process: { env: { CI?: string } };')
})

const login = `// Needs in its environment: PASSWORD.
import { expect, test } from '@playwright/test'
test('logs in', () => expect(process.env.PASSWORD).toBe('hunter2-x'))
`

test('a variable that is missing is named before the run; --secrets has it, and what env has is in no answer', async () => {
  project.write({ 'e2e/login.spec.ts': login, 'secrets.env': 'PASSWORD=hunter2-x\nOTHER=unread-value-7' })
  const { failed, data } = await peer.call('run_test', { path: 'e2e/login.spec.ts' })
  expect([failed, data.details.reason]).toEqual([true, 'variables'])
  expect(data.message).toContain('PASSWORD is not set, and e2e/login.spec.ts needs it')
  const all = await peer.call('run_test')
  expect([all.data.errorCode, JSON.stringify(all.data.details.notes)]).toEqual([
    'TEST_FAILED',
    expect.stringContaining('PASSWORD is not set'),
  ])
  const wrong = await peer.call('run_test', { env: { PASSWORD: 'wrong-horse-9' } })
  expect(wrong.data.errorCode).toBe('TEST_FAILED')
  expect(JSON.stringify(wrong.data)).not.toContain('wrong-horse-9')
  const own = await connect({ cwd: project.folder, args: ['--secrets', 'secrets.env'] })
  expect(await callOrThrow(own, 'run_test', { path: 'e2e/login.spec.ts' })).toMatchObject({ passed: 1 })
  await own.close()
})

test('the server of another project at the same port is not tested: its process and its folder are named', async () => {
  const port = await reservePort()
  project.write({ 'server.cjs': serverOf(`{ '/': page }`, `${port}`) })
  await count('/')
  expect((await save({ run: false })).failed).toBe(false)
  await call('close_session')
  // Where CI is set, Playwright itself refuses a server that runs already.
  const own = await connect({ cwd: project.folder })
  const other = createTestProject({ 'server.cjs': textIn('server.cjs') })
  mkdirSync(join(other.folder, '.git'))
  const server = spawn(node, ['server.cjs'], { cwd: other.folder, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(server.stdout, 'data')
  const { failed, data } = await own.call('run_test', { path: 'e2e/flow.spec.ts' })
  await own.close()
  server.kill()
  other.remove()
  expect([failed, data.details.reason]).toEqual([true, 'web_server'])
  expect(data.message).toContain(`pid ${server.pid}`)
  expect(data.message).toContain(other.folder)
  expect(await until(() => server.signalCode !== null)).toBe(true)
})

test('what a run has started ends with it, whatever its parents do', async () => {
  const port = await reservePort()
  const leave = `const { spawn } = require('node:child_process'); const { openSync } = require('node:fs'); const out = openSync('out.log', 'a')
    spawn(process.execPath, ['server.cjs'], { detached: true, stdio: ['ignore', out, out], env: { PATH: process.env.PATH, PORT: '${port}' } }).unref()
    setTimeout(() => {}, 1500)`
  writeFileSync(join(project.folder, 'up.cjs'), leave)
  project.write({
    'server.cjs': serverOf(`{ '/': page }`),
    'playwright.config.ts': `export default { use: { baseURL: 'http://localhost:${port}' }, webServer: [{ command: 'node up.cjs && sleep 60', url: 'http://localhost:${port}' }] }`,
    'e2e/a.spec.ts': `import { expect, test } from '@playwright/test'
test('counts', async ({ page }) => { await page.goto('/'); await page.locator('#add').click(); await expect(page.getByText('Count is 1')).toBeVisible(); await new Promise((resolve) => setTimeout(resolve, 2500)) })`,
  })
  expect(await call('run_test', { path: 'e2e' })).toMatchObject({ passed: 1 })
  await expect(fetch(`http://localhost:${port}`)).rejects.toThrow()
})

test('a run that would wait for a server that nobody ends is ended, and the server named', async () => {
  const port = await reservePort()
  project.write({
    'server.cjs': serverOf(`{ '/': page }`),
    'up.cjs': `require('node:child_process').spawn(process.execPath, ['server.cjs'], { detached: true, stdio: 'inherit' }); setInterval(() => {}, 1000)`,
    'playwright.config.ts': `export default { webServer: { command: 'node up.cjs', url: 'http://localhost:${port}', env: { PORT: '${port}' } } }`,
    'e2e/a.spec.ts': `import { test } from '@playwright/test'\ntest('a', () => {})`,
  })
  const { failed, data } = await peer.call('run_test')
  expect([failed, data.details.reason]).toEqual([true, 'web_server'])
  expect(data.message).toMatch(
    /^The tests have ended, but Playwright Test waits for pid \d+ \(".*server\.cjs"/,
  )
  await expect(fetch(`http://localhost:${port}`)).rejects.toThrow()
})
