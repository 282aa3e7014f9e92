/** A message of the Chrome DevTools Protocol: a command, its answer or an event. */
export interface ProtocolMessage {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string }
  /** The CDP session of a target; without it the message is for the browser. */
  readonly sessionId?: string
}

/** What the protocol reports about a tab, a worker or the browser. */
export interface TargetInfo {
  readonly targetId: string
  readonly type: string
  readonly url: string
  readonly title?: string
  readonly openerId?: string
}
