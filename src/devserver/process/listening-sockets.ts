// The listening TCP sockets, from /proc on Linux.

import { readTcpSockets } from '../../runtime/processes/proc-files.ts'

export interface ListeningSocket {
  readonly port: number
  /** The local address as in /proc/net: little-endian words in hex. */
  readonly address: string
  readonly inode: string
}

export const readListeningSockets = (): ListeningSocket[] =>
  readTcpSockets().flatMap(({ isListening, local, inode }) => (isListening ? [{ ...local, inode }] : []))

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
