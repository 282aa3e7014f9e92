// `bun bench/mutants/run.ts TREE old|new units|driving RESULTS [ids]` puts one mutant at a time into a scratch worktree, runs the tests that
// can see it until one is red, and appends a line of JSON to RESULTS. A red test kills only if it is green without the mutant; a limit that
// is reached tells nothing. Started again, it goes on.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { apply, listFile, type Mutant } from './choose.ts'
import { createReach } from './reach.ts'

const LIMIT_MS = 240_000
const TEST_TIMEOUT_MS = 120_000

/** As build.ts, without what makes it small and quick to start. */
const BUILD = `const { plugins } = await import(process.cwd() + '/scripts/plugins/plugins.ts')
const compile = { outfile: 'dist/footlight', execArgv: ['--no-orphans'], autoloadDotenv: false, autoloadBunfig: false }
const options = { entrypoints: ['src/main.ts'], splitting: true, format: 'esm', plugins, compile }
const external = ['chromium-bidi/*', 'electron', 'electron/*']
await Bun.build({ ...options, external, define: { FOOTLIGHT_VERSION: '"0.1.0"' } })`

type Stage = 'units' | 'driving'
type Told = 'killed' | 'survived' | 'not told' | 'no tests'

interface Line {
  readonly id: number
  readonly stage: Stage
  readonly told: Told
  readonly by?: string
  readonly seconds: number
  readonly files: number
}

const [tree = '', era = '', stage = '', results = '', only] = process.argv.slice(2)
const isStage = (text: string): text is Stage => text === 'units' || text === 'driving'
if (!isStage(stage) || (era !== 'old' && era !== 'new'))
  throw new Error('expected TREE old|new units|driving RESULTS')
const reach = createReach(tree)
/** Whether a test, or a file of tests, is green in this tree without a mutant. */
const greens = new Map<string, boolean>()

const readLines = <T>(path: string): readonly T[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as T)
    : []
const mutants = readLines<Mutant>(listFile)
const done = readLines<Line>(results)
const isDone = (id: number) =>
  done.some((line) => line.id === id && (line.stage === stage || line.told === 'killed'))
const asked = only?.split(',').map(Number)
for (const mutant of mutants)
  if (!isDone(mutant.id) && (!asked || asked.includes(mutant.id))) {
    const line = await judge(mutant, stage)
    appendFileSync(results, `${JSON.stringify(line)}\n`)
    console.log(JSON.stringify(line))
  }

async function judge(mutant: Mutant, stage: Stage): Promise<Line> {
  const start = performance.now()
  const path = mutant[era as 'old' | 'new']
  const original = readFileSync(join(tree, path), 'utf8')
  const reset = async () => {
    spawnSync('git', ['checkout', '--quiet', '--', 'src'], { cwd: tree })
    if (stage === 'driving') await build(path)
  }
  const reached = stage === 'units' ? reach.unitsOf(path) : reach.drivingNamed(mutant.driving ?? [])
  let files = reached.filter((file) => greens.get(file) !== false)
  const count = files.length
  const tell = (told: Told, by?: string): Line => {
    const seconds = Math.round((performance.now() - start) / 1000)
    return { id: mutant.id, stage, told, ...(by && { by }), seconds, files: count }
  }
  while (files.length > 0) {
    writeFileSync(join(tree, path), apply(original, mutant))
    const isBuilt = await build(path, stage)
    const { outcome, red = '' } = isBuilt ? await runTests(files) : { outcome: 'red' as const, red: 'build' }
    await reset()
    if (red === 'build') return tell('killed', 'build')
    if (outcome !== 'red') return tell(outcome)
    if (await isGreen(red)) return tell('killed', red)
    const [file = ''] = red.split(' > ')
    files = files.filter((other) => other !== file)
  }
  return tell(count === 0 ? 'no tests' : 'not told')
}

/** Whether the test that was red is green without the mutant: alone, or with all of its file where its name does not select it. */
async function isGreen(red: string): Promise<boolean> {
  const [file = '', ...names] = red.split(' > ')
  const known = greens.get(red) ?? greens.get(file)
  if (known !== undefined) return known
  const pattern = names.map((name) => name.replace(/[^\w ]/g, '.')).join(' ')
  const alone = await runTests([file], [`--test-name-pattern=${pattern}`])
  const isAlone = alone.outcome === 'survived'
  const told = isAlone || (await runTests([file])).outcome === 'survived'
  greens.set(isAlone ? red : file, told)
  return told
}

/** What runs in a page is bundled into files of the sources, and the sources into an executable. */
async function build(path: string, needed: Stage = 'driving'): Promise<boolean> {
  const isInPage = path.includes('/in-page/') && existsSync(join(tree, 'scripts/in-page.ts'))
  if (isInPage && (await start(['scripts/in-page.ts'])).code !== 0) return false
  return needed === 'units' || (await start(['-e', BUILD])).code === 0
}

async function runTests(
  files: readonly string[],
  selection: readonly string[] = [],
): Promise<{ readonly outcome: 'survived' | 'not told' | 'red'; readonly red?: string }> {
  const flags = ['--bail', '--no-isolate', `--timeout=${TEST_TIMEOUT_MS}`]
  const { code, output } = await start(
    ['test', ...flags, ...selection, ...files.map((file) => `./${file}`)],
    LIMIT_MS,
  )
  if (code === undefined) return { outcome: 'not told' }
  if (code === 0) return { outcome: 'survived' }
  const before = output.split(/^\(fail\)|# Unhandled error/m)[0] ?? ''
  const file = [...before.matchAll(/^(test\/\S+\.test\.ts):$/gm)].at(-1)?.[1] ?? files[0]
  const name = /^\(fail\) (.*?)(?: \[[\d.]+ms\])?$/m.exec(output)?.[1] ?? 'does not load'
  return { outcome: 'red', red: `${file} > ${name}` }
}

/** Runs Bun in the tree with its processes in a group, which ends with it: a test that stopped at the first red ended nothing. No code of exit
 * where the limit was reached. */
async function start(
  args: readonly string[],
  limitMs = LIMIT_MS,
): Promise<{ readonly code: number | undefined; readonly output: string }> {
  const child = spawn(process.execPath, args, {
    cwd: tree,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, limitMs)
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
  return { code: isLate ? undefined : (code ?? 1), output }
}
