// The listening TCP sockets, from /proc on Linux.

import { readFileSync } from 'node:fs'

export interface ListeningSocket {
  readonly port: number
  /** The local address as in /proc/net: little-endian words in hex. */
  readonly address: string
  readonly inode: string
}

// A row of /proc/net/tcp: local address:port in hex, remote, state (0A is LISTEN), …, inode in the tenth column.
export function readListeningSockets(): ListeningSocket[] {
  return ['tcp', 'tcp6'].flatMap((name) =>
    readProcTable(`/proc/net/${name}`).flatMap((row) => {
      const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/)
      const [address = '', port = ''] = local.split(':')
      return state === '0A' ? [{ port: Number.parseInt(port, 16), address, inode }] : []
    }),
  )
}

function readProcTable(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(1)
  } catch {
    return []
  }
}

// The bound addresses that accept connections to each loopback address, the most specific first.
const LOOPBACK_FORMS: Readonly<Record<string, readonly string[]>> = {
  '127.0.0.1': ['0100007F', '0000000000000000FFFF00000100007F', '00000000', '0'.repeat(32)],
  '[::1]': ['00000000000000000000000001000000', '0'.repeat(32)],
}

/** For the sockets of one port: the loopback address of our server if another program has the other one, so that `localhost` is
 * ambiguous; else undefined. */
export function findUnsharedLoopback(
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
