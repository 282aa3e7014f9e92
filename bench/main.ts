// `bun run bench`: Footlight's executable beside its peers and raw Playwright, on one browser, in one run, taking turns. `--quick` takes
// fewer runs and sessions. The tables go to stdout, the samples to dist/bench.json, the plot of growth to dist/growth.svg.

import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { findExecutable } from '../src/browser/find/find-executable.ts'
import { measureActs } from './acts.ts'
import { fetchPeers, footlight } from './contenders.ts'
import { floors } from './floors.ts'
import { growthPlot, measureGrowth } from './growth.ts'
import { bytesTable, table } from './measure.ts'
import { remainsOf, remainsTable, type Remains } from './remains.ts'
import { crowdOf, crowdOfFloor, crowdTable, type Crowd } from './sessions.ts'
import { measureStarts } from './starts.ts'
import { compareTask, taskTable } from './task.ts'

const quick = process.argv.includes('--quick')
const runs = quick ? 2 : 20
const warmUp = quick ? 1 : 2
const { found: executablePath } = findExecutable({ browser: 'chromium', headless: true })
if (!executablePath) throw new Error('bench: there is no Chromium; run `bun run setup` first')
const root = process.getuid?.() === 0
const say = (what: string) => console.error(`bench: ${what} …`)

const served = Bun.spawn([process.execPath, resolve(import.meta.dir, 'site.ts')], { stdout: 'pipe' })
const url = new TextDecoder().decode((await served.stdout.getReader().read()).value).trim()
say('fetching the peers')
const { peers, remove } = fetchPeers(executablePath)
const ours = footlight(executablePath)
const floor = floors(executablePath, !root)
const all = [ours, ...peers]
say('starts')
const starts = await measureStarts(
  { all, floor, url, executablePath, sandbox: !root },
  { runs: Math.ceil(runs / 2), warmUp: warmUp - 1 },
)
say('acts')
const { rows: acts, bytes } = await measureActs({ all, floor, url }, { runs, warmUp }, say)
const rows = [...starts, ...acts]

say('sessions')
const crowds: Crowd[] = []
for (const sessions of quick ? [5] : [1, 10, 25, 50]) {
  crowds.push(await crowdOf(ours, sessions, url))
  for (const one of floor) crowds.push(await crowdOfFloor(one, sessions, url))
  if (sessions === 10 && !quick) for (const peer of peers) crowds.push(await crowdOf(peer, sessions, url))
}
say('what is left')
const remains: Remains[] = []
for (const contender of quick ? [ours] : all) remains.push(await remainsOf(contender, url))
say('a whole task')
const task = await compareTask(quick ? [ours] : all, quick ? 1 : 5)
say('growth')
const growth = await measureGrowth(ours, quick ? 1 : 7, quick ? 1000 : 10_000)

served.kill()
remove()
mkdirSync('dist', { recursive: true })
const report = {
  date: new Date().toISOString(),
  executablePath,
  runs,
  rows,
  bytes,
  crowds,
  remains,
  task,
  growth,
}
writeFileSync('dist/bench.json', JSON.stringify(report, null, 1))
writeFileSync('dist/growth.svg', growthPlot(crowds, growth))
console.log(
  [table(rows), bytesTable(bytes), crowdTable(crowds), remainsTable(remains), taskTable(task)].join('\n\n'),
)
process.exit(0)
