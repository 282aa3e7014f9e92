// The ports of this machine that the processes of a server have to do with: their own, and those of other programs. Known on Linux only.

import process from 'node:process'
import {
  readLink,
  readProcFile,
  readSocketInodes,
  readTcpSockets,
  type TcpSocket,
} from '../../base/system/proc-files.ts'
import type { UsedPort, UsedPorts } from '../../sessions/types/servers.ts'
import { listProcesses } from './process-table.ts'
import type { ProcessTree } from './process-tree.ts'

/** Begins to look. The function that it returns tells what is known since then: connections that are open when it is called, and those to a
 * program that runs below `folder`, which may have ended before. */
export function watchPorts(tree: () => ProcessTree, folder: string): () => UsedPorts | undefined {
  if (process.platform !== 'linux') return () => undefined
  const before = new Set(readTcpSockets().filter(hasEnded).map(keyOf))
  const known = new Map<number, UsedPort>()
  return () => {
    const sockets = readTcpSockets()
    const members = tree().members()
    const inodes = new Set(members.flatMap(({ pid }) => readSocketInodes(pid)))
    const isOurs = ({ inode }: TcpSocket) => inodes.has(inode)
    const listeners = sockets.filter(({ isListening }) => isListening)
    const own = [...new Set(listeners.filter(isOurs).map(({ local }) => local.port))].sort((a, b) => a - b)
    const others = listeners.filter(({ local }) => !own.includes(local.port))
    const isOther = (port: number) => others.some(({ local }) => local.port === port)
    const connected = sockets
      .filter((socket) => !socket.isListening && isOurs(socket) && isLoopback(socket.remote.address))
      .flatMap(({ remote, local }) => (isOther(remote.port) && !own.includes(local.port) ? remote.port : []))
    const past = sockets
      .filter((socket) => hasEnded(socket) && !before.has(keyOf(socket)))
      .flatMap(({ local, remote }) => [local.port, remote.port])
      .filter((port) => isOther(port))
    for (const port of new Set([...connected, ...past])) {
      const isConnected = connected.includes(port)
      const holder = findHolder(others, port, isConnected ? '/' : folder)
      if (isConnected || holder !== undefined)
        known.set(port, {
          port,
          holder: holder ?? '',
          isConnected: isConnected || known.get(port)?.isConnected === true,
        })
    }
    return { own, foreign: [...known.values()].filter(({ port }) => !own.includes(port)) }
  }
}

// --- internal ---

/** What the system keeps of a connection for a minute after its end belongs to no process. */
const hasEnded = ({ isListening, inode }: TcpSocket): boolean => !isListening && inode === '0'

const keyOf = ({ local, remote }: TcpSocket): string => `${local.port} ${remote.port}`

// 127.0.0.0/8, the same within IPv6, and ::1, as little-endian words in hex.
const isLoopback = (address: string): boolean =>
  /^(0{16}FFFF0000)?[0-9A-F]{6}7F$/.test(address) || address === '00000000000000000000000001000000'

/** The program that listens on a port, if it runs below the folder and is none of this process. */
function findHolder(listeners: readonly TcpSocket[], port: number, folder: string): string | undefined {
  const inodes = listeners.filter(({ local }) => local.port === port).map(({ inode }) => inode)
  const isBelow = (path: string) => `${path}/`.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
  const holder = listProcesses().find(
    ({ pid }) =>
      pid !== process.pid &&
      isBelow(readLink(`/proc/${pid}/cwd`)) &&
      !servesPagesOf(pid, port) &&
      readSocketInodes(pid).some((inode) => inodes.includes(inode)),
  )
  return holder && `${readProcFile(holder.pid, 'comm').trim()}, process ${holder.pid}`
}

/** The server of another session is at the PORT that it was given, and its pages use it meanwhile. */
const servesPagesOf = (pid: number, port: number): boolean => {
  const variables = readProcFile(pid, 'environ').split('\0')
  return variables.includes(`PORT=${port}`) && variables.some((one) => one.startsWith('FOOTLIGHT_SERVER='))
}
