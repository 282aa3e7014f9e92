// While Firefox starts, whoever connects to its debugging port first has its one session, with the rights of the user who started it. So the
// connections of other users are looked for, and one to the port of such a browser ends it. Only Linux tells the users of connections.

import process from 'node:process'
import { findDescendants } from '../playwright/browser-processes.ts'
import { readProcFile, readSocketInodes, readTcpSockets } from '../../runtime/processes/proc-files.ts'

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

/** The ports of this machine to which other users are connected. A connection that has ended is shown as one of root. */
function findForeignConnections(): number[] {
  const users = [0, process.getuid?.(), process.geteuid?.()]
  return readTcpSockets()
    .filter(({ remote, user }) => LOOPBACK_PATTERN.test(remote.address) && !users.includes(user))
    .map(({ remote }) => remote.port)
}

function findListeners(port: number): number[] {
  const listeners = readTcpSockets().filter(({ local, isListening }) => local.port === port && isListening)
  const inodes = listeners.map(({ inode }) => inode)
  return findBrowsers().filter((pid) => readSocketInodes(pid).some((inode) => inodes.includes(inode)))
}

const findBrowsers = (): number[] =>
  findDescendants(process.pid).filter((pid) =>
    readProcFile(pid, 'cmdline').includes('--remote-debugging-port'),
  )
