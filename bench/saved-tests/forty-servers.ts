// `bun bench/saved-tests/forty-servers.ts [NAME...]`: what save_test writes beside forty servers, run by plain Playwright Test twice, when
// nothing of Footlight runs any more. The second run has the variables of an agent.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { text as readAll } from 'node:stream/consumers'
import { installed } from '../../test/apps/packages.ts'
import { place } from '../../test/apps/place.ts'
import { type Answer, connect, type Peer } from '../../test/support/client.ts'
import { findBenchBrowser } from '../peers.ts'
import { servers, type TestedServer } from './forty-servers-data.ts'
import { textOf } from './play.ts'

const SPEC = 'e2e/saved.spec.ts'
const AGENT = { CLAUDECODE: '1', AI_AGENT: 'claude' }
const RUN_LIMIT_MS = 300_000
const REASON_LENGTH = 400
const packagesRoot = resolve(import.meta.dir, '../../node_modules')

interface Row {
  readonly name: string
  readonly outcome: 'green' | 'red' | 'refused'
  readonly remark: string
}

// --- the folders ---

/** A folder in which Playwright Test is installed; all of the projects are below it. */
async function prepareHome(): Promise<string> {
  const home = dirname(await installed('vite-vue'))
  const modules = join(home, 'node_modules')
  mkdirSync(join(modules, '@playwright'), { recursive: true })
  mkdirSync(join(modules, '.bin'), { recursive: true })
  for (const name of ['@playwright/test', 'playwright', 'playwright-core', '.bin/playwright'])
    link(join(packagesRoot, name), join(modules, name))
  return home
}

function link(target: string, path: string): void {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

/** A folder in which Playwright finds the browser of this machine as one that it has installed. */
function prepareBrowsers(home: string): string {
  const { browsers } = JSON.parse(readFileSync(join(packagesRoot, 'playwright-core/browsers.json'), 'utf8'))
  const name = 'chromium-headless-shell'
  const { revision } = browsers.find((browser: { name: string }) => browser.name === name)
  const folder = join(home, 'browsers', `chromium_headless_shell-${revision}`)
  const shells = ['chrome-headless-shell-linux64/chrome-headless-shell', 'chrome-linux/headless_shell']
  for (const path of shells) link(findBenchBrowser(), join(folder, path))
  writeFileSync(join(folder, 'INSTALLATION_COMPLETE'), '')
  return dirname(folder)
}

async function prepareProject(home: string, server: TestedServer): Promise<string> {
  const { name, packages, app, copied, files = {} } = server
  const hash = createHash('sha256')
    .update(packages ?? '')
    .digest('hex')
    .slice(0, 12)
  const base = join(home, packages === undefined ? 'plain' : `npm-${hash}`)
  if (packages !== undefined && !existsSync(base)) await installPackages(base, packages)
  const folder = app === undefined ? join(base, name.replaceAll(/\W+/g, '-')) : await place(app)
  if (app === undefined) rmSync(folder, { recursive: true, force: true })
  if (copied !== undefined)
    cpSync(resolve(import.meta.dir, '../../test/apps/servers', copied), folder, { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

async function installPackages(folder: string, packages: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const args = ['install', ...packages.split(' '), '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await run('npm', args, folder, {})
  if (code === 0) return
  rmSync(folder, { recursive: true })
  throw new Error(output)
}

async function run(program: string, args: readonly string[], cwd: string, env: Record<string, string>) {
  const { CI: _, ...own } = process.env
  const child = spawn(program, [...args], {
    cwd,
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_LIMIT_MS,
  })
  const [out, errors, [code]] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
    once(child, 'close'),
  ])
  return { code: code as number | null, output: `${out}\n${errors}` }
}

// --- the session ---

/** Answers why no test was written; undefined if one was. */
async function saveInSession(folder: string, server: TestedServer): Promise<string | undefined> {
  const taken = server.takenPort === undefined ? undefined : await takePort(server.takenPort)
  // Nuxt leaves files in the temporary folder, which is that of the user.
  const peer = await connect({ cwd: folder, env: { ...AGENT, TMPDIR: tmpdir() } })
  try {
    return await play(peer, server)
  } finally {
    await peer.close()
    taken?.close()
  }
}

async function takePort(port: number) {
  const holder = createServer().listen(port)
  await once(holder, 'listening')
  return holder
}

async function play({ call }: Peer, server: TestedServer): Promise<string | undefined> {
  const { command = 'npm run dev', session, path = '/', text = 'Count: 1' } = server
  const acts = server.acts ?? [{ click: '#counter' }]
  const steps: [string, Record<string, unknown>][] = [
    ['create_session', { command, ...session }],
    ['navigate', { url: path }],
    ...acts.map((act): [string, Record<string, unknown>] =>
      'click' in act
        ? ['click', { selector: act.click }]
        : ['fill', { selector: act.fill, value: act.value }],
    ),
    ['wait_for', { text }],
    ['save_test', { path: SPEC }],
  ]
  for (const [tool, input] of steps) {
    const answer: Answer = await call(tool, input)
    console.error(`${tool}: ${textOf(answer.result).slice(0, 1500)}`)
    if (answer.failed) return `${tool}: ${textOf(answer.result)}`
  }
  return undefined
}

/** The processes that have their working directory in a folder. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const cwd = readlinkSync(`/proc/${pid}/cwd`)
        if (cwd !== folder && !cwd.startsWith(`${folder}/`)) return []
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()}`]
      } catch {
        return []
      }
    })
}

// --- the runs ---

async function check(home: string, browsers: string, server: TestedServer): Promise<Row> {
  const { name } = server
  const folder = await prepareProject(home, server)
  const refusal = await saveInSession(folder, server)
  const left = processesIn(folder)
  if (left.length > 0) return { name, outcome: 'red', remark: `left running: ${left.join('; ')}` }
  if (refusal !== undefined) {
    const isWritten = existsSync(join(folder, SPEC))
    const isRight = server.isRefused === true && !isWritten
    return { name, outcome: isRight ? 'refused' : 'red', remark: refusal }
  }
  console.error(readFileSync(join(folder, 'playwright.config.ts'), 'utf8'))
  for (const env of [{}, AGENT]) {
    const variables = { ...env, ...server.needs, PLAYWRIGHT_BROWSERS_PATH: browsers }
    const { code, output } = await run('npx', ['playwright', 'test', '--reporter=line'], folder, variables)
    console.error(output.slice(-3000))
    if (code !== 0) return { name, outcome: 'red', remark: `plain run: ${output.trim()}` }
    const after = processesIn(folder)
    if (after.length > 0) return { name, outcome: 'red', remark: `left by a run: ${after.join('; ')}` }
  }
  return server.isRefused === true
    ? { name, outcome: 'red', remark: 'written' }
    : { name, outcome: 'green', remark: '' }
}

async function main(): Promise<void> {
  const names = process.argv.slice(2)
  const home = await prepareHome()
  const browsers = prepareBrowsers(home)
  const rows: Row[] = []
  for (const server of servers) {
    if (names.length > 0 && !names.includes(server.name)) continue
    console.error(`=== ${server.name}`)
    const row = await check(home, browsers, server).catch((error: unknown): Row => ({
      name: server.name,
      outcome: 'red',
      remark: String(error),
    }))
    rows.push(row)
    const remark = row.remark.replaceAll(/\s+/g, ' ').slice(0, REASON_LENGTH)
    console.log(`| ${row.name} | ${row.outcome} | ${remark.replaceAll('|', String.raw`\|`)} |`)
  }
  const count = (outcome: Row['outcome']) => rows.filter((row) => row.outcome === outcome).length
  console.log(
    `${rows.length} servers: ${count('green')} green twice, ${count('refused')} refused, ${count('red')} red`,
  )
}

await main()
