// Whether the port of a server went to another program after the server had ended.

import { listFolder, readLink } from '../../base/system/proc-files.ts'
import { readListeningSockets } from './process-activity.ts'

/** `listens` tells whether the server's processes listen on a port; undefined if unknown. The listeners of `namedPort` are the server's
 * whatever their processes are. */
export function createLostPortCheck(
  listens: (port: number) => boolean | undefined,
  namedPort?: number,
): (port: number) => boolean {
  const own = new Map<number, OwnListeners>()
  if (namedPort !== undefined) own.set(namedPort, findListeners(namedPort))
  return (port) => {
    const known = own.get(port)
    if (known && known.holders.length > 0 && known.holders.every(isOpen)) return false
    const inodes = inodesAt(port)
    // A port without a listener leads to no other program.
    if (inodes.length === 0 || inodes.join() === known?.inodes.join()) return false
    if (listens(port) === false) return true
    own.set(port, findListeners(port))
    return false
  }
}

// --- internal ---

/** The sockets that listen on a port, and the open files of processes that they are. Reading these files is much faster than a search for
 * the sockets at each connection. */
interface OwnListeners {
  readonly inodes: readonly string[]
  readonly holders: readonly { readonly path: string; readonly socket: string }[]
}

const inodesAt = (port: number): string[] =>
  readListeningSockets()
    .filter((socket) => socket.port === port)
    .map(({ inode }) => inode)
    .sort()

function findListeners(port: number): OwnListeners {
  const inodes = inodesAt(port)
  const missing = new Set(inodes.map((inode) => `socket:[${inode}]`))
  const holders: { path: string; socket: string }[] = []
  // A server is newer than most processes.
  const pids = listFolder('/proc').map(Number).filter(Number.isInteger)
  for (const pid of pids.sort((a, b) => b - a))
    for (const fd of missing.size > 0 ? listFolder(`/proc/${pid}/fd`) : []) {
      const path = `/proc/${pid}/fd/${fd}`
      const socket = readLink(path)
      if (missing.delete(socket)) holders.push({ path, socket })
    }
  // A socket whose holder cannot be seen cannot be checked this way.
  return { inodes, holders: missing.size === 0 ? holders : [] }
}

const isOpen = ({ path, socket }: OwnListeners['holders'][number]): boolean => readLink(path) === socket
