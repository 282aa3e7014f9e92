// Processes that are ours: started in a group of their own, with a tag in their environment that their descendants inherit. A
// daemon that leaves the group still carries the tag, and that is how it is found.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import process from 'node:process'
import { loopbackFor, readTable, sockets, type Socket } from './listening-sockets.ts'

export const SERVER_TAG_VARIABLE = 'FOOTLIGHT_SERVER'

/** Living processes that carry this tag. Only Linux tells the environment of a process without another program. */
export function taggedProcesses(tag: string): number[] {
  const mark = `${SERVER_TAG_VARIABLE}=${tag}`
  return pids().filter(
    (pid) => read(pid, 'environ').split('\0').includes(mark) && !/\) Z /.test(read(pid, 'stat')),
  )
}

/** The TCP ports on which our processes listen, lowest first. */
export function portsOf(tag: string, leader: number): number[] {
  return [...activityOf(tag, leader).ports]
}

/** What our processes do now, read once. */
export interface Activity {
  readonly ports: readonly number[]
  /** Whether they listen on this port; undefined when it cannot be told. */
  listens(port: number): boolean | undefined
  /** The loopback address that leads to them where `localhost` leads to another program too. */
  loopbackAt(port: number): string | undefined
  /** Processor time that the living ones have used, in clock ticks; undefined where it is not told. */
  readonly ticks: number | undefined
  /** Whether one of them computes or waits for a disk; on a machine that is busy it may do so without using time. */
  readonly isRunning: boolean
}

export function activityOf(tag: string, leader: number): Activity {
  if (process.platform !== 'linux')
    return {
      ports: [],
      listens: () => undefined,
      loopbackAt: () => undefined,
      ticks: undefined,
      isRunning: false,
    }
  const ours = members(tag, leader)
  const inodes = new Set(ours.flatMap(inodesOf))
  const all = sockets()
  const isHeld = ({ inode }: Socket) => inodes.has(inode)
  const ports = portsIn(all.filter(isHeld))
  const isHidden = ours.some(isClosed)
  return {
    ports,
    listens: (port) => ports.includes(port) || (isHidden ? undefined : false),
    loopbackAt: (port) =>
      loopbackFor(
        all.filter((socket) => socket.port === port),
        isHeld,
      ),
    ticks: ours.reduce((sum, pid) => sum + usedBy(pid), 0),
    isRunning: ours.some((pid) => /\) [RD] /.test(read(pid, 'stat'))),
  }
}

/** Whether nobody listens on this port, or undefined where that cannot be read. */
export function hasUnreadConnections(port: number): boolean | undefined {
  return process.platform === 'linux' ? !sockets().some((socket) => socket.port === port) : undefined
}

/** Whether anything of the group or with the tag still lives. */
export function anyAlive(tag: string, leader: number): boolean {
  if (process.platform !== 'linux') return sendSignal(-leader, 0)
  return taggedProcesses(tag).length > 0 || pids().some((pid) => groupOf(pid) === leader)
}

/** Sends a signal to the group and to every tagged process. */
export function signalAll(tag: string, leader: number, signal: NodeJS.Signals): void {
  const targets = [...(Number.isNaN(leader) ? [] : [-leader]), ...taggedProcesses(tag)]
  for (const target of targets) sendSignal(target, signal)
}

/** Clock ticks since the machine started, or undefined where that is not told. */
export function ticks(): number | undefined {
  const uptime = Number.parseFloat(readTable('/proc/uptime', 0)[0] ?? '')
  return Number.isNaN(uptime) ? undefined : Math.floor(uptime * 100)
}

/** When a process started, in ticks; with its pid that is its identity, because pids are given again. */
export function startTimeOf(pid: number): number | undefined {
  const fields = read(pid, 'stat').split(') ')[1]?.split(' ')
  return fields ? Number(fields[19]) : undefined
}

export function alive(pid: number): boolean {
  return (sendSignal(pid, 0) || isOthers(pid)) && !/\) Z /.test(read(pid, 'stat'))
}

// A process of another user cannot be signalled, but it lives.
function isOthers(pid: number): boolean {
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
function groupOf(pid: number): number | undefined {
  const [, state, , group] = /\) (\w) (\d+) (\d+)/.exec(read(pid, 'stat')) ?? []
  return state === 'Z' || group === undefined ? undefined : Number(group)
}

const pids = (): number[] =>
  process.platform === 'linux'
    ? names('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : []

const portsIn = (listening: readonly Socket[]): number[] =>
  [...new Set(listening.map(({ port }) => port))].sort((a, b) => a - b)

function usedBy(pid: number): number {
  const fields = read(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}

const members = (tag: string, leader: number): number[] => [...new Set([leader, ...taggedProcesses(tag)])]

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

// A program with rights of its own shows its open files to nobody, not even to who started it.
function isClosed(pid: number): boolean {
  try {
    readdirSync(`/proc/${pid}/fd`)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}

function inodesOf(pid: number): string[] {
  return names(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
    } catch {
      return []
    }
  })
}
