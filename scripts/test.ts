// Runs the tests of a tier, and fails if they leave a process or a file behind: all that a test starts inherits the tag and the temporary
// folder of the run. Further arguments are those of `bun test`. `--changed` runs those of the commit that the changes since main can reach.

import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import process from 'node:process'
import { processesWith, until } from '../test/support/leftovers.ts'

const TIERS = ['commit', 'deep', 'release', 'grid', 'windows', 'linux']
const WORKER_COUNT = 4
const TEST_TIMEOUT_MS = 120_000
const TAG = 'FL_TEST_RUN'

/** The slowest files, which are started first. `--update-timings` measures them anew. */
const TIMINGS = 'test/timings.json'

/** Changes here can be seen through the executable only. */
const SERVED = /^src\//m

/** What other programs keep in the temporary folder for their next start. */
const CACHES = /^(bunx-|node-compile-cache|playwright-transform-cache)/

/** What a browser with windows keeps for the settings of a desktop. */
const DESKTOP_SETTINGS = /^t-\w+-run[\\/]dconf[\\/]/

const root = join(import.meta.dir, '..')
const isChangedOnly = process.argv[2] === '--changed'
const [tier = '', ...options] = isChangedOnly ? ['commit', ...process.argv.slice(3)] : process.argv.slice(2)
if (!TIERS.includes(tier)) {
  console.error(`test: expected ${TIERS.join(', ')}, received "${tier}"`)
  process.exit(2)
}
const files = [...new Bun.Glob('test/**/*.test.ts').scanSync(root)].sort()
const tierOf = (file: string): string => TIERS.find((name) => file.split(sep)[1] === name) ?? 'commit'
const ofTier = files.filter((file) => tierOf(file) === tier)
let isGreen = isChangedOnly ? await runChanged(ofTier) : await run(ofTier)
// What has no branch for an engine was tested in Chromium at the commit.
if (tier === 'deep')
  isGreen = (await run(files.filter(isForAnyBrowser), { TEST_BROWSER: 'firefox' })) && isGreen
process.exitCode = isGreen ? 0 : 1

/** Tests that import what has changed, and those of the executable if what it serves with has. */
async function runChanged(all: readonly string[]): Promise<boolean> {
  const drivesExecutable = (file: string) => /^test\/(e2e|faults|features)\//.test(file)
  const changes = spawnSync('git', ['diff', '--name-only', 'main'], { cwd: root, encoding: 'utf8' }).stdout
  const isServed = SERVED.test(changes)
  const imported = all.filter((file) => !isServed || !drivesExecutable(file))
  const areGreen = await run(imported, {}, ['--changed=main'])
  return (!isServed || (await run(all.filter(drivesExecutable)))) && areGreen
}

function isForAnyBrowser(file: string): boolean {
  return tierOf(file) === 'commit' && /\b(anyBrowser|deepRuns)\b/.test(readFileSync(join(root, file), 'utf8'))
}

/** Whether all tests of the files passed and left nothing. */
async function run(
  selected: readonly string[],
  env: Readonly<Record<string, string>> = {},
  selection: readonly string[] = [],
): Promise<boolean> {
  const tag = randomUUID()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'f')))
  const flags = [
    '--dots',
    '--no-isolate',
    `--parallel=${WORKER_COUNT}`,
    `--timeout=${TEST_TIMEOUT_MS}`,
    `--timings=${TIMINGS}`,
  ]
  const paths = selected.map((file) => `./${file}`)
  const child = spawn(process.execPath, ['test', ...flags, ...selection, ...options, ...paths], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env, [TAG]: tag, TMPDIR: folder },
  })
  const [code] = await once(child, 'close')
  const leftovers = await findLeftovers(`${TAG}=${tag}`, folder)
  for (const leftover of leftovers) console.error(`test: left behind: ${leftover}`)
  rmSync(folder, { recursive: true, force: true })
  return code === 0 && leftovers.length === 0
}

/** The processes and files that are there although the servers which test files share had time to end. */
async function findLeftovers(mark: string, folder: string): Promise<readonly string[]> {
  const find = () => [
    ...processesWith(mark).map(({ pid, command }) => `process ${pid}: ${command}`),
    ...readdirSync(folder).flatMap((name) => (CACHES.test(name) ? [] : filesIn(folder, name))),
  ]
  await until(() => find().length === 0)
  return find()
}

// The folders of a server that was shared are left by its worker.
function filesIn(folder: string, name: string): string[] {
  try {
    const entries = readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => !entry.isDirectory())
    return files
      .map((file) => relative(folder, join(file.parentPath, file.name)))
      .filter((path) => !DESKTOP_SETTINGS.test(path))
  } catch {
    return [name]
  }
}
