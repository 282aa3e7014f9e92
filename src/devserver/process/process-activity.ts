// What the processes of a server do at the moment: where they listen, and how much they work. Known on Linux only.

import { readdirSync } from 'node:fs'
import process from 'node:process'
import { findUnsharedLoopback, readListeningSockets, type ListeningSocket } from './listening-sockets.ts'
import type { ProcessEntry } from './process-table.ts'
import type { ProcessTree } from './process-tree.ts'
import { readSocketInodes, readStatFields } from '../../runtime/processes/proc-files.ts'

export interface ProcessActivity {
  /** The TCP ports on which they listen, lowest first. */
  readonly ports: readonly number[]
  /** Whether they listen on this port; undefined if unknown. */
  listens(port: number): boolean | undefined
  /** Their loopback address if another program has the same port at the other one, so that `localhost` is ambiguous. */
  loopbackAt(port: number): string | undefined
  /** The processes that listen on this port. */
  holdersOf(port: number): readonly ProcessEntry[]
  /** Whether processes run that neither descend from those that listen on this port nor are their ancestors. */
  hasOthersThan(port: number): boolean
  /** CPU time of the running ones in clock ticks; undefined if unknown. */
  readonly cpuTicks: number | undefined
  /** Whether one of them is runnable or waits for a disk; on a busy machine it may be without using CPU time. */
  readonly isRunning: boolean
}

export function readActivity(tree: ProcessTree): ProcessActivity {
  if (process.platform !== 'linux')
    return {
      ports: [],
      listens: () => undefined,
      loopbackAt: () => undefined,
      holdersOf: () => [],
      hasOthersThan: () => false,
      cpuTicks: undefined,
      isRunning: false,
    }
  const members = tree.members()
  const pids = members.map(({ pid }) => pid)
  const inodesByPid = new Map(pids.map((pid) => [pid, readSocketInodes(pid)]))
  const inodes = new Set([...inodesByPid.values()].flat())
  const sockets = readListeningSockets()
  const isOurs = ({ inode }: ListeningSocket) => inodes.has(inode)
  const ports = sortedPortsOf(sockets.filter(isOurs))
  const isHidden = pids.some(hasHiddenFiles)
  const stats = pids.map(readStatFields)
  const holdersOf = (port: number) => {
    const inodesAtPort = sockets.filter((socket) => socket.port === port).map(({ inode }) => inode)
    return members.filter(({ pid }) => inodesByPid.get(pid)?.some((inode) => inodesAtPort.includes(inode)))
  }
  return {
    ports,
    listens: (port) => ports.includes(port) || (isHidden ? undefined : false),
    loopbackAt: (port) =>
      findUnsharedLoopback(
        sockets.filter((socket) => socket.port === port),
        isOurs,
      ),
    holdersOf,
    hasOthersThan: (port) => hasOthers(members, holdersOf(port)),
    cpuTicks: stats.reduce((sum, fields) => sum + Number(fields[11] ?? 0) + Number(fields[12] ?? 0), 0),
    isRunning: stats.some(([state = '']) => 'RD'.includes(state) && state !== ''),
  }
}

/** Whether nothing listens on this port; undefined if unknown. */
export const hasNoListener = (port: number): boolean | undefined =>
  process.platform === 'linux' ? !readListeningSockets().some((socket) => socket.port === port) : undefined

// --- internal ---

function hasOthers(members: readonly ProcessEntry[], holders: readonly ProcessEntry[]): boolean {
  const byPid = new Map(members.map((entry) => [entry.pid, entry]))
  const lineOf = (entry: ProcessEntry | undefined): number[] =>
    entry ? [entry.pid, ...lineOf(byPid.get(entry.parent))] : []
  const line = new Set(holders.flatMap(lineOf))
  const isBelow = (entry: ProcessEntry) =>
    lineOf(entry).some((pid) => holders.some((holder) => holder.pid === pid))
  return holders.length > 0 && members.some((entry) => !line.has(entry.pid) && !isBelow(entry))
}

const sortedPortsOf = (sockets: readonly ListeningSocket[]): number[] =>
  [...new Set(sockets.map(({ port }) => port))].sort((a, b) => a - b)

// The open files of a program with its own privileges cannot be read, not even by its parent.
function hasHiddenFiles(pid: number): boolean {
  try {
    readdirSync(`/proc/${pid}/fd`)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}
