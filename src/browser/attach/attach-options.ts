import type { AttachRelay } from '../../runtime/ports/attach-relay.ts'

export interface AttachOptions {
  readonly relay: AttachRelay
  /** The address of the browser; without it the running ones of the user are looked for. */
  readonly endpoint?: string | undefined
  /** Whether they may be looked for. Clients over HTTP may be other people than the user. */
  readonly isSearchAllowed: boolean
  /** The folder for notes on open tabs, which the next connection closes if this one could not. */
  readonly recordFolder: string
  readonly timeoutMs: number
}
