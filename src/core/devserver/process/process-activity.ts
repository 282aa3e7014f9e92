// What the processes of a server do at the moment: where they listen, and how much they work. Known on Linux only.

import { readdirSync } from 'node:fs'
import process from 'node:process'
import {
  readProcFile,
  readSocketInodes,
  readStatFields,
  readTcpSockets,
} from '../../base/system/proc-files.ts'
import { portOf } from '../dev-server.ts'
import type { ProcessEntry } from './process-table.ts'
import type { ProcessTree } from './process-tree.ts'

export interface ProcessActivity {
  /** The TCP ports on which they listen, lowest first. */
  readonly ports: readonly number[]
  /** Whether they listen on this port; undefined if unknown. */
  listens(port: number): boolean | undefined
  /** The addresses at which they listen on this port, as hosts of URLs; none if unknown. */
  hostsAt(port: number): readonly string[]
  /** Their loopback address if another program has the same port at the other one, so that `localhost` is ambiguous. */
  loopbackAt(port: number): string | undefined
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
      hostsAt: () => [],
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
    hostsAt: (port) => sockets.filter((socket) => socket.port === port && isOurs(socket)).map(hostOfSocket),
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

/** Whether nothing listens on these ports; undefined if unknown. */
export const hasNoListener = (...ports: readonly number[]): boolean | undefined =>
  process.platform === 'linux' ? !readListeningSockets().some(({ port }) => ports.includes(port)) : undefined

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

/** How to let PORT through, by the name of the program that hides it. */
const REMEDIES: Readonly<Record<string, string>> = {
  turbo: 'add it to "passThroughEnv" of the task in turbo.json',
}
const OTHER_REMEDY = 'pass it on there, or pass the port of the server as "port"'

/** The listeners beside the one at `url`, as URLs where these were announced. */
export function describeOtherListeners(
  url: string,
  activity: ProcessActivity,
  announced: Iterable<string>,
): string {
  const others = activity.ports
    .filter((port) => port !== portOf(url))
    .map((port) => [...announced].findLast((other) => portOf(other) === port) ?? `port ${port}`)
  return others.length === 0 ? '' : ` (also listening: ${others.join(', ')})`
}

/** Says that the server did not take the port that its caller asked for; `hidden` is why, if that is known. */
export const describeIgnoredPort = (port: number, hidden: string): string =>
  `It did not take port ${port}: ${hidden || 'its program may not read PORT; pass the port in the command, as in "npm run dev -- --port 5199"'}`

/** Says which program of the command starts others without the variable PORT, if the server does not listen there; else empty. `members`
 * are the running processes of the command. */
export function describeHiddenPort(members: readonly ProcessEntry[], port: number): string {
  const hasPort = (pid: number) => readProcFile(pid, 'environ').split('\0').includes(`PORT=${port}`)
  // A program that writes its title over its environment has no PATH either.
  const lacksPort = (pid: number) => /(^|\0)PATH=/.test(readProcFile(pid, 'environ')) && !hasPort(pid)
  const first = members.find(
    ({ pid, parent }) => lacksPort(pid) && members.some((entry) => entry.pid === parent) && hasPort(parent),
  )
  if (!first) return ''
  const name = readProcFile(first.parent, 'comm').trim()
  return `${name} does not pass PORT on: ${REMEDIES[name] ?? OTHER_REMEDY}`
}

// The listening TCP sockets, from /proc on Linux.
interface ListeningSocket {
  readonly port: number
  /** The local address as in /proc/net: little-endian words in hex. */
  readonly address: string
  readonly inode: string
}

export const readListeningSockets = (): ListeningSocket[] =>
  readTcpSockets().flatMap(({ isListening, local, inode }) => (isListening ? [{ ...local, inode }] : []))

/** The address of a socket as the host of a URL; an IPv4 address mapped into IPv6 as itself. */
function hostOfSocket({ address }: ListeningSocket): string {
  const words = (address.match(/.{8}/g) ?? []).map((word) => (word.match(/../g) ?? []).toReversed().join(''))
  const isMapped = words.length === 4 && words.slice(0, 3).join('') === '00000000000000000000FFFF'
  const hex = isMapped ? (words[3] ?? '') : words.join('')
  const groups = hex.match(hex.length === 8 ? /../g : /.{4}/g) ?? []
  return hex.length === 8
    ? groups.map((group) => Number.parseInt(group, 16)).join('.')
    : new URL(`http://[${groups.join(':')}]/`).hostname
}

// The bound addresses that accept connections to each loopback address, the most specific first.
const LOOPBACK_FORMS: Readonly<Record<string, readonly string[]>> = {
  '127.0.0.1': ['0100007F', '0000000000000000FFFF00000100007F', '00000000', '0'.repeat(32)],
  '[::1]': ['00000000000000000000000001000000', '0'.repeat(32)],
}

/** For the sockets of one port: the loopback address of our server if another program has the other one, so that `localhost` is
 * ambiguous; else undefined. */
function findUnsharedLoopback(
  sockets: readonly ListeningSocket[],
  isOurs: (socket: ListeningSocket) => boolean,
): string | undefined {
  const holders = Object.entries(LOOPBACK_FORMS).map(([host, forms]) => {
    const holder = forms.flatMap((form) => sockets.find(({ address }) => address === form) ?? [])[0]
    return { host, isTaken: holder !== undefined, isOurs: holder !== undefined && isOurs(holder) }
  })
  const isShared = holders.some((holder) => holder.isTaken && !holder.isOurs)
  return isShared ? holders.find((holder) => holder.isOurs)?.host : undefined
}
