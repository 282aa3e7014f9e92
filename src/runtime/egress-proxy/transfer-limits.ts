// Ends connections that bring more than they may, for downloads in a browser that cannot cancel them.

import type { Socket } from 'node:net'
import type { LimitTransfer } from '../ports/egress-proxy.ts'
import { originOf, type Origin } from '../../core/network/host-rules.ts'

export interface TransferLimits {
  /** Registers an open connection; one that is no tunnel brings one response. */
  add(origin: Origin, socket: Socket, isTunnel: boolean): void
  readonly limit: LimitTransfer
}

interface Connection {
  readonly origin: Origin
  readonly socket: Socket
  readonly isTunnel: boolean
}

export function createTransferLimits(): TransferLimits {
  const connections = new Set<Connection>()
  const limits = new Set<(connection: Connection) => void>()
  return {
    add(origin, socket, isTunnel) {
      const connection = { origin, socket, isTunnel }
      connections.add(connection)
      socket.once('close', () => connections.delete(connection))
      for (const apply of limits) apply(connection)
    },
    limit(url, maximumBytes, onExceeded) {
      const limited = originOf(new URL(url))
      let isActive = true
      const apply = ({ origin, socket, isTunnel }: Connection) => {
        if (origin.host !== limited.host || origin.port !== limited.port) return
        // A tunnel may have brought other responses before.
        const bytesBefore = isTunnel ? socket.bytesRead : 0
        const check = () => {
          const bytes = socket.bytesRead - bytesBefore
          if (!isActive || bytes <= maximumBytes) return
          onExceeded(bytes)
          socket.destroy()
        }
        // A listener would start a connection that nobody reads yet, and its first bytes would be lost.
        if (socket.readableFlowing) socket.on('data', check)
        else socket.once('resume', () => socket.on('data', check))
      }
      limits.add(apply)
      connections.forEach(apply)
      return () => {
        isActive = false
        limits.delete(apply)
      }
    },
  }
}
