// How much memory there is: the machine's, or less where a control group limits this process, as a container does. Version 2 of control
// groups keeps one tree, version 1 one for each kind of resource.

import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'

/** Bytes that may be used in all. `root` is where the machine's files are. */
export function machineMemory(total: number = totalmem(), root = '/'): number {
  const groups = read(join(root, 'proc/self/cgroup')).split('\n')
  const limits = groups.flatMap(filesOf).map((file) => limitIn(read(join(root, 'sys/fs/cgroup', file))))
  return Math.min(total, ...limits)
}

// --- internal ---

// A line is `number:kinds:path`; version 2 names no kinds. What holds a group in holds those below it too. A container may see its own
// group as the root, whatever path the file names.
function filesOf(line: string): readonly string[] {
  const [, kinds, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
  if (path === undefined || kinds === undefined) return []
  const groups = ancestorsOf(path)
  if (kinds === '') return groups.flatMap((group) => [`${group}/memory.max`, `unified${group}/memory.max`])
  return kinds.split(',').includes('memory')
    ? groups.map((group) => `memory${group}/memory.limit_in_bytes`)
    : []
}

function ancestorsOf(path: string): readonly string[] {
  const all = [path]
  for (let at = path; dirname(at) !== at; at = dirname(at)) all.push(dirname(at))
  return all
}

// Version 2 says "max" where there is no limit, version 1 a number beyond any machine.
const limitIn = (text: string): number => (/^\d+\s*$/.test(text) ? Number(text) : Infinity)

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
