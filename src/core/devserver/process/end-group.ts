// Ends a server as a runner of tests does: only the process group of its command gets a signal. What matters of the others is whether they
// keep the output of the command open, for which a runner waits, or a port, which the next run finds taken.

import type { GroupEnd } from '../../sessions/types/servers.ts'
import { pollUntil, type ServerProcess } from './child-process.ts'
import { describeHolder, readHolder } from './port-holders.ts'
import { readActivity } from './process-activity.ts'
import { identify, signalProcess } from './process-table.ts'
import { readOutputs } from './process-tree.ts'

const GRACE_MS = 5000
// The end of a parent may end a child, by its input or its terminal.
const LAST_MS = 1000

/** Undefined if all that matters is in the group, or if nothing is known about it; then nothing is signalled. */
export async function endGroup({
  pid,
  tree,
}: Pick<ServerProcess, 'pid' | 'tree'>): Promise<GroupEnd | undefined> {
  const leader = identify(pid)
  const outputs = readOutputs(pid)
  if (!leader || outputs.length === 0) return undefined
  const findOthers = () => {
    const activity = readActivity(tree)
    const holders = new Set(activity.ports.flatMap(activity.holdersOf).map((entry) => entry.pid))
    return tree
      .members()
      .filter(({ group }) => group !== pid)
      .map((entry) => entry.pid)
      .filter((other) => holders.has(other) || readOutputs(other).some((link) => outputs.includes(link)))
  }
  if (findOthers().length === 0) return undefined
  const areGone = () => findOthers().length === 0 && tree.members().every(({ group }) => group !== pid)
  signalProcess(leader, 'SIGTERM', 'group')
  if (await pollUntil(areGone, GRACE_MS)) return {}
  signalProcess(leader, 'SIGKILL', 'group')
  await pollUntil(areGone, LAST_MS)
  const [left] = findOthers()
  return left === undefined ? {} : { left: describeHolder(readHolder(left)) }
}
