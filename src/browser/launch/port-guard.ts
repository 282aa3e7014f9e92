// While Firefox starts, whoever connects to its debugging port first has its one session, with the rights of the user who started it. So the
// connections of other users are looked for, and one to the port of such a browser ends it. Only Linux tells the users of connections.

import { readFileSync } from 'node:fs'
import process from 'node:process'
import { findDescendants, findSocketHolders, readCommandLine } from '../playwright/browser-processes.ts'

export interface PortGuard {
  /** Whether another user has connected. */
  isIntruded(): boolean
  stop(): void
}

/** To open a session and read a file takes another user about ten times as long. */
const CHECK_INTERVAL_MS = 4

/** Guards the browsers that this process starts with a debugging port from now on, until it is stopped. `end` is called with one to whose
 * port another user has connected. A browser that was there before has its session. */
export function guardDebuggingPorts(end: (pid: number) => void): PortGuard {
  let isIntruded = false
  const earlier = findBrowsers()
  const timer = setInterval(() => {
    for (const port of findForeignConnections())
      for (const pid of findListeners(port).filter((listener) => !earlier.includes(listener))) {
        isIntruded = true
        end(pid)
      }
  }, CHECK_INTERVAL_MS)
  return { isIntruded: () => isIntruded, stop: () => clearInterval(timer) }
}

// --- internal ---

const LOOPBACK_PATTERN = /^(0100007F|00000000000000000000000001000000|0000000000000000FFFF00000100007F)$/
const LISTENING = '0A'

interface SocketRow {
  readonly localPort: number
  readonly remoteAddress: string
  readonly remotePort: number
  readonly state: string
  readonly user: number
  readonly inode: string
}

/** The ports of this machine to which other users are connected. A connection that has ended is shown as one of root. */
function findForeignConnections(): number[] {
  const users = [0, process.getuid?.(), process.geteuid?.()]
  return readSockets()
    .filter(({ remoteAddress, user }) => LOOPBACK_PATTERN.test(remoteAddress) && !users.includes(user))
    .map(({ remotePort }) => remotePort)
}

function findListeners(port: number): number[] {
  const listeners = readSockets().filter(({ localPort, state }) => localPort === port && state === LISTENING)
  return findSocketHolders(
    findBrowsers(),
    listeners.map(({ inode }) => inode),
  )
}

const findBrowsers = (): number[] =>
  findDescendants(process.pid).filter((pid) => readCommandLine(pid).includes('--remote-debugging-port'))

// A row of /proc/net/tcp: number, local and remote address:port in hex, state, queues, timer, retransmissions, user, timeout, inode.
const readSockets = (): SocketRow[] =>
  ['tcp', 'tcp6'].flatMap((name) =>
    readRows(`/proc/net/${name}`).map((row) => {
      const [, local = '', remote = '', state = '', , , , user = '0', , inode = ''] = row.trim().split(/\s+/)
      const [remoteAddress = ''] = remote.split(':')
      return {
        localPort: portOf(local),
        remoteAddress,
        remotePort: portOf(remote),
        state,
        user: Number(user),
        inode,
      }
    }),
  )

const portOf = (address: string): number => Number.parseInt(address.split(':')[1] ?? '', 16)

function readRows(path: string): string[] {
  try {
    return readFileSync(path, 'latin1').trimEnd().split('\n').slice(1)
  } catch {
    return []
  }
}
