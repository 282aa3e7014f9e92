// `bun run soak [--minutes 60] [--visitors 4] [--every 30]`: sessions that come, do random things and go, and a fault every so many
// seconds. Who was not touched by a fault must notice nothing. The table goes to stdout, the plot to dist/soak.svg, the samples to dist/soak.json.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../test/support/client.ts'
import { serveSite } from '../test/support/site.ts'
import { faults, type World } from './faults.ts'
import { sampleOf, soakPlot, soakTable, type Outcome, type Sample } from './report.ts'
import { app, arrive, leave, signOf, steps } from './visitor.ts'

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

const EVERY = Number(values.every) * 1000
const site = await serveSite({ '/never': () => {} }, app)
// Where the visitors' files go.
const folder = mkdtempSync(join(tmpdir(), 'fl-soak-'))
const peer = await connect({ args: ['--headless', '--max-sessions', '40'], cwd: folder })
const began = performance.now()
const now = () => performance.now() - began
const end = minutes * 60_000
const outcomes: Outcome[] = []
const samples: Sample[] = []
const marks: { at: number; name: string; took: number }[] = []
const present = new Set<{ touched: boolean }>()
let hitting = false
let count = 0
const nextSign = () => signOf((count += 1))
const world: World = { peer, site: site.url, nextSign }

const pause = (least: number, most: number) => Bun.sleep(least + Math.random() * (most - least))

/** One session from its creation to its end; what fails in it is noted with whether a fault touched it. */
async function visit(): Promise<void> {
  const mark = { touched: hitting }
  present.add(mark)
  const call: typeof peer.call = async (tool, input) => {
    const at = now()
    const answer = await peer.call(tool, input)
    outcomes.push({ at, ms: now() - at, tool, touched: mark.touched, fault: hitting })
    return answer
  }
  const sign = nextSign()
  try {
    const visitor = await arrive(call, sign, site.url)
    for (let left = 4 + Math.floor(Math.random() * 12); left > 0; left -= 1) {
      const names = Object.keys(steps)
      const name = names[Math.floor(Math.random() * names.length)] ?? 'cookie'
      await steps[name]?.(visitor)
      await pause(20, 200)
    }
    await leave(visitor)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    outcomes.push({ at: now(), ms: 0, tool: sign, touched: mark.touched, fault: hitting, error: text })
    if (!mark.touched) console.error(`soak: ${Math.round(now() / 1000)} s: ${text}`)
  }
  present.delete(mark)
}

async function crowd(): Promise<void> {
  while (now() < end) {
    await visit()
    await pause(50, 300)
  }
}

async function misfortune(): Promise<void> {
  for (let round = 0; now() + EVERY < end; round += 1) {
    await Bun.sleep(EVERY - (now() % EVERY))
    const fault = faults[round % faults.length]
    if (!fault) continue
    const at = now()
    if (fault.touches === 'all') {
      hitting = true
      for (const mark of present) mark.touched = true
    }
    try {
      await fault.cause(world)
    } catch (error) {
      console.error(`soak: ${fault.name}: ${error}`)
      outcomes.push({ at, ms: 0, tool: fault.name, touched: false, fault: true, error: String(error) })
    }
    // Those that arrived while it lasted were touched too.
    if (fault.touches === 'all') for (const mark of present) mark.touched = true
    hitting = false
    marks.push({ at, name: fault.name, took: now() - at })
  }
}

const watch = setInterval(() => {
  const sample = sampleOf(peer, now())
  samples.push(sample)
  if (samples.length % 12 === 0)
    console.error(
      `soak: ${Math.round(now() / 1000)} of ${end / 1000} s, ${outcomes.length} calls, ${sample.processes} processes, ${sample.resident.toFixed(0)} MB`,
    )
}, 5000)
await Promise.all([misfortune(), ...Array.from({ length: Number(values.visitors) }, crowd)])
clearInterval(watch)
await peer.close()
site.close()
rmSync(folder, { recursive: true })

const dist = resolve(import.meta.dir, '../dist')
writeFileSync(`${dist}/soak.json`, JSON.stringify({ minutes, marks, samples, outcomes }))
writeFileSync(
  `${dist}/soak.svg`,
  soakPlot(
    samples,
    outcomes,
    marks.map(({ at }) => at),
  ),
)
console.log(soakTable(minutes, count, samples, outcomes, marks))
const failed = outcomes.filter(({ error, touched }) => error !== undefined && !touched)
process.exitCode = failed.length > 0 ? 1 : 0
