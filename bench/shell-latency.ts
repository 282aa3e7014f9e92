// `bun bench/shell-latency.ts [--rounds 40] [--packages FOLDER]`: a click by the shell, from the start of the command to its end, beside the
// start of an empty program of the same runtime, a click over MCP, and a click of playwright-cli. All take turns.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { callOrThrow, connect } from '../test/support/client.ts'
import { page, serveSite } from '../test/support/site.ts'
import { quantile, type Run, sideBySide, table } from './measure.ts'
import { findBenchBrowser, preparePackages } from './peers.ts'
import { PLAYWRIGHT_CLI, prepareShells } from './tasks/shells.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '40' }, packages: { type: 'string' } },
})
const executablePath = findBenchBrowser()
const fetched = preparePackages(values.packages, PLAYWRIGHT_CLI)
const cwd = mkdtempSync(join(tmpdir(), 'fl-latency-'))
const site = await serveSite({ '/': page('<button>Go</button>', 'Click') })
const { env, end } = prepareShells(fetched.folder, executablePath, cwd)

const cpuMs: Record<string, number[]> = {}
/** Runs a program to its end; the processor time is that of the program alone. */
async function runProgram(name: string, ...cmd: string[]): Promise<string> {
  const program = Bun.spawn({ cmd, cwd, env: { ...process.env, ...env }, stderr: 'ignore' })
  const text = await new Response(program.stdout).text()
  if ((await program.exited) !== 0) throw new Error(`${cmd.join(' ')}: ${text}`)
  ;(cpuMs[name] ??= []).push(Number(program.resourceUsage()?.cpuTime.total) / 1000)
  return text
}

const empty = join(cwd, 'empty')
writeFileSync(`${empty}.ts`, 'console.log(1)\n')
// As build.ts builds the executable.
const chunks = { splitting: true, format: 'esm' } as const
await Bun.build({
  entrypoints: [`${empty}.ts`],
  minify: true,
  bytecode: true,
  ...chunks,
  compile: { outfile: empty },
})

const programs = join(cwd, '.programs')
const footlight = join(programs, 'footlight')
const ref = (text: string) => /\b(?:ref=)?(e\d+)\]/.exec(text.slice(text.indexOf('button')))?.[1] ?? ''
await runProgram('', footlight, 'open', site.url)
const footlightRef = ref(await runProgram('', footlight, 'snap'))
const playwrightCli = join(fetched.folder, 'node_modules/.bin/playwright-cli')
await runProgram('', playwrightCli, 'open', site.url)
const playwrightRef = ref(await runProgram('', playwrightCli, 'snapshot'))
const peer = await connect({ args: ['--headless', '--no-socket'], cwd })
await peer.session()
await callOrThrow(peer, 'navigate', { url: site.url })
await callOrThrow(peer, 'snapshot')

const contenders: Readonly<Record<string, Run>> = {
  'footlight click': async () => void (await runProgram('footlight click', footlight, 'click', footlightRef)),
  'empty program': async () => void (await runProgram('empty program', empty)),
  'click over MCP': async () => void (await callOrThrow(peer, 'click', { ref: footlightRef })),
  'playwright-cli click': async () =>
    void (await runProgram('playwright-cli click', playwrightCli, 'click', playwrightRef)),
}
const row = await sideBySide('wall time', contenders, { runs: Number(values.rounds), warmUp: 2 })
await peer.close()
end()
site.close()
rmSync(cwd, { recursive: true, force: true })
fetched.remove()
const { '': _, ...cpuSamples } = cpuMs
console.log(table([row, { name: 'processor time', samples: cpuSamples }]))
/** The median and the interval that contains it with a probability of 95 %, by the ranks of the samples. */
function describeMedian(samples: readonly number[], digits = 1): string {
  const halfWidth = 0.98 / Math.sqrt(samples.length)
  const [middle, low, high] = [0.5, 0.5 - halfWidth, 0.5 + halfWidth].map((q) =>
    quantile(samples, q).toFixed(digits),
  )
  return `${middle} (${low} to ${high})`
}
const samplesOf = (name: string) => row.samples[name] ?? []
const ratios = (one: string, other: string) =>
  samplesOf(one).map((ms, index) => ms / (samplesOf(other)[index] ?? Number.NaN))
const overLimit = samplesOf('footlight click').map((ms, index) => {
  const [emptyMs = 0, callMs = 0] = ['empty program', 'click over MCP'].map((name) => samplesOf(name)[index])
  return ms - callMs - 1.5 * emptyMs
})
const [oneMinute] = loadavg()
console.log(
  [
    '',
    'Medians with their intervals of 95 %, round by round:',
    ...Object.keys(contenders).map((name) => `${name}: ${describeMedian(samplesOf(name))} ms`),
    `footlight click / playwright-cli click: ${describeMedian(ratios('footlight click', 'playwright-cli click'), 3)}`,
    `footlight click / empty program: ${describeMedian(ratios('footlight click', 'empty program'), 2)}`,
    `footlight click - click over MCP - 1.5 × empty program: ${describeMedian(overLimit)} ms`,
    `load of the last minute: ${oneMinute?.toFixed(1)}`,
  ].join('\n'),
)
process.exit(0)
