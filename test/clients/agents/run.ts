// Runs one client in a home of its own against a scripted model, and reads off what the model was given.

import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { binary } from '../../support/client.ts'
import { processesWith, until } from '../../support/leftovers.ts'
import { fetched } from '../install.ts'
import type { Part } from '../model/api.ts'
import { type Recorded, serveModel } from '../model/server.ts'
import type { UsedEra } from '../recorder.ts'
import { prompt, type Step, type StepName, stepsFor } from '../script.ts'
import { onStage, type Stage, type Way } from '../stage.ts'
import type { AgentClient, Place } from './agent-client.ts'

const LONGEST_RUN_MS = 240_000

/** What a client, or its model, was given for each step. */
export type Answers = Readonly<Record<StepName, readonly Part[]>>

export interface Run {
  readonly status: number | null
  readonly output: string
  readonly ms: number
  readonly usedEra: UsedEra | undefined
  readonly answers: Answers
  /** The paths that were requested of the site. */
  readonly hits: readonly string[]
  readonly recorded: readonly Recorded[]
  /** The command lines of processes that outlived the client. */
  readonly left: readonly string[]
}

/** Runs the client and hands over what came of it, while the files that the answers name are still there. */
export function runAgent<T>(client: AgentClient, way: Way, use: (run: Run) => T): Promise<T> {
  return onStage(way, async (stage) => {
    const steps = stepsFor(stage.site.url)
    const { search, spoken = (step: Step) => step } = client
    const played = [...(search ? [search.step] : []), ...Object.values(steps).map(spoken)]
    const model = await serveModel(client.api, played, search?.prefix)
    try {
      const modules = join(fetched(client.packages), 'node_modules')
      const programs = programsBeside(modules, stage.root)
      const ending = await perform(
        client,
        { modules, programs, model: model.url, url: stage.url },
        way,
        stage,
      )
      const given = model.answers().slice(search ? 1 : 0)
      const answers = Object.fromEntries(Object.keys(steps).map((name, index) => [name, given[index]]))
      return use({
        ...ending,
        usedEra: stage.usedEra(),
        answers: answers as Answers,
        hits: stage.site.hits,
        recorded: model.recorded,
      })
    } finally {
      model.close()
    }
  })
}

/** Waits for the end of all that was started in this home; what is left after 20 s is ended and named. */
export async function endProcessesOf(home: string): Promise<readonly string[]> {
  // Clients hand on a home, but not every variable.
  const mark = `HOME=${home}`
  await until(() => processesWith(mark).length === 0, 20_000)
  const left = processesWith(mark)
  for (const { pid } of left) process.kill(pid, 'SIGKILL')
  return left.map(({ command }) => command)
}

/** Adds Footlight to the client by `footlight setup --write`, as PATH names it. */
export function configure(client: string, scope: 'user' | 'project', { env, project }: Stage): void {
  const args = ['setup', client, '--write', '--scope', scope]
  const setupEnv = { ...env, PATH: [dirname(binary), env['PATH']].join(delimiter) }
  const { status, stderr } = spawnSync(binary, args, { env: setupEnv, cwd: project, encoding: 'utf8' })
  if (status !== 0) throw new Error(`footlight setup ${client}: ${stderr}`)
}

// --- internal ---

async function perform(client: AgentClient, place: Place, way: Way, stage: Stage) {
  const env = {
    ...stage.env,
    FOOTLIGHT: stage.command,
    ...(place.url !== undefined && { FOOTLIGHT_URL: place.url }),
    MODEL_URL: place.model,
    PROMPT: prompt,
    ...client.env?.(place),
  }
  writeHome(env.HOME, client.home?.(stage.project))
  if (place.url !== undefined) writeHome(env.HOME, client.remote?.(place.url))
  else if (client.setup) configure(client.setup, way === 'project' ? 'project' : 'user', stage)
  const since = performance.now()
  const ending = await ended(client.command(place), env, stage.project)
  const ms = performance.now() - since
  return { ...ending, ms, left: await endProcessesOf(env.HOME) }
}

// Packages are looked for beside a program, so the programs lie where they seem to be.
function programsBeside(modules: string, root: string): string {
  const folder = join(root, 'programs')
  const source = join(import.meta.dir, '../programs')
  mkdirSync(folder)
  symlinkSync(modules, join(folder, 'node_modules'))
  for (const name of readdirSync(source)) copyFileSync(join(source, name), join(folder, name))
  return folder
}

function writeHome(home: string, files: Readonly<Record<string, string>> = {}): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
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
