// The processes of a server: started in their own process group, with a tag in the environment that descendants inherit. A daemon that
// leaves the group is found by its tag.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import process from 'node:process'
import {
  findUnsharedLoopback,
  readProcTable,
  readListeningSockets,
  type ListeningSocket,
} from './listening-sockets.ts'

export const SERVER_TAG_VARIABLE = 'FOOTLIGHT_SERVER'

/** The running processes with this tag. Only on Linux the environment of a process can be read without another program. */
export function findTaggedProcesses(tag: string): number[] {
  const assignment = `${SERVER_TAG_VARIABLE}=${tag}`
  return listPids().filter(
    (pid) =>
      readProcFile(pid, 'environ').split('\0').includes(assignment) &&
      !/\) Z /.test(readProcFile(pid, 'stat')),
  )
}

/** The TCP ports on which the processes of a server listen, lowest first. */
export function findListeningPorts(tag: string, leader: number): number[] {
  return [...readActivity(tag, leader).ports]
}

/** The current activity of the processes of a server. */
export interface ProcessActivity {
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

export function readActivity(tag: string, leader: number): ProcessActivity {
  if (process.platform !== 'linux')
    return {
      ports: [],
      listens: () => undefined,
      loopbackAt: () => undefined,
      cpuTicks: undefined,
      isRunning: false,
    }
  const pids = findMembers(tag, leader)
  const inodes = new Set(pids.flatMap(readSocketInodes))
  const sockets = readListeningSockets()
  const isOurs = ({ inode }: ListeningSocket) => inodes.has(inode)
  const ports = sortedPortsOf(sockets.filter(isOurs))
  const isHidden = pids.some(hasHiddenFiles)
  return {
    ports,
    listens: (port) => ports.includes(port) || (isHidden ? undefined : false),
    loopbackAt: (port) =>
      findUnsharedLoopback(
        sockets.filter((socket) => socket.port === port),
        isOurs,
      ),
    cpuTicks: pids.reduce((sum, pid) => sum + readCpuTicks(pid), 0),
    isRunning: pids.some((pid) => /\) [RD] /.test(readProcFile(pid, 'stat'))),
  }
}

/** Whether nothing listens on this port; undefined if unknown. */
export function hasNoListener(port: number): boolean | undefined {
  return process.platform === 'linux'
    ? !readListeningSockets().some((socket) => socket.port === port)
    : undefined
}

/** Whether any process of the group or with the tag is running. */
export function isAnyAlive(tag: string, leader: number): boolean {
  if (process.platform !== 'linux') return sendSignal(-leader, 0)
  return findTaggedProcesses(tag).length > 0 || listPids().some((pid) => readProcessGroup(pid) === leader)
}

/** Sends a signal to the group and to every tagged process. */
export function signalAll(tag: string, leader: number, signal: NodeJS.Signals): void {
  const targets = [...(Number.isNaN(leader) ? [] : [-leader]), ...findTaggedProcesses(tag)]
  for (const target of targets) sendSignal(target, signal)
}

/** Clock ticks since the machine started; undefined if unknown. */
export function readUptimeTicks(): number | undefined {
  const uptime = Number.parseFloat(readProcTable('/proc/uptime', 0)[0] ?? '')
  return Number.isNaN(uptime) ? undefined : Math.floor(uptime * 100)
}

/** The start time of a process in ticks; with the pid it identifies a process, because pids are reused. */
export function readStartTicks(pid: number): number | undefined {
  const fields = readProcFile(pid, 'stat').split(') ')[1]?.split(' ')
  return fields ? Number(fields[19]) : undefined
}

export function isAlive(pid: number): boolean {
  return (sendSignal(pid, 0) || isForeign(pid)) && !/\) Z /.test(readProcFile(pid, 'stat'))
}

// A process of another user cannot be signalled, but it is running.
function isForeign(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

// --- internal ---

// Zombies do not count.
function readProcessGroup(pid: number): number | undefined {
  const [, state, , group] = /\) (\w) (\d+) (\d+)/.exec(readProcFile(pid, 'stat')) ?? []
  return state === 'Z' || group === undefined ? undefined : Number(group)
}

const listPids = (): number[] =>
  process.platform === 'linux'
    ? listFolder('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : []

const sortedPortsOf = (sockets: readonly ListeningSocket[]): number[] =>
  [...new Set(sockets.map(({ port }) => port))].sort((a, b) => a - b)

function readCpuTicks(pid: number): number {
  const fields = readProcFile(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}

const findMembers = (tag: string, leader: number): number[] => [
  ...new Set([leader, ...findTaggedProcesses(tag)]),
]

/** The names in a folder; none if it cannot be read. */
export function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A file of a process in /proc; empty if it cannot be read. */
export function readProcFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

// The open files of a program with its own privileges cannot be read, not even by its parent.
function hasHiddenFiles(pid: number): boolean {
  try {
    readdirSync(`/proc/${pid}/fd`)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}

function readSocketInodes(pid: number): string[] {
  return listFolder(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
    } catch {
      return []
    }
  })
}
