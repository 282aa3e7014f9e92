// A script that blocks the page is terminated; from the second time on the answer names its line. What waits for such a
// page frees it.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'

const server = `import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
createServer(({ url }, response) => {
  if (url === '/never') return console.log('asked for /never')
  response.setHeader('content-type', url === '/' ? 'text/html' : 'text/javascript')
  response.end(url === '/src/app.js' ? readFileSync('src/app.js') : '<button>Go</button><p>0</p><script src="/src/app.js"></script>')
}).listen(process.env.PORT)
`
const script = `function count(total) {
  // The loop that never ends.
  while (total >= 0) {
    total += 1
  }
}

document.querySelector('button').onclick = () => count(1)
document.querySelector('p').onclick = (event) => {
  debugger
  event.target.textContent = '1'
}
`

let peer: Peer
let folder = ''
let session: { sessionId: string; url: string }
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fl-test-hangs-'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'server.mjs'), server)
  writeFileSync(join(folder, 'src/app.js'), script)
  peer = await connect({ args: ['--headless'], cwd: folder, env: { FOOTLIGHT_ACTION_TIMEOUT: '3000' } })
  session = (await peer.call('create_session', { command: 'node server.mjs' })).data
}, 120_000)
afterAll(async () => {
  await peer.close()
  rmSync(folder, { recursive: true })
})
const call = (tool: string, input: Record<string, unknown> = {}) =>
  peer.call(tool, { sessionId: session.sessionId, ...input })

// Evidence has a second; what a busy machine does not gather in it has its reason there, and can be asked for.
const errorsOf = async ({ evidence }: { evidence: { console?: unknown; missing?: { console?: string } } }) =>
  evidence.missing?.console === undefined ? evidence.console : (await call('console_messages')).data

test('the second hang is named with its line, and the page goes on', async () => {
  await call('navigate', { url: session.url })
  const first = await call('click', { selector: 'button', timeout: 1500 })
  expect(first.data.errorCode).toBe('PAGE_HUNG')
  expect(JSON.stringify(first.data)).not.toContain('app.js:')
  for (let round = 0; round < 2; round += 1) {
    const { data } = await call('click', { selector: 'button', timeout: 1500 })
    expect(data).toMatchObject({ errorCode: 'PAGE_HUNG', details: { freed: true } })
    expect(JSON.stringify(await errorsOf(data))).toMatch(
      /terminated: a script that blocked the page(","stack":"| )at count \(src\/app\.js:[345]\)/,
    )
  }
  // A script without a URL has no line.
  const { data } = await call('evaluate', { script: 'for (;;);', timeout: 1500 })
  expect(data).toMatchObject({ errorCode: 'PAGE_HUNG', details: { freed: true } })
  // The debugger is enabled now; a page is not stopped by it.
  await call('click', { selector: 'p' })
  expect((await call('get_content', { selector: 'p' })).data.content).toBe('1')
  expect((await call('navigate', { url: session.url })).data.status).toBe(200)
}, 120_000)

// The script ends by itself, so that a break of the code does not leave a browser that computes for ever.
const hangingScript = 'setTimeout(() => { const end = Date.now() + 60_000; while (Date.now() < end); }); 1'
const hang = () => call('evaluate', { script: hangingScript })

test.each([
  ['snapshot', {}],
  ['screenshot', {}],
  ['wait_for', { text: 'never', timeout: 3000 }],
])(
  'whatever waits for a page that hangs frees it: %s',
  async (tool, input) => {
    await call('navigate', { url: session.url })
    await hang()
    const { data } = await call(tool, input)
    expect(data).toMatchObject({ errorCode: 'PAGE_HUNG', details: { freed: true } })
    expect((await call('get_content', { selector: 'p' })).data.content).toBe('0')
  },
  120_000,
)

test('a page that hangs can be left and reloaded', async () => {
  for (const leave of ['navigate', 'history']) {
    await call('navigate', { url: session.url })
    await hang()
    const { data } = await call(
      leave,
      leave === 'navigate' ? { url: `${session.url}/` } : { direction: 'reload' },
    )
    expect(data).toMatchObject({ success: true, status: 200 })
  }
}, 120_000)

test('a navigation within the document leaves a busy page its script', async () => {
  await call('navigate', { url: session.url })
  const busy = 'const end = Date.now() + 4000; while (Date.now() < end); document.title = "done"'
  await call('evaluate', { script: `setTimeout(() => { ${busy} }); 1` })
  expect((await call('navigate', { url: `${session.url}#part` })).data.success).toBe(true)
  expect((await call('evaluate', { script: 'document.title' })).data.result).toBe('done')
}, 120_000)

test('a page that navigates without end can be left', async () => {
  await call('navigate', { url: session.url })
  await call('evaluate', { script: 'location.href = "/never"; 1' })
  expect((await call('navigate', { url: session.url })).data).toMatchObject({ success: true, status: 200 })
  const { data } = await call('read_server_logs', { pattern: 'asked for /never' })
  expect(JSON.stringify(data).match(/asked for \/never/g)).toHaveLength(1)
}, 120_000)

test('a page that gets no processor time is waited for, and keeps its script', async () => {
  await call('navigate', { url: session.url })
  const busy =
    'const end = performance.now() + 1000; while (performance.now() < end); document.title = "done"'
  await call('evaluate', { script: `setTimeout(() => { ${busy} }); 1` })
  const renderers = peer.trace.processes().filter(({ command }) => command.includes('--type=renderer'))
  expect(renderers).not.toEqual([])
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => renderers.forEach(({ pid }) => process.kill(pid, name))
  signal('SIGSTOP')
  const { data } = await call('evaluate', { script: '1', timeout: 500 })
  signal('SIGCONT')
  expect(data).toMatchObject({ errorCode: 'TIMEOUT', details: { responding: false } })
  const title = async () => (await call('evaluate', { script: 'document.title' })).data.result
  expect(await until(async () => (await title()) === 'done')).toBe(true)
}, 120_000)

test('a browser whose processes are all stopped is not waited for, and goes on afterwards', async () => {
  await call('navigate', { url: session.url })
  const processes = peer.trace.processes().filter(({ command }) => /chrom/i.test(command))
  expect(processes.length).toBeGreaterThan(1)
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => processes.forEach(({ pid }) => process.kill(pid, name))
  signal('SIGSTOP')
  const startedAt = performance.now()
  const { data } = await call('evaluate', { script: '1', timeout: 1500 })
  const elapsed = performance.now() - startedAt
  signal('SIGCONT')
  expect(data).toMatchObject({ errorCode: 'TIMEOUT' })
  // The longest wait for a page that may only be slow.
  expect(elapsed).toBeLessThan(25_000)
  expect((await call('evaluate', { script: '2' })).data.result).toBe(2)
}, 120_000)
