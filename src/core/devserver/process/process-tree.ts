// The processes of a server: those that grew from its command, whatever group, session or environment they have now. What left the tree
// between two looks is found by what descendants inherit: the mark, the session, the tag in the environment, and the pipes of the output.

import process from 'node:process'
import { readLink, readProcFile } from '../../base/system/proc-files.ts'
import { hasMark } from './inherited-mark.ts'
import {
  identify,
  listProcesses,
  type ProcessEntry,
  type ProcessIdentity,
  signalProcess,
} from './process-table.ts'

export const SERVER_TAG_VARIABLE = 'FOOTLIGHT_SERVER'

export interface ProcessTree {
  /** The running processes of the tree. It is a look at all processes of the machine. */
  members(): readonly ProcessEntry[]
  isAlive(): boolean
  signal(signal: NodeJS.Signals): void
  /** Notes what is left of the group of the leader. It is called when the leader has just ended: soon its number may be another's. */
  keepGroup(): void
}

/** The tree of the process with this number, which leads a process group, and of all processes with the tag or one of the `outputs`: links
 * as of `readOutputs`. `onLook` gets the running processes at each look. */
export function createProcessTree(
  tag: string,
  leaderPid?: number,
  outputs: readonly string[] = [],
  onLook: (members: readonly ProcessIdentity[]) => void = () => {},
): ProcessTree {
  const leader = leaderPid === undefined ? undefined : identify(leaderPid)
  const isMarked = (entry: ProcessEntry) =>
    !isOlder(entry, leader) &&
    (hasMark(entry.pid, tag) ||
      hasTag(entry.pid, tag) ||
      readOutputs(entry.pid).some((output) => outputs.includes(output)))
  let known: readonly ProcessIdentity[] = leader ? [leader] : []
  let sessions: ReadonlySet<number> = new Set(leader ? [leader.pid] : [])
  const look = (groups?: readonly number[]) => {
    const members = selectTree(listProcesses(), known, isMarked, { sessions, groups, ownPid: process.pid })
    sessions = selectSessions(members, sessions)
    known = members
    onLook(members)
    return members
  }
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

/** What the standard output and error of a process are, if they are pipes: a server has its own, which only its descendants have too. */
export const readOutputs = (pid: number): string[] =>
  [1, 2].map((fd) => readLink(`/proc/${pid}/fd/${fd}`)).filter((link) => /^(socket|pipe):/.test(link))

/** The processes that are known, are in the process group of a known one, have a mark of the tree, or descend from one of these. `groups`
 * are known to be of the tree while no other process has their number, and `sessions` while a known process is in them; other numbers of
 * groups and parents are taken only from processes that are running, because they may be given anew. */
export function selectTree(
  processes: readonly ProcessEntry[],
  known: readonly ProcessIdentity[],
  isMarked: (entry: ProcessEntry) => boolean,
  {
    groups = [],
    sessions = new Set(),
    ownPid,
  }: {
    groups?: readonly number[] | undefined
    sessions?: ReadonlySet<number>
    /** That of this process: it and its group are in no tree. */
    ownPid?: number
  } = {},
): ProcessEntry[] {
  const startTimes = new Map(known.map(({ pid, startTime }) => [pid, startTime]))
  const isKnown = ({ pid, startTime }: ProcessEntry) =>
    startTimes.has(pid) && startTimes.get(pid) === startTime
  const running = processes.filter(isKnown)
  // The number of a group that still has members is given to no process.
  const strangers = new Set(processes.filter((entry) => !isKnown(entry)).map(({ pid }) => pid))
  const treeGroups = new Set([
    ...groups.filter((group) => !strangers.has(group)),
    ...running.map(({ group }) => group),
  ])
  const own = processes.find(({ pid }) => pid === ownPid)
  if (own) treeGroups.delete(own.group)
  const treeSessions = selectSessions(running, sessions)
  const isInTree = (entry: ProcessEntry) =>
    isKnown(entry) ||
    treeGroups.has(entry.group) ||
    (entry.session !== undefined && treeSessions.has(entry.session)) ||
    isMarked(entry)
  const selected = new Map<number, ProcessEntry>()
  const others = processes.filter((entry) => entry !== own)
  for (const entry of others) if (isInTree(entry)) selected.set(entry.pid, entry)
  for (let isComplete = false; !isComplete;) {
    const children = others.filter(({ pid, parent }) => selected.has(parent) && !selected.has(pid))
    for (const child of children) selected.set(child.pid, child)
    isComplete = children.length === 0
  }
  return [...selected.values()]
}

// --- internal ---

// Those that began in the tree, and in which one of its processes is still: until then the number is given to no other.
const selectSessions = (members: readonly ProcessEntry[], before: ReadonlySet<number>): Set<number> =>
  new Set(
    members.flatMap(({ pid, session }) =>
      session !== undefined && (session === pid || before.has(session)) ? [session] : [],
    ),
  )

// Only on Linux the environment of a process can be read without another program.
const hasTag = (pid: number, tag: string): boolean =>
  readProcFile(pid, 'environ').split('\0').includes(`${SERVER_TAG_VARIABLE}=${tag}`)

const isOlder = ({ startTime }: ProcessEntry, leader: ProcessIdentity | undefined): boolean =>
  leader?.startTime !== undefined && Number(startTime) < Number(leader.startTime)
