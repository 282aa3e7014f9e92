// The calling agent: the process that outlives a command, such as the program of an agent, a script, or the terminal of a person. It owns the
// sessions that are opened, and they end with it.

import process from 'node:process'
import { readProcFile, readStatFields } from '../../core/base/system/proc-files.ts'

export interface CallingAgent {
  /** Tells it from the other agents of the user. */
  readonly key: string
  /** The process whose end ends the sessions; undefined if only a name is known. */
  readonly owner?: OwnerProcess
}

export interface OwnerProcess {
  readonly pid: number
  /** Tells it from a later process with this number. */
  readonly startTime: string
}

interface ProcessFacts extends OwnerProcess {
  readonly parent: number
  readonly name: string
  /** Read only where the name does not tell what the process is. */
  readonly words: () => readonly string[]
}

type FindProcess = (pid: number) => Promise<ProcessFacts | undefined>

/** The agent that calls this process. `ownerPid` and the variable FOOTLIGHT_AGENT name it; else it is the nearest ancestor that is neither a shell nor
 * runs a package. */
export async function findCallingAgent(
  ownerPid: number | undefined,
  env: NodeJS.ProcessEnv = process.env,
  findProcess: FindProcess = findProcessOf(process.platform),
): Promise<CallingAgent> {
  const name = env['FOOTLIGHT_AGENT']
  if (ownerPid === undefined && name) return { key: `name ${name}` }
  const owner = await (ownerPid === undefined ? findOwner(process.ppid, findProcess) : findProcess(ownerPid))
  if (!owner) return { key: 'user' }
  const { pid, startTime } = owner
  return { key: `process ${pid} ${startTime}`, owner: { pid, startTime } }
}

const ANCESTOR_LIMIT = 40

async function findOwner(parent: number, findProcess: FindProcess): Promise<ProcessFacts | undefined> {
  let last: ProcessFacts | undefined
  for (let pid = parent, count = 0; pid > 1 && count < ANCESTOR_LIMIT; count += 1) {
    const facts = await findProcess(pid)
    if (!facts) break
    last = facts
    if (!isPassedOver(facts)) return facts
    pid = facts.parent
  }
  // In a container everything may descend from a shell.
  return last
}

const SHELL =
  /^-?(sh|bash|dash|zsh|fish|ksh|mksh|ash|tcsh|csh|nu|elvish|xonsh|pwsh|powershell|cmd|busybox)(\.exe)?$/
const WRAPPER =
  /^(env|time|timeout|nice|ionice|nohup|setsid|stdbuf|script|unbuffer|xargs|sudo|doas|su|runuser|setpriv|bwrap|firejail|sandbox-exec|make|gmake|just|task)$/
const RUNNER = /^(npm|npx|pnpm|pnpx|yarn|yarnpkg|corepack|bunx|footlight)([ .]|$)/
const RUNTIME = /^(node|bun|deno|MainThread)(\.exe)?$/
const RUNNER_SCRIPT = /[\\/](npm|npx|pnpm|pnpx|yarn|yarnpkg|corepack|footlight)(-cli)?(\.[cm]?js)?$/

function isPassedOver({ name, words }: ProcessFacts): boolean {
  if (SHELL.test(name) || WRAPPER.test(name) || RUNNER.test(name)) return true
  if (!RUNTIME.test(name)) return false
  const [, script = '', task = ''] = words().filter((word, index) => index === 0 || !word.startsWith('-'))
  const isBunRunner = name.startsWith('bun') && (script === 'run' || script === 'x') && !/[\\/.]/.test(task)
  return RUNNER_SCRIPT.test(script) || isBunRunner
}

const findProcessOf = (platform: NodeJS.Platform): FindProcess =>
  platform === 'linux'
    ? async (pid) => readProcess(pid)
    : platform === 'win32'
      ? async () => undefined
      : createPsReader()

function readProcess(pid: number): ProcessFacts | undefined {
  const fields = readStatFields(pid)
  const { 1: parent, 19: startTime } = fields
  if (startTime === undefined) return undefined
  return {
    pid,
    startTime,
    parent: Number(parent),
    name: readProcFile(pid, 'comm').trim(),
    words: () => readProcFile(pid, 'cmdline').split('\0').filter(Boolean),
  }
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/

function createPsReader(): FindProcess {
  let processes: Promise<ReadonlyMap<number, ProcessFacts>> | undefined
  return async (pid) => (await (processes ??= listByPs())).get(pid)
}

async function listByPs(): Promise<ReadonlyMap<number, ProcessFacts>> {
  const { spawnSync } = await import('node:child_process')
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  const columns = 'pid=,ppid=,lstart=,command='
  const { stdout } = spawnSync('ps', ['-axww', '-o', columns], { encoding: 'utf8', env })
  return new Map(
    stdout.split('\n').flatMap((line): [number, ProcessFacts][] => {
      const [, pid, parent, startTime = '', command = ''] = PS_LINE.exec(line) ?? []
      if (pid === undefined) return []
      const words = command.split(' ')
      const name = (words[0] ?? '').replace(/^.*\//, '')
      const facts = { startTime: startTime.replace(/\s+/g, '_'), name, words: () => words }
      return [[Number(pid), { pid: Number(pid), parent: Number(parent), ...facts }]]
    }),
  )
}
