// `bun bench/freshness-cost.ts [RUNS]`: what the look at the freshness of a page costs a call when all is fresh. Two sessions with a dev
// server each show the same page of 50 modules, that of the first one's server: only there is anything to look at. Their calls take turns;
// the cost is the median of the differences of pairs. The time of a call says little on a machine that is busy with other things, the CPU
// time of Footlight's threads (Linux only) still does: the cost is low if the range of its median is below 1 ms. No answer may speak of
// freshness.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connect } from '../test/support/client.ts'

/** Milliseconds from the request to the answer, and those that the threads of Footlight have run meanwhile. */
interface Cost {
  readonly time: number
  readonly cpu: number
}
/** The same call in the session whose server has the page and in the other one. */
interface Pair {
  readonly owner: Cost
  readonly guest: Cost
}

const MODULE_COUNT = 50
const WARM_UP = 10
const [runs = '200'] = process.argv.slice(2)

const server = `import { createServer } from 'node:http'
import { readFileSync, watch } from 'node:fs'
watch('.', () => {})
createServer((request, response) => {
  const isModule = request.url.endsWith('.js')
  response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html')
  try {
    response.end(readFileSync(isModule ? '.' + request.url : 'index.html'))
  } catch {
    response.writeHead(404).end()
  }
}).listen(process.env.PORT)
`

const folder = mkdtempSync(join(tmpdir(), 'fl-freshness-cost-'))
mkdirSync(join(folder, 'src'))
writeFileSync(join(folder, 'server.mjs'), server)
const names = Array.from({ length: MODULE_COUNT }, (_, index) => `src/m${index}.js`)
for (const name of names) writeFileSync(join(folder, name), 'export const value = 1\n')
const scripts = names.map((name) => `<script type="module" src="/${name}"></script>`).join('\n')
writeFileSync(join(folder, 'index.html'), `<!doctype html><title>Fresh</title>${scripts}`)

const peer = await connect({ cwd: folder })
const owner = (await peer.call('create_session', { command: 'node server.mjs', cwd: folder })).data
const guest = (await peer.call('create_session', { command: 'node server.mjs', cwd: folder })).data
const url: string = owner.url
const calls = {
  navigate: { url },
  history: { direction: 'reload' },
  get_session_status: {},
} as const

type Tool = keyof typeof calls

function readCpuMs(): number {
  const taskFolder = `/proc/${peer.pid}/task`
  const nanoseconds = readdirSync(taskFolder).map((task) =>
    Number(readFileSync(join(taskFolder, task, 'schedstat'), 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6
}

async function measureCall(tool: Tool, sessionId: string): Promise<Cost> {
  const start = performance.now()
  const startCpu = readCpuMs()
  const { failed, result } = await peer.call(tool, { sessionId, ...calls[tool] })
  const cost = { time: performance.now() - start, cpu: readCpuMs() - startCpu }
  const text = JSON.stringify(result)
  if (failed || /tale (page|server)/.test(text)) throw new Error(text)
  return cost
}

// Both calls of a pair meet nearly the same load of the machine, and each is the first one in half of the pairs.
async function measurePair(tool: Tool, run: number): Promise<Pair> {
  const isOwnerFirst = run % 2 === 0
  const first = await measureCall(tool, isOwnerFirst ? owner.sessionId : guest.sessionId)
  const second = await measureCall(tool, isOwnerFirst ? guest.sessionId : owner.sessionId)
  return isOwnerFirst ? { owner: first, guest: second } : { owner: second, guest: first }
}

const tools = Object.keys(calls) as Tool[]
const pairs = new Map<Tool, Pair[]>(tools.map((tool) => [tool, []]))
for (let run = 0; run < Number(runs) + WARM_UP; run += 1)
  for (const tool of tools) {
    const pair = await measurePair(tool, run)
    if (run >= WARM_UP) pairs.get(tool)?.push(pair)
  }

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b)
const medianOf = (values: readonly number[]): number =>
  sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN
// The order statistics around the median between which the true one lies in 95 of 100 cases, whatever the distribution is.
function medianRangeOf(values: readonly number[]): readonly [number, number] {
  const reach = 0.98 * Math.sqrt(values.length)
  const at = (index: number) =>
    sorted(values)[Math.min(values.length - 1, Math.max(0, Math.round(index)))] ?? Number.NaN
  return [at(values.length / 2 - reach), at(values.length / 2 + reach)]
}

const inMs = (value: number): string => `${value.toFixed(2)} ms`
console.log(
  '| call | measure | without the look | with it | difference in a pair | in 95 of 100 cases between |',
)
console.log('| --- | --- | --- | --- | --- | --- |')
for (const [tool, measured] of pairs)
  for (const measure of ['time', 'cpu'] as const) {
    const differences = measured.map((pair) => pair.owner[measure] - pair.guest[measure])
    const [low, high] = medianRangeOf(differences)
    const medians = [
      medianOf(measured.map((pair) => pair.guest[measure])),
      medianOf(measured.map((pair) => pair.owner[measure])),
      medianOf(differences),
    ]
    console.log(`| ${[tool, measure, ...medians.map(inMs), `${inMs(low)} and ${inMs(high)}`].join(' | ')} |`)
  }
await peer.close()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
