// Runs one client in a home of its own against a scripted model, and reads off what the model was given.

import { spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import type { AgentClient, Place } from './clients.ts'
import { fetched } from './install.ts'
import manifest from './manifest.json' with { type: 'json' }
import type { Part } from './model/api.ts'
import { serveModel, type Recorded } from './model/server.ts'
import { prompt, routes, stepsFor, type Step, type StepName } from './script.ts'
import { binary } from '../support/client.ts'
import { processesWith, until } from '../support/leftovers.ts'
import { serveSite } from '../support/site.ts'

const LONGEST_RUN_MS = 240_000

export interface Run {
  readonly status: number | null
  readonly output: string
  readonly ms: number
  /** What the model was given for each step. */
  readonly answers: Readonly<Record<StepName, readonly Part[]>>
  readonly recorded: readonly Recorded[]
  /** The command lines of processes that outlived the client. */
  readonly left: readonly string[]
}

/** Runs the client and hands over what came of it, while the files that the answers name are still there. */
export async function runClient<T>(client: AgentClient, use: (run: Run) => T): Promise<T> {
  const modules = join(fetched(client.packages), 'node_modules')
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-client-')))
  const site = await serveSite(routes, (_, response) => void response.writeHead(503).end())
  const steps = stepsFor(site.url)
  const { search, spoken = (step: Step) => step } = client
  const played = [...(search ? [search.step] : []), ...Object.values(steps).map(spoken)]
  const model = await serveModel(client.api, played, search?.prefix)
  try {
    const place = { modules, programs: programsBeside(modules, root), model: model.url }
    const { status, output, ms, left } = await perform(client, place, root)
    const given = model.answers().slice(search ? 1 : 0)
    const answers = Object.fromEntries(Object.keys(steps).map((name, index) => [name, given[index]]))
    return use({
      status,
      output,
      ms,
      answers: answers as Run['answers'],
      recorded: model.recorded,
      left: left.map(({ command }) => command),
    })
  } finally {
    model.close()
    site.close()
    rmSync(root, { recursive: true, force: true })
  }
}

// --- internal ---

async function perform(client: AgentClient, place: Place, root: string) {
  const env = { ...envIn(root, place), ...client.env?.(place) }
  const cwd = join(root, 'project')
  writeHome(env.HOME, client.home)
  if (client.setup) configure(client.setup, env, cwd)
  const since = performance.now()
  const ending = await ended(client.command(place), env, cwd)
  const ms = performance.now() - since
  // Clients hand on a home, but not every variable.
  const mark = `HOME=${env.HOME}`
  await until(() => processesWith(mark).length === 0, 20_000)
  const left = processesWith(mark)
  for (const { pid } of left) process.kill(pid, 'SIGKILL')
  return { ...ending, ms, left }
}

// Packages are looked for beside a program, so the programs lie where they seem to be.
function programsBeside(modules: string, root: string): string {
  const folder = join(root, 'programs')
  const source = join(import.meta.dir, 'programs')
  mkdirSync(folder)
  symlinkSync(modules, join(folder, 'node_modules'))
  for (const name of readdirSync(source)) copyFileSync(join(source, name), join(folder, name))
  return folder
}

// Nothing of the user's: clients read keys, settings and telemetry switches from the environment.
function envIn(root: string, { model }: Place) {
  const home = join(root, 'home')
  for (const folder of [home, join(root, 'project'), join(root, 'tmp')]) mkdirSync(folder)
  // The newer Node that some clients need comes as a package of this platform.
  const name = `node-${process.platform}-${process.arch}`
  const node = join(fetched({ [name]: manifest.node }), 'node_modules', name, 'bin')
  return {
    PATH: [node, dirname(binary), process.env['PATH'] ?? ''].join(delimiter),
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
    DO_NOT_TRACK: '1',
    FOOTLIGHT: binary,
    MODEL_URL: model,
    PROMPT: prompt,
  }
}

function writeHome(home: string, files: AgentClient['home'] = {}): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
}

function configure(client: string, env: Readonly<Record<string, string>>, cwd: string): void {
  const { status, stderr } = spawnSync(binary, ['setup', client, '--write'], { env, cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`footlight setup ${client}: ${stderr}`)
}

function ended(
  [program, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_RUN_MS,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, output }))
  })
}
