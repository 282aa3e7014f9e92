// The connection to the user's own browser, which one process holds for the life of the server.

import type { RelayStart } from '../../core/attach/relay-lines.ts'
import type { Result } from '../../core/result.ts'

/** One client of the connection: it sees only the tabs that it opens. */
export interface RelayClient {
  send(message: object): void
  onmessage?: (message: object) => void
  onclose?: (reason?: string) => void
  /** Closes its tabs; resolves when they are gone. */
  close(): Promise<void>
}

export interface AttachRelay {
  /** A new client. Starts the relay and connects to the browser, unless it is connected; an error is the reason. */
  connect(start: RelayStart): Promise<Result<RelayClient, string>>
  /** Closes all tabs and the connection. */
  end(): Promise<void>
}
