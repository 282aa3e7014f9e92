// `bun bench/soak/cycles.ts [count]`: create, navigate, click and close, repeatedly, and what remains: heap and memory of our process, open
// files, processes.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { connectOverHttp, serveOverHttp } from '../../test/support/http.ts'
import { until } from '../../test/support/leftovers.ts'
import { page, serveSite } from '../../test/support/site.ts'
import { median, quantile } from '../measure.ts'
import type { Heap } from './heap.ts'

const count = Number(process.argv[2] ?? 10_000)
if (!(count >= 100)) throw new Error('cycles: the count is a number from 100 on')
const site = await serveSite({ '/': page('<button onclick="this.textContent = 1">Go</button>') })
const limits = ['--private-hosts', 'allow', '--rate-limit', '1000000', '--session-rate-limit', '1000000']
const folder = mkdtempSync(join(tmpdir(), 'fl-heap-'))
const heapFile = join(folder, 'heap.json')
const server = await serveOverHttp(limits, {
  BUN_OPTIONS: `--preload=${resolve(import.meta.dir, 'heap.ts')}`,
  FOOTLIGHT_HEAP: heapFile,
})
const peer = await connectOverHttp(server.url)
const times: number[] = []
const errors: string[] = []

async function cycle(): Promise<void> {
  const since = performance.now()
  try {
    const sessionId = await peer.session()
    const steps: [string, Record<string, unknown>][] = [
      ['navigate', { url: site.url }],
      ['click', { selector: 'button' }],
      ['close_session', {}],
    ]
    for (const [tool, input] of steps) {
      const { failed, data } = await peer.call(tool, { sessionId, ...input })
      if (failed) errors.push(`${tool}: ${data.errorCode}: ${data.message}`)
    }
  } catch (error) {
    errors.push(String(error))
  }
  times.push(performance.now() - since)
}

/** The heap after a garbage collection, in bytes: the smallest of several samples, because a page may just be opening. */
async function measureHeap(): Promise<Heap> {
  const heaps: Heap[] = []
  for (let sample = 0; sample < 3; sample += 1) {
    rmSync(heapFile, { force: true })
    process.kill(server.pid, 'SIGUSR2')
    if (!(await until(() => existsSync(heapFile), 10_000)))
      throw new Error('cycles: no heap figures were written')
    heaps.push(JSON.parse(readFileSync(heapFile, 'utf8')))
    await cycle()
  }
  const liveSize = ({ size, code }: Heap) => size - code
  return heaps.reduce((smallest, heap) => (liveSize(heap) < liveSize(smallest) ? heap : smallest))
}

async function measureState() {
  const { size, code, objects } = await measureHeap()
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return {
    heap: size / 2 ** 20,
    'of it compiled code': code / 2 ** 20,
    'and held': (size - code) / 2 ** 20,
    objects,
    resident: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
    processes: server.trace.processes().length,
  }
}

async function runCycles(times: number): Promise<void> {
  for (let completed = 0; completed < times; completed += 4) {
    await Promise.all([cycle(), cycle(), cycle(), cycle()])
    if (completed % 500 === 0) console.error(`cycles: ${completed} of ${times}, ${errors.length} errors`)
  }
}

const TENTHS = 10
await runCycles(Math.min(1000, count / TENTHS))
const states = [await measureState()]
const since = performance.now()
for (let tenth = 0; tenth < TENTHS; tenth += 1) {
  await runCycles(count / TENTHS)
  states.push(await measureState())
  console.error(`cycles: ${JSON.stringify(states.at(-1))}`)
}
const seconds = (performance.now() - since) / 1000
await peer.close()
await server.close()
site.close()
rmSync(folder, { recursive: true })
const digits = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(2))
const rows = (Object.keys(states[0] ?? {}) as (keyof Awaited<ReturnType<typeof measureState>>)[]).map(
  (name) => `| ${name} | ${states.map((state) => digits(state[name])).join(' | ')} |`,
)
console.log(
  [
    `${count} cycles in ${seconds.toFixed(0)} s, ${errors.length} errors; a cycle took ${median(times).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`,
    '',
    `| MB, counts | before | ${Array.from({ length: TENTHS }, (_, n) => `after ${n + 1} of 10`).join(' | ')} |`,
    `|${'---|'.repeat(TENTHS + 2)}`,
    ...rows,
    ...[...new Set(errors)].slice(0, 5),
  ].join('\n'),
)
process.exitCode = errors.length > 0 ? 1 : 0
