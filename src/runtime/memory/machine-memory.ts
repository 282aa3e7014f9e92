// The memory of the machine, or the limit of this process's control group (cgroup), as in a container. Version 2 has one tree of groups,
// version 1 one for each controller.

import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'

/** The memory in bytes that this process may use at most. `root` is the folder that contains `proc` and `sys`. */
export function readMachineMemory(total: number = totalmem(), root = '/'): number {
  const groups = readText(join(root, 'proc/self/cgroup')).split('\n')
  const limits = groups
    .flatMap(limitFilesOf)
    .map((file) => parseLimit(readText(join(root, 'sys/fs/cgroup', file))))
  return Math.min(total, ...limits)
}

// --- internal ---

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

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
