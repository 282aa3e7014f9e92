// Files, links and folders below /proc, which only Linux has. What has ended meanwhile has nothing to read.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A file of a process; empty if it cannot be read. */
export const readProcFile = (pid: number, name: string): string => readFile(`/proc/${pid}/${name}`)

/** The fields of a process's `stat` after its name, from its state on; none if it cannot be read. */
export function readStatFields(pid: number): string[] {
  const text = readProcFile(pid, 'stat')
  return text === '' ? [] : text.slice(text.lastIndexOf(') ') + 2).split(' ')
}

/** The sockets that a process has open, by inode. */
export const readSocketInodes = (pid: number): string[] =>
  listFolder(`/proc/${pid}/fd`).flatMap(
    (fd) => /^socket:\[(\d+)\]$/.exec(readLink(`/proc/${pid}/fd/${fd}`))?.[1] ?? [],
  )

/** The text of a file; empty if it cannot be read. */
export function readFile(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** What a link leads to; empty if it cannot be read. */
export function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** The names in a folder; none if it cannot be read. */
export function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A TCP socket of this machine. Addresses are as in /proc/net: little-endian words in hex; the port of `remote` is 0 for a listener. */
export interface TcpSocket {
  readonly local: { readonly address: string; readonly port: number }
  readonly remote: { readonly address: string; readonly port: number }
  readonly isListening: boolean
  /** The user id of its owner; 0 also for one that has ended. */
  readonly user: number
  readonly inode: string
}

// A row of /proc/net/tcp: number, local and remote address:port in hex, state, queues, timer, retransmissions, user, timeout, inode.
export const readTcpSockets = (): TcpSocket[] =>
  ['tcp', 'tcp6'].flatMap((name) =>
    readFile(`/proc/net/${name}`)
      .split('\n')
      .slice(1)
      .filter(Boolean)
      .map((row) => {
        const [, local = '', remote = '', state, , , , user = '0', , inode = ''] = row.trim().split(/\s+/)
        const isListening = state === '0A'
        return { local: endOf(local), remote: endOf(remote), isListening, user: Number(user), inode }
      }),
  )

// --- internal ---

function endOf(text: string): TcpSocket['local'] {
  const [address = '', port = ''] = text.split(':')
  return { address, port: Number.parseInt(port, 16) }
}
