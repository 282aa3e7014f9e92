// `bun bench/flows/first-verdict.ts [APP] [--edits N]`: the time from an edit that touches one saved test to the verdict of `verify {run: true}`, in an open
// session on a warm dev server. By turns with it the program of Playwright runs the same test: on a busy machine the ratio counts.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { callOrThrow } from '../../test/support/client.ts'
import { ownApps } from '../verify/apps/own-apps.ts'
import { writeSource } from '../write-source.ts'
import { type TestedApp, withApp } from './apps.ts'
import { listMutants, type Mutant } from './mutants.ts'

const optionOf = (name: string, fallback: number): number =>
  process.argv.includes(name) ? Number(process.argv[process.argv.indexOf(name) + 1]) : fallback
const [wanted = 'plain page'] = process.argv.slice(2).filter((word) => !/^(--|\d)/.test(word))

/** Longer than a dev server needs to see an edit. */
const EDIT_PAUSE_MS = 700
/** Longer than the process of the next run needs to start, which would take time from the program of Playwright. */
const START_PAUSE_MS = 5000
const TRIED_MUTANTS = 60

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** A line that one test alone runs. */
async function findLine({ peer, folder, sources }: TestedApp): Promise<Mutant & { readonly test: string }> {
  for (const mutant of listMutants(sources, TRIED_MUTANTS, 1)) {
    writeSource(folder, mutant.file, mutant.mutated)
    const { flows } = await callOrThrow(peer, 'verify', { cwd: folder })
    writeSource(folder, mutant.file, sources.find(({ file }) => file === mutant.file)?.text ?? '')
    if (flows.length === 1) return { ...mutant, test: flows[0].path }
  }
  throw new Error('no line is run by one test alone')
}

async function timePlain({ folder }: TestedApp, test: string): Promise<number> {
  const start = performance.now()
  const program = join(folder, 'node_modules/@playwright/test/cli.js')
  const words = [program, 'test', test, '--config=node_modules/plain.config.mjs', '--reporter=line']
  const child = spawn('node', words, { cwd: folder, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${test} fails by itself`)
  return performance.now() - start
}

const app = ownApps.find(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
if (!app) throw new Error(`no application has ${wanted} in its name`)
const times = { verdict: [] as number[], plain: [] as number[] }
await withApp(app, async (tested) => {
  const { peer, folder, sources, url } = tested
  const executablePath = Bun.which('chromium-headless-shell') ?? Bun.which('chromium')
  const use = JSON.stringify({
    baseURL: url,
    launchOptions: executablePath === null ? {} : { executablePath },
  })
  // No part of the change.
  writeSource(
    folder,
    'node_modules/plain.config.mjs',
    `export default { testDir: '../tests', use: ${use} }\n`,
  )
  const { file, line, test } = await findLine(tested)
  await callOrThrow(peer, 'navigate', { sessionId: await peer.session(), url })
  const lines = (sources.find((source) => source.file === file)?.text ?? '').split('\n')
  for (let edit = 1; edit <= optionOf('--edits', 10); edit += 1) {
    // It runs as before, so the test passes.
    const edited = lines.map((text, index) => (index === line - 1 ? `${text}${' '.repeat(edit)}` : text))
    writeSource(folder, file, edited.join('\n'))
    await sleep(EDIT_PAUSE_MS)
    const start = performance.now()
    const { flows } = await callOrThrow(peer, 'verify', { cwd: folder, run: true })
    times.verdict.push(performance.now() - start)
    if (flows[0]?.verdict !== 'PASS' || flows.length > 1) throw new Error(JSON.stringify(flows))
    await sleep(START_PAUSE_MS)
    times.plain.push(await timePlain(tested, test))
  }
})
const [verdict, plain] = [medianOf(times.verdict), medianOf(times.plain)]
const ratio = medianOf(times.verdict.map((time, index) => time / (times.plain[index] ?? Infinity)))
console.log(
  `${app.name}: verdict ${Math.round(verdict)} ms, Playwright alone ${Math.round(plain)} ms, ratio ${ratio.toFixed(2)} (medians of ${times.plain.length}); load ${loadavg()[0]?.toFixed(1)}`,
)
