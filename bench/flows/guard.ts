// `bun bench/flows/guard.ts [APP] [--edits N] [--seed N] [--minutes N]`: edits of an application while a session with a guard is open on it. What the next
// answers say is compared with a run of all its tests; calls are timed in a second session without a guard, by turns.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { callOrThrow } from '../../test/support/client.ts'
import { ownApps } from '../verify/apps/own-apps.ts'
import { writeSource } from '../write-source.ts'
import { RUN_TIMEOUT_MS, type TestedApp, withApp } from './apps.ts'
import { listMutants } from './mutants.ts'

const optionOf = (name: string, fallback: number): number =>
  process.argv.includes(name) ? Number(process.argv[process.argv.indexOf(name) + 1]) : fallback
const [wanted = 'plain page'] = process.argv.slice(2).filter((word) => !/^(--|\d)/.test(word))
const end = Date.now() + optionOf('--minutes', Infinity) * 60_000

/** Longer than a dev server needs to see an edit. */
const EDIT_PAUSE_MS = 700
const WAIT_LIMIT_MS = 120_000
const POLL_MS = 200
const TIMED_CALLS = 4

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const said: string[] = []
const wrong: string[] = []
const silent: string[] = []
const verdictsMs: number[] = []
const times = { guarded: [] as number[], alone: [] as number[] }
let editCount = 0
let brokenCount = 0

async function timeCall({ peer }: TestedApp, session: 'guarded' | 'alone'): Promise<readonly string[]> {
  const start = performance.now()
  const { notes = [] } = await callOrThrow(peer, 'hover', { sessionId: session, selector: 'button >> nth=0' })
  times[session].push(performance.now() - start)
  return notes.filter((note: string) => note.includes(' fails'))
}

/** The tests that fail now, and those that an edit touches and that have no verdict, by the ledger. */
const readFlows = async ({
  peer,
  folder,
}: TestedApp): Promise<readonly { path: string; verdict: string }[]> =>
  (await callOrThrow(peer, 'verify', { sessionId: 'alone', cwd: folder })).flows

async function tryEdit(app: TestedApp, name: string): Promise<void> {
  const start = performance.now()
  const lines: string[] = []
  for (let count = 0; count < TIMED_CALLS; count += 1)
    for (const session of ['guarded', 'alone'] as const) lines.push(...(await timeCall(app, session)))
  while ((await readFlows(app)).some(({ verdict }) => verdict === 'UNVERIFIED')) {
    if (performance.now() - start > WAIT_LIMIT_MS) break
    await sleep(POLL_MS)
  }
  verdictsMs.push(performance.now() - start)
  const failing = (await readFlows(app)).filter(({ verdict }) => verdict === 'FAIL').map(({ path }) => path)
  await sleep(POLL_MS)
  for (let count = 0; count < 2; count += 1) lines.push(...(await timeCall(app, 'guarded')))
  const { data } = await app.peer.call('run_test', { timeout: RUN_TIMEOUT_MS })
  const { failures = [], alsoFailed = [] } = data.details ?? {}
  const texts: readonly string[] = [...failures.map(({ test }: { test: string }) => test), ...alsoFailed]
  const truth = new Set(texts.map((text) => text.replace(/:\d.*/s, '')))
  editCount += 1
  if (truth.size > 0) brokenCount += 1
  const named = lines.map((line) => line.replace(/:\d.*/s, ''))
  for (const file of truth) (named.includes(file) ? said : silent).push(`${name}: ${file}`)
  for (const [index, file] of named.entries())
    if (!truth.has(file) || named.indexOf(file) !== index) wrong.push(`${name}: ${lines[index]}`)
  if (failing.length !== truth.size)
    console.error(`bench: ${name}: ${failing.length} of ${truth.size} by the ledger`)
}

const app = ownApps.find(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
if (!app) throw new Error(`no application has ${wanted} in its name`)
await withApp(app, async (tested) => {
  const { peer, folder, sources } = tested
  for (const [session, guard] of [
    ['guarded', true],
    ['alone', false],
  ] as const) {
    await callOrThrow(peer, 'create_session', { name: session, command: app.dev, cwd: folder, guard })
    await callOrThrow(peer, 'navigate', { sessionId: session, url: '/' })
  }
  for (const { file, line, mutated } of listMutants(
    sources,
    optionOf('--edits', 20),
    optionOf('--seed', 1),
  )) {
    if (Date.now() > end) break
    const before = readFileSync(join(folder, file), 'utf8')
    writeSource(folder, file, mutated)
    await sleep(EDIT_PAUSE_MS)
    await tryEdit(tested, `${file}:${line}`)
    writeSource(folder, file, before)
    await sleep(EDIT_PAUSE_MS)
    await timeCall(tested, 'guarded')
    await sleep(EDIT_PAUSE_MS)
  }
})
console.log(
  `edits: ${editCount}, of which ${brokenCount} break a test; broken tests: ${said.length + silent.length}`,
)
console.log(
  `said by the second answer after the verdict: ${said.length}; not said: ${silent.length}; wrongly said: ${wrong.length}`,
)
console.log(
  `from the first call after an edit to the last verdict, median: ${Math.round(median(verdictsMs))} ms`,
)
const [guarded, alone] = [median(times.guarded), median(times.alone)]
console.log(
  `a call, median of ${times.alone.length}: ${guarded.toFixed(1)} ms with the guard, ${alone.toFixed(1)} ms without`,
)
for (const one of silent) console.error(`bench: not said: ${one}`)
for (const one of wrong) console.error(`bench: wrongly said: ${one}`)
