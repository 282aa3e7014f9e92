// How much memory this process and all below it use. Looking takes a while, so it is done beside the work, and a session is let in on the
// last look; before one is refused there is a new look. Only Linux tells it without another program.

import { readdir, readFile } from 'node:fs/promises'
import process from 'node:process'
import type { Failure } from '../../core/failure.ts'
import type { SessionsState } from '../../core/session/session.ts'

export interface MemoryWatch {
  /** Bytes at the last look, which is a few seconds old at most once sessions are being opened. */
  used(): number
  /** Bytes now. */
  look(): Promise<number>
}

export interface MemoryLimit {
  /** Megabytes beyond which no further session is opened; 0 or undefined is no limit. */
  readonly memoryLimit: number | undefined
  /** Megabytes that there are, where the limit is a quarter of them. */
  readonly memoryTotal?: number
}

const AGE = 2000

/** Why there is no memory for one more session beside the open ones; undefined where there is, at once if the last look says so. An old
 * look refuses nobody. Where no session is open there is none to close, and what is in use is what the browser itself needs. */
export function memoryRefusal(
  limits: MemoryLimit,
  { byId }: SessionsState,
  memory: MemoryWatch,
): Promise<Failure | undefined> | undefined {
  const { memoryLimit } = limits
  if (!memoryLimit || megabytes(memory.used()) <= memoryLimit) return undefined
  const isAlone = [...byId.values()].every(({ status }) => status === 'closing')
  return isAlone ? undefined : memory.look().then((bytes) => exceeded(megabytes(bytes), memoryLimit, limits))
}

const megabytes = (bytes: number): number => Math.round(bytes / 1e6)

function exceeded(used: number, memoryLimit: number, { memoryTotal }: MemoryLimit): Failure | undefined {
  if (used <= memoryLimit) return undefined
  const whose = memoryTotal === undefined ? '--memory-limit' : `a quarter of ${memoryTotal} MB`
  const text = `footlight, its browsers and dev servers use ${used} MB; no new session is opened above ${memoryLimit} MB (${whose})`
  const next =
    'Close a session with close_session (list_sessions names yours), or start footlight with a higher --memory-limit.'
  return { code: 'RESOURCE_EXHAUSTED', resource: 'memory', text, next }
}

export function createMemoryWatch(measure: () => Promise<number> = measured): MemoryWatch {
  let last = 0
  let at = -Infinity
  let looking: Promise<number> | undefined
  const look = (): Promise<number> => {
    at = performance.now()
    looking ??= measure()
      .then(
        (bytes) => (last = bytes),
        () => last,
      )
      .finally(() => (looking = undefined))
    return looking
  }
  return {
    used() {
      if (performance.now() - at > AGE) void look()
      return last
    },
    look,
  }
}

/** What is shared is counted once: each process has its part of it. */
async function measured(): Promise<number> {
  if (process.platform !== 'linux') return 0
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = new Map(
    await Promise.all(
      pids.map(async (pid) => [pid, /\) \w (\d+)/.exec(await read(`/proc/${pid}/stat`))?.[1]] as const),
    ),
  )
  const own = String(process.pid)
  const below = (pid: string | undefined, steps = 0): boolean =>
    pid === own || (pid !== undefined && steps < 50 && below(parents.get(pid), steps + 1))
  const shares = await Promise.all(pids.filter((pid) => below(pid)).map(shareOf))
  return shares.reduce((sum, share) => sum + share, 0)
}

const shareOf = async (pid: string): Promise<number> =>
  Number(/^Pss:\s+(\d+) kB/m.exec(await read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
