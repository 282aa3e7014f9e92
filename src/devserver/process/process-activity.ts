// What the processes of a server do at the moment: where they listen, and how much they work. Known on Linux only.

import { readdirSync } from 'node:fs'
import process from 'node:process'
import { findUnsharedLoopback, readListeningSockets, type ListeningSocket } from './listening-sockets.ts'
import type { ProcessTree } from './process-tree.ts'
import { readSocketInodes, readStatFields } from '../../runtime/processes/proc-files.ts'

export interface ProcessActivity {
  /** The TCP ports on which they listen, lowest first. */
  readonly ports: readonly number[]
  /** Whether they listen on this port; undefined if unknown. */
  listens(port: number): boolean | undefined
  /** Their loopback address if another program has the same port at the other one, so that `localhost` is ambiguous. */
  loopbackAt(port: number): string | undefined
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
      cpuTicks: undefined,
      isRunning: false,
    }
  const pids = tree.members().map(({ pid }) => pid)
  const inodes = new Set(pids.flatMap(readSocketInodes))
  const sockets = readListeningSockets()
  const isOurs = ({ inode }: ListeningSocket) => inodes.has(inode)
  const ports = sortedPortsOf(sockets.filter(isOurs))
  const isHidden = pids.some(hasHiddenFiles)
  const stats = pids.map(readStatFields)
  return {
    ports,
    listens: (port) => ports.includes(port) || (isHidden ? undefined : false),
    loopbackAt: (port) =>
      findUnsharedLoopback(
        sockets.filter((socket) => socket.port === port),
        isOurs,
      ),
    cpuTicks: stats.reduce((sum, fields) => sum + Number(fields[11] ?? 0) + Number(fields[12] ?? 0), 0),
    isRunning: stats.some(([state = '']) => 'RD'.includes(state) && state !== ''),
  }
}

/** Whether nothing listens on this port; undefined if unknown. */
export const hasNoListener = (port: number): boolean | undefined =>
  process.platform === 'linux' ? !readListeningSockets().some((socket) => socket.port === port) : undefined

// --- internal ---

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
