// Limits the memory of this process and its descendants. A measurement is slow, so it runs in the background, and a session is admitted
// based on the last one; before a session is denied, a new one is made. Only on Linux, because other systems need another program for it.

import { readdir, readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import type { Failure } from '../base/failure.ts'
import { readFile as readFileText } from '../base/system/proc-files.ts'
import type { SessionsState } from './store/session.ts'
import type { MemoryWatch } from './types/owned-session.ts'
import type { MemoryLimit } from './types/session-options.ts'

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

// The memory of the machine, or the limit of this process's control group (cgroup), as in a container. Version 2 has one tree of groups,
// version 1 one for each controller.
/** The memory in bytes that this process may use at most. `root` is the folder that contains `proc` and `sys`. */
export function readMachineMemory(total: number = totalmem(), root = '/'): number {
  const groups = readFileText(join(root, 'proc/self/cgroup')).split('\n')
  const limits = groups
    .flatMap(limitFilesOf)
    .map((file) => parseLimit(readFileText(join(root, 'sys/fs/cgroup', file))))
  return Math.min(total, ...limits)
}

// A line is `number:controllers:path`; in version 2 the controllers are empty. The limit of a group also applies to the groups below it. A
// container may see its own group as the root, whatever the path in the file.
function limitFilesOf(line: string): readonly string[] {
  const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
  if (path === undefined || controllers === undefined) return []
  const groups = ancestorsOf(path)
  if (controllers === '')
    return groups.flatMap((group) => [`${group}/memory.max`, `unified${group}/memory.max`])
  return controllers.split(',').includes('memory')
    ? groups.map((group) => `memory${group}/memory.limit_in_bytes`)
    : []
}

function ancestorsOf(path: string): readonly string[] {
  const paths = [path]
  for (let current = path; dirname(current) !== current; current = dirname(current))
    paths.push(dirname(current))
  return paths
}

// Without a limit version 2 has "max", version 1 a number larger than any memory.
const parseLimit = (text: string): number => (/^\d+\s*$/.test(text) ? Number(text) : Infinity)
