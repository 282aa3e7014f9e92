// The processes of a server: those that grew from its command, whatever group or session they are in now. What left the tree between two
// looks is found by the tag in its environment, which descendants inherit.

import {
  identify,
  listProcesses,
  signalProcess,
  type ProcessEntry,
  type ProcessIdentity,
} from './process-table.ts'
import { readProcFile } from '../../runtime/processes/proc-files.ts'

export const SERVER_TAG_VARIABLE = 'FOOTLIGHT_SERVER'

export interface ProcessTree {
  /** The running processes of the tree. It is a look at all processes of the machine. */
  members(): readonly ProcessIdentity[]
  isAlive(): boolean
  signal(signal: NodeJS.Signals): void
  /** Notes what is left of the group of the leader. It is called when the leader has just ended: soon its number may be another's. */
  keepGroup(): void
}

/** The tree of the process with this number, which leads a process group, and of all processes with the tag. */
export function createProcessTree(tag: string, leaderPid?: number): ProcessTree {
  const leader = leaderPid === undefined ? undefined : identify(leaderPid)
  const isTagged = (entry: ProcessEntry) => !isOlder(entry, leader) && hasTag(entry.pid, tag)
  let known: readonly ProcessIdentity[] = leader ? [leader] : []
  const look = (groups?: readonly number[]) => (known = selectTree(listProcesses(), known, isTagged, groups))
  return {
    members: look,
    isAlive: () => look().length > 0,
    keepGroup: () => void (leader && look([leader.pid])),
    signal(signal) {
      const targets = look()
      // What is just being started is in the group already.
      if (leader && targets.some(({ pid }) => pid === leader.pid)) signalProcess(leader, signal, 'group')
      for (const target of targets) signalProcess(target, signal)
    },
  }
}

/** The processes that are known, are in the process group of a known one, have the tag, or descend from one of these. `groups` are known to
 * be of the tree; other numbers of groups and parents are taken only from processes that are running, because they may be given anew. */
export function selectTree(
  processes: readonly ProcessEntry[],
  known: readonly ProcessIdentity[],
  isTagged: (entry: ProcessEntry) => boolean,
  groups: readonly number[] = [],
): ProcessEntry[] {
  const startTimes = new Map(known.map(({ pid, startTime }) => [pid, startTime]))
  const isKnown = ({ pid, startTime }: ProcessEntry) =>
    startTimes.has(pid) && startTimes.get(pid) === startTime
  const treeGroups = new Set([...groups, ...processes.filter(isKnown).map(({ group }) => group)])
  const selected = new Map<number, ProcessEntry>()
  for (const entry of processes)
    if (isKnown(entry) || treeGroups.has(entry.group) || isTagged(entry)) selected.set(entry.pid, entry)
  for (let isComplete = false; !isComplete;) {
    const children = processes.filter(({ pid, parent }) => selected.has(parent) && !selected.has(pid))
    for (const child of children) selected.set(child.pid, child)
    isComplete = children.length === 0
  }
  return [...selected.values()]
}

// --- internal ---

// Only on Linux the environment of a process can be read without another program.
const hasTag = (pid: number, tag: string): boolean =>
  readProcFile(pid, 'environ').split('\0').includes(`${SERVER_TAG_VARIABLE}=${tag}`)

const isOlder = ({ startTime }: ProcessEntry, leader: ProcessIdentity | undefined): boolean =>
  leader?.startTime !== undefined && Number(startTime) < Number(leader.startTime)
