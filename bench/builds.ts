// `bun bench/builds.ts EARLIER [--later FILE] [--runs 20] [--starts-only]`: two executables, by default this build beside EARLIER, taking
// turns on one browser: starts and, ten times as often, single acts. The tables go to stdout.

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { binary, connect } from '../test/support/client.ts'
import { measureActs } from './acts.ts'
import { ratioTable } from './build-ratios.ts'
import { footlight } from './contenders.ts'
import { bytesTable } from './measure.ts'
import { findBenchBrowser } from './peers.ts'
import { measureStarts } from './starts.ts'

const {
  positionals: [earlier],
  values: { later, runs, 'starts-only': startsOnly },
} = parseArgs({
  allowPositionals: true,
  options: {
    later: { type: 'string', default: binary },
    runs: { type: 'string', default: '20' },
    'starts-only': { type: 'boolean', default: false },
  },
})
if (!earlier) throw new Error('bench: name the executable of the earlier build')
const executablePath = findBenchBrowser()

const args = ['--headless', '--executable-path', executablePath, '--max-sessions', '60']
const builds = { later, earlier }
const all = Object.entries(builds).map(([name, file]) => ({
  ...footlight(executablePath),
  name,
  start: () => connect({ command: [resolve(file)], args }),
}))
const siteProcess = Bun.spawn([process.execPath, resolve(import.meta.dir, 'site.ts')], { stdout: 'pipe' })
const url = new TextDecoder().decode((await siteProcess.stdout.getReader().read()).value).trim()
const times = { runs: Number(runs), warmUp: 2 }
const report = (text: string) => console.error(`bench: ${text} …`)
report('starts')
const starts = await measureStarts({ all, url }, times)
if (!startsOnly) report('acts')
const { rows, bytes } = startsOnly
  ? { rows: [], bytes: {} }
  : await measureActs({ all, baselines: [], url }, { ...times, runs: times.runs * 10 }, report)
siteProcess.kill()
const tables = [
  ratioTable([...starts, ...rows], 'later', 'earlier'),
  ...(startsOnly ? [] : [bytesTable(bytes)]),
]
console.log(`${tables.join('\n\n')}\n`)
for (const [name, file] of Object.entries(builds)) console.log(`${name}: ${statSync(file).size} bytes`)
process.exit(0)
