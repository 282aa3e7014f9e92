// Processes that are ours: started in a group of their own, with a tag in their environment that their descendants inherit. A
// daemon that leaves the group still carries the tag, and that is how it is found.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import process from 'node:process'
import {
  findUnsharedLoopback,
  readProcTable,
  readListeningSockets,
  type ListeningSocket,
} from './listening-sockets.ts'

export const SERVER_TAG_VARIABLE = 'FOOTLIGHT_SERVER'

/** Living processes that carry this tag. Only Linux tells the environment of a process without another program. */
export function findTaggedProcesses(tag: string): number[] {
  const assignment = `${SERVER_TAG_VARIABLE}=${tag}`
  return listPids().filter(
    (pid) =>
      readProcFile(pid, 'environ').split('\0').includes(assignment) &&
      !/\) Z /.test(readProcFile(pid, 'stat')),
  )
}

/** The TCP ports on which our processes listen, lowest first. */
export function findListeningPorts(tag: string, leader: number): number[] {
  return [...readActivity(tag, leader).ports]
}

/** What our processes do now, read once. */
export interface ProcessActivity {
  readonly ports: readonly number[]
  /** Whether they listen on this port; undefined when it cannot be told. */
  listens(port: number): boolean | undefined
  /** The loopback address that leads to them where `localhost` leads to another program too. */
  loopbackAt(port: number): string | undefined
  /** Processor time that the living ones have used, in clock ticks; undefined where it is not told. */
  readonly cpuTicks: number | undefined
  /** Whether one of them computes or waits for a disk; on a machine that is busy it may do so without using time. */
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

/** Whether nobody listens on this port, or undefined where that cannot be read. */
export function hasNoListener(port: number): boolean | undefined {
  return process.platform === 'linux'
    ? !readListeningSockets().some((socket) => socket.port === port)
    : undefined
}

/** Whether anything of the group or with the tag still lives. */
export function isAnyAlive(tag: string, leader: number): boolean {
  if (process.platform !== 'linux') return sendSignal(-leader, 0)
  return findTaggedProcesses(tag).length > 0 || listPids().some((pid) => readProcessGroup(pid) === leader)
}

/** Sends a signal to the group and to every tagged process. */
export function signalAll(tag: string, leader: number, signal: NodeJS.Signals): void {
  const targets = [...(Number.isNaN(leader) ? [] : [-leader]), ...findTaggedProcesses(tag)]
  for (const target of targets) sendSignal(target, signal)
}

/** Clock ticks since the machine started, or undefined where that is not told. */
export function readUptimeTicks(): number | undefined {
  const uptime = Number.parseFloat(readProcTable('/proc/uptime', 0)[0] ?? '')
  return Number.isNaN(uptime) ? undefined : Math.floor(uptime * 100)
}

/** When a process started, in ticks; with its pid that is its identity, because pids are given again. */
export function readStartTicks(pid: number): number | undefined {
  const fields = readProcFile(pid, 'stat').split(') ')[1]?.split(' ')
  return fields ? Number(fields[19]) : undefined
}

export function isAlive(pid: number): boolean {
  return (sendSignal(pid, 0) || isForeign(pid)) && !/\) Z /.test(readProcFile(pid, 'stat'))
}

// A process of another user cannot be signalled, but it lives.
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

// The dead that nobody has collected yet belong to no group here.
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

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readProcFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

// A program with rights of its own shows its open files to nobody, not even to who started it.
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
