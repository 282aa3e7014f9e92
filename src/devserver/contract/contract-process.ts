// Verifies that the process named by a start document is the server of that command.

import process from 'node:process'
import { identify, type ProcessIdentity } from '../process/process-table.ts'
import type { ProcessTree } from '../process/process-tree.ts'

/** The identity of the process if it grew from the command or started after it, or if its start cannot be read; else undefined. Never init,
 * this process or its parent. */
export function identifyServerProcess(
  pid: number | undefined,
  tree: ProcessTree,
  commandStartTicks: number | undefined,
): ProcessIdentity | undefined {
  if (pid === undefined || [0, 1, process.pid, process.ppid].includes(pid)) return undefined
  const identity = identify(pid)
  const isLater = commandStartTicks === undefined || Number(identity?.startTime) >= commandStartTicks
  return isLater || tree.members().some((member) => member.pid === pid) ? identity : undefined
}
