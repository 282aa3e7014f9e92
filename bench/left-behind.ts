// What is left running of servers that leave their tree: `bun bench/left-behind.ts [--runs 200] [--at-once 5] [--executable PATH]`. Each
// command starts a server in a session of its own, with a clean environment and its output in a file, and ends after 0.1 to 5 s. A third of
// the runs each ends with close_session, with SIGKILL of Footlight, and in run_test.

import { type ChildProcess, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    'at-once': { type: 'string', default: '5' },
    executable: { type: 'string', default: 'dist/footlight' },
  },
})
const executable = resolve(options.executable)
const sleep = (ms: number) => new Promise((settle) => setTimeout(settle, ms))

const SERVER = `require('node:http').createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Up</h1>')).listen(process.env.PORT)`
const UP = `const [, , delay, name] = process.argv; const out = require('node:fs').openSync('out.log', 'a')
require('node:child_process').spawn(process.execPath, ['server.cjs', name], { detached: true, stdio: ['ignore', out, out], env: { PATH: process.env.PATH, PORT: process.env.PORT } }).unref()
setTimeout(() => process.exit(0), Number(delay))`

interface Client {
  readonly child: ChildProcess
  call(tool: string, input: object): Promise<string>
}

async function connect(folder: string): Promise<Client> {
  const child = spawn(executable, ['--headless', '--max-sessions', '20'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<number, (text: string) => void>()
  let [rest, last] = ['', 0]
  child.stdout?.on('data', (chunk) => {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { id } = JSON.parse(line)
      waiting.get(id)?.(line)
      waiting.delete(id)
    }
  })
  const send = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = (method: string, params: object) =>
    new Promise<string>((settle) => {
      last += 1
      waiting.set(last, settle)
      send({ id: last, method, params })
    })
  const clientInfo = { name: 'bench', version: '1' }
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  return { child, call: (name, input) => request('tools/call', { name, arguments: input }) }
}

function createProject(port: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'left-behind-'))
  symlinkSync(resolve(import.meta.dir, '../node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'e2e'))
  const files = {
    'package.json': '{}',
    'server.cjs': SERVER,
    'up.cjs': UP,
    'e2e/up.spec.ts': `import { expect, test } from '@playwright/test'
test('is up', async ({ request }) => { expect((await request.get('/')).status()).toBe(200); await new Promise((settle) => setTimeout(settle, Number(process.env.WAIT))) })`,
    'playwright.config.ts': `export default { use: { baseURL: 'http://localhost:${port}' }, webServer: { command: process.env.COMMAND, url: 'http://localhost:${port}', env: { PORT: '${port}' }, reuseExistingServer: false } }`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const isRunning = (name: string): boolean =>
  readdirSync('/proc').some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`server.cjs\0${name}\0`)
    } catch {
      return false
    }
  })

const WAYS = ['close', 'kill', 'run_test'] as const
const tally = Object.fromEntries(WAYS.map((way) => [way, { runs: 0, up: 0, left: 0 }]))

/** Counts an answer that has the server up; another one is shown. */
function note(counts: { up: number }, answer: string, expected: string): void {
  if (answer.includes(expected)) counts.up += 1
  else console.log(answer.slice(0, 400))
}

async function runOnce(index: number): Promise<void> {
  const way = WAYS[index % WAYS.length] ?? 'close'
  const counts = tally[way] ?? { runs: 0, up: 0, left: 0 }
  const delay = Math.round(100 + Math.random() * 4900)
  const name = `left-${process.pid}-${index}`
  const port = 33_000 + index
  const folder = createProject(port)
  const { child, call } = await connect(folder)
  const command = `node up.cjs ${delay} ${name}`
  const wait = Math.random() * 6000
  if (way === 'run_test') {
    const env = { COMMAND: `${command}; sleep 60`, WAIT: String(Math.round(wait)) }
    note(counts, await call('run_test', { env }), '1 passed')
  } else {
    note(counts, await call('create_session', { command, port }), `:${port}`)
    await sleep(wait)
    if (way === 'close') await call('close_session', {})
  }
  if (way === 'kill') child.kill('SIGKILL')
  else child.stdin?.end()
  for (let tries = 0; tries < 100 && isRunning(name); tries += 1) await sleep(100)
  counts.runs += 1
  counts.left += Number(isRunning(name))
  if (way !== 'kill')
    await new Promise((settle) => (child.exitCode === null ? child.once('exit', settle) : settle(0)))
  rmSync(folder, { recursive: true, force: true })
}

let next = 0
const work = async () => {
  while (next < Number(options.runs)) {
    await runOnce(next++)
    if (next % 10 === 0) console.log(JSON.stringify(tally))
  }
}
await Promise.all(Array.from({ length: Number(options['at-once']) }, work))
console.log(JSON.stringify(tally))
