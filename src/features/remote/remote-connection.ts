import type { Browser } from 'playwright'

export interface RemoteConnection {
  readonly browser: Browser
  /** Settles when the browser answers. */
  ping(): Promise<unknown>
  /** Cuts the connection: the browser is disconnected at once, whether or not the other end answers. */
  cut(): void
  /** When the browser has last sent something, in milliseconds of performance.now(); 0 where that is not known. */
  lastMessageAt(): number
}

/** How a connection is opened. */
export interface ConnectRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** What messages call its other end. */
  readonly label: string
}
