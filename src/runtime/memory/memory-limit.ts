// Limits the memory of this process and its descendants. A measurement is slow, so it runs in the background, and a session is admitted
// based on the last one; before a session is denied, a new one is made. Only on Linux, because other systems need another program for it.

import { readdir, readFile } from 'node:fs/promises'
import process from 'node:process'
import type { Failure } from '../../core/failure.ts'
import type { SessionsState } from '../../core/session/session.ts'

export interface MemoryWatch {
  /** The memory in bytes at the last measurement; starts a new one if it is older than a few seconds. */
  lastBytes(): number
  /** Measures the memory in bytes. */
  measure(): Promise<number>
}

export interface MemoryLimit {
  /** Megabytes above which no session is opened; 0 or undefined is no limit. */
  readonly memoryLimit: number | undefined
  /** The memory of the machine in megabytes, if the limit is a quarter of it. */
  readonly memoryTotal?: number
}

const MEASUREMENT_MAXIMUM_AGE_MS = 2000
const PROCESS_DEPTH_LIMIT = 50

/** RESOURCE_EXHAUSTED if there is no memory for one more session; undefined if there is, without a promise if the last measurement is
 * enough to decide. Only a new measurement denies a session. Without open sessions nothing is denied: the browser itself needs what is
 * in use. */
export function checkMemory(
  limits: MemoryLimit,
  { byId }: SessionsState,
  memory: MemoryWatch,
): Promise<Failure | undefined> | undefined {
  const { memoryLimit } = limits
  if (!memoryLimit || toMegabytes(memory.lastBytes()) <= memoryLimit) return undefined
  const isAlone = [...byId.values()].every(({ status }) => status === 'closing')
  return isAlone
    ? undefined
    : memory.measure().then((bytes) => checkLimit(toMegabytes(bytes), memoryLimit, limits))
}

const toMegabytes = (bytes: number): number => Math.round(bytes / 1e6)

function checkLimit(usedMb: number, memoryLimit: number, { memoryTotal }: MemoryLimit): Failure | undefined {
  if (usedMb <= memoryLimit) return undefined
  const source = memoryTotal === undefined ? '--memory-limit' : `a quarter of ${memoryTotal} MB`
  const text = `footlight, its browsers and dev servers use ${usedMb} MB; no new session is opened above ${memoryLimit} MB (${source})`
  const next =
    'Close a session with close_session (list_sessions names yours), or start footlight with a higher --memory-limit.'
  return { code: 'RESOURCE_EXHAUSTED', resource: 'memory', text, next }
}

export function createMemoryWatch(measureBytes: () => Promise<number> = measureProcessTree): MemoryWatch {
  let lastBytes = 0
  let measuredAt = -Infinity
  let measuring: Promise<number> | undefined
  const measure = (): Promise<number> => {
    measuredAt = performance.now()
    measuring ??= measureBytes()
      .then(
        (bytes) => (lastBytes = bytes),
        () => lastBytes,
      )
      .finally(() => (measuring = undefined))
    return measuring
  }
  return {
    lastBytes() {
      if (performance.now() - measuredAt > MEASUREMENT_MAXIMUM_AGE_MS) void measure()
      return lastBytes
    },
    measure,
  }
}

/** The proportional set size (PSS) in bytes of this process and its descendants: shared memory is counted once. */
async function measureProcessTree(): Promise<number> {
  if (process.platform !== 'linux') return 0
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = new Map(
    await Promise.all(
      pids.map(async (pid) => [pid, /\) \w (\d+)/.exec(await readText(`/proc/${pid}/stat`))?.[1]] as const),
    ),
  )
  const ownPid = String(process.pid)
  const isDescendant = (pid: string | undefined, depth = 0): boolean =>
    pid === ownPid ||
    (pid !== undefined && depth < PROCESS_DEPTH_LIMIT && isDescendant(parents.get(pid), depth + 1))
  const shares = await Promise.all(pids.filter((pid) => isDescendant(pid)).map(shareOf))
  return shares.reduce((sum, share) => sum + share, 0)
}

const shareOf = async (pid: string): Promise<number> =>
  Number(/^Pss:\s+(\d+) kB/m.exec(await readText(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024

const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
