// `bun run bench`: Footlight's executable beside its peers and raw Playwright, on one browser, in one run, taking turns. `--quick` takes
// fewer runs and sessions. The tables go to stdout, the samples to dist/bench.json, the plot of growth to dist/growth.svg.

import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { measureActs } from './acts.ts'
import { createBaselines } from './baselines.ts'
import { fetchPeers, footlight } from './contenders.ts'
import { growthPlot, measureGrowth } from './growth.ts'
import { bytesTable, table } from './measure.ts'
import { findBenchBrowser } from './peers.ts'
import { type Remains, remainsOf, remainsTable } from './remains.ts'
import { type Crowd, crowdOf, crowdOfBaselineProcess, crowdTable } from './sessions.ts'
import { baselineStarts, measureStarts } from './starts.ts'
import { compareTask, taskTable } from './task.ts'

const isQuick = process.argv.includes('--quick')
const runs = 20
const warmUp = isQuick ? 1 : 2
const limit = isQuick ? { limitMs: 1500 } : {}
const executablePath = findBenchBrowser()
const isRoot = process.getuid?.() === 0
const reportStep = (step: string) => console.error(`bench: ${step} …`)

const siteProcess = Bun.spawn([process.execPath, resolve(import.meta.dir, 'site.ts')], { stdout: 'pipe' })
const url = new TextDecoder().decode((await siteProcess.stdout.getReader().read()).value).trim()
reportStep('fetching the peers')
const { peers, remove } = fetchPeers(executablePath)
const ours = footlight(executablePath)
const baselines = createBaselines(executablePath, !isRoot)
const all = [ours, ...peers]
reportStep('starts')
const firstPageRuns = baselineStarts({ cdp: baselines[1], url, executablePath, sandbox: !isRoot })
const starts = await measureStarts(
  { all, url, firstPageRuns },
  { runs: runs / 2, warmUp: warmUp - 1, ...limit },
)
reportStep('acts')
const { rows: acts, bytes } = await measureActs(
  { all, baselines, url },
  { runs, warmUp, ...limit },
  reportStep,
)
const rows = [...starts, ...acts]

reportStep('sessions')
const crowds: Crowd[] = []
for (const sessions of isQuick ? [5] : [1, 10, 25, 50]) {
  crowds.push(await crowdOf(ours, sessions, url))
  for (const { name } of baselines)
    crowds.push(await crowdOfBaselineProcess([name, String(sessions), url, executablePath, String(!isRoot)]))
  if (sessions === 10 && !isQuick) for (const peer of peers) crowds.push(await crowdOf(peer, sessions, url))
}
reportStep('what is left')
const remains: Remains[] = []
for (const contender of isQuick ? [ours] : all) remains.push(await remainsOf(contender, url))
reportStep('a whole task')
const task = await compareTask(isQuick ? [ours] : all, isQuick ? 1 : 5)
reportStep('growth')
const growth = await measureGrowth(ours, isQuick ? 1 : 7, isQuick ? 1000 : 10_000)

siteProcess.kill()
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
