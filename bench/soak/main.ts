// `bun run soak [--minutes 60] [--visitors 4] [--every 30]`: concurrent sessions that run random steps, and a fault every so many seconds.
// A session that no fault affects must not fail. The table goes to stdout, the plot to dist/soak.svg, the samples to dist/soak.json.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../../test/support/client.ts'
import { serveSite } from '../../test/support/site.ts'
import { faults, type World } from './faults.ts'
import { type Outcome, type Sample, sampleOf, soakPlot, soakTable } from './report.ts'
import { app, closeTestSession, markerOf, openTestSession, steps } from './test-session.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    visitors: { type: 'string', default: '4' },
    every: { type: 'string', default: '30' },
  },
})
const minutes = Number(values.minutes)
if (!(minutes > 0 && Number(values.visitors) > 0 && Number(values.every) > 0))
  throw new Error('soak: --minutes, --visitors and --every are numbers above 0')

const FAULT_INTERVAL_MS = Number(values.every) * 1000
const site = await serveSite({ '/never': () => {} }, app)
// The folder for files of the test sessions.
const folder = mkdtempSync(join(tmpdir(), 'fl-soak-'))
const peer = await connect({ args: ['--headless', '--max-sessions', '40'], cwd: folder })
const startedAt = performance.now()
const now = () => performance.now() - startedAt
const end = minutes * 60_000
const outcomes: Outcome[] = []
const samples: Sample[] = []
const faultMarks: { at: number; name: string; took: number }[] = []
const openSessions = new Set<{ touched: boolean }>()
let isFaultActive = false
let count = 0
const nextMarker = () => markerOf((count += 1))
const world: World = { peer, site: site.url, nextMarker }

const pause = (minimumMs: number, maximumMs: number) =>
  Bun.sleep(minimumMs + Math.random() * (maximumMs - minimumMs))

/** Runs one session from its creation to its end, and records its calls and whether a fault affected it. */
async function runSession(): Promise<void> {
  const mark = { touched: isFaultActive }
  openSessions.add(mark)
  const call: typeof peer.call = async (tool, input) => {
    const at = now()
    const answer = await peer.call(tool, input)
    outcomes.push({ at, ms: now() - at, tool, touched: mark.touched, fault: isFaultActive })
    return answer
  }
  const marker = nextMarker()
  try {
    const testSession = await openTestSession(call, marker, site.url)
    for (let stepsLeft = 4 + Math.floor(Math.random() * 12); stepsLeft > 0; stepsLeft -= 1) {
      const names = Object.keys(steps)
      const name = names[Math.floor(Math.random() * names.length)] ?? 'cookie'
      await steps[name]?.(testSession)
      await pause(20, 200)
    }
    await closeTestSession(testSession)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    outcomes.push({
      at: now(),
      ms: 0,
      tool: marker,
      touched: mark.touched,
      fault: isFaultActive,
      error: text,
    })
    if (!mark.touched) console.error(`soak: ${Math.round(now() / 1000)} s: ${text}`)
  }
  openSessions.delete(mark)
}

async function runSessions(): Promise<void> {
  while (now() < end) {
    await runSession()
    await pause(50, 300)
  }
}

async function injectFaults(): Promise<void> {
  for (let round = 0; now() + FAULT_INTERVAL_MS < end; round += 1) {
    await Bun.sleep(FAULT_INTERVAL_MS - (now() % FAULT_INTERVAL_MS))
    const fault = faults[round % faults.length]
    if (!fault) continue
    const at = now()
    if (fault.touches === 'all') {
      isFaultActive = true
      for (const mark of openSessions) mark.touched = true
    }
    try {
      await fault.cause(world)
    } catch (error) {
      console.error(`soak: ${fault.name}: ${error}`)
      outcomes.push({ at, ms: 0, tool: fault.name, touched: false, fault: true, error: String(error) })
    }
    // Sessions that were opened during the fault are affected too.
    if (fault.touches === 'all') for (const mark of openSessions) mark.touched = true
    isFaultActive = false
    faultMarks.push({ at, name: fault.name, took: now() - at })
  }
}

const sampleTimer = setInterval(() => {
  const sample = sampleOf(peer, now())
  samples.push(sample)
  if (samples.length % 12 === 0)
    console.error(
      `soak: ${Math.round(now() / 1000)} of ${end / 1000} s, ${outcomes.length} calls, ${sample.processes} processes, ${sample.resident.toFixed(0)} MB`,
    )
}, 5000)
await Promise.all([injectFaults(), ...Array.from({ length: Number(values.visitors) }, runSessions)])
clearInterval(sampleTimer)
await peer.close()
site.close()
rmSync(folder, { recursive: true })

const dist = resolve(import.meta.dir, '../../dist')
writeFileSync(`${dist}/soak.json`, JSON.stringify({ minutes, marks: faultMarks, samples, outcomes }))
writeFileSync(
  `${dist}/soak.svg`,
  soakPlot(
    samples,
    outcomes,
    faultMarks.map(({ at }) => at),
  ),
)
console.log(soakTable(minutes, count, samples, outcomes, faultMarks))
const unexpectedFailures = outcomes.filter(({ error, touched }) => error !== undefined && !touched)
process.exitCode = unexpectedFailures.length > 0 ? 1 : 0
