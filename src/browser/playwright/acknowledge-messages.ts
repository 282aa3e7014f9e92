// Firefox sends its messages through a socket with Nagle's algorithm: a second message waits until the first is acknowledged. The
// operating system delays the acknowledgement by 40 ms unless something is sent, so a click waited four to six times. An unsolicited pong is
// the smallest frame that a WebSocket client may send at any time (RFC 6455, 5.5.3).

import type { Browser } from 'playwright'
import { internalsOf } from './internals.ts'

interface ServerBrowser {
  readonly _connection: { readonly _transport: { readonly _ws: ProtocolSocket } }
}

interface ProtocolSocket {
  readonly readyState: number
  on(event: 'message', listener: () => void): void
  pong(): void
}

const OPEN_STATE = 1

/** Acknowledges each batch of messages of a browser at once. Does nothing where it is not driven over a WebSocket. */
export function acknowledgeMessages(browser: Browser): void {
  const socket = internalsOf<Partial<ServerBrowser>>(browser)?._connection?._transport?._ws
  if (!socket?.pong) return
  let isScheduled = false
  const acknowledge = () => {
    isScheduled = false
    if (socket.readyState === OPEN_STATE) socket.pong()
  }
  socket.on('message', () => {
    if (!isScheduled) setImmediate(acknowledge)
    isScheduled = true
  })
}
