import type { Browser } from 'playwright'
import type { RemoteAddress } from './remote-release.ts'

export interface RemoteConnection {
  readonly browser: Browser
  /** Settles when the browser answers. */
  ping(): Promise<unknown>
  /** Cuts the connection: the browser is disconnected at once, whether or not the other end answers. */
  cut(): void
  /** When the browser has last sent something, in milliseconds of performance.now(); 0 where that is not known. */
  lastMessageAt(): number
}

export interface ConnectRequest extends RemoteAddress {
  readonly timeoutMs: number
}
