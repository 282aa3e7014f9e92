// The calling agent: the client of which a command is run, which owns the sessions that are opened: they end with it. Whatever stands between, shells,
// scripts, interpreters and build tools, is passed over; where no client is known the sessions are the work tree's.

import process from 'node:process'
import { readProcFile, readStatFields } from '../../core/base/system/proc-files.ts'
import { isClientProgram } from '../lib/client-programs.ts'

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
  /** Its command line. */
  readonly words: () => readonly string[]
}

type FindProcess = (pid: number) => Promise<ProcessFacts | undefined>

/** The agent that calls this process. `ownerPid` and the variable FOOTLIGHT_AGENT name it; else it is the nearest ancestor that is a known client. */
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
  for (let pid = parent, count = 0; pid > 1 && count < ANCESTOR_LIMIT; count += 1) {
    const facts = await findProcess(pid)
    if (!facts || isClientProgram(facts.name, facts.words())) return facts
    pid = facts.parent
  }
  return undefined
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
