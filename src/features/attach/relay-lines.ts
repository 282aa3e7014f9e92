// The lines between Footlight and its relay: a word or the number of a client, then JSON.

/** The command of this program that runs the relay. */
export const RELAY_COMMAND = 'attach-relay'

/** The first line to the relay: the browsers to try, in order, and the folder of its records. */
export interface RelayStart {
  readonly endpoints: readonly string[]
  readonly folder: string
  readonly timeoutMs: number
}

export interface RelayLine {
  /** `start`, `ready`, `failed`, `close`, `closed` or `message`. */
  readonly kind: string
  readonly client: string
  readonly data: unknown
}

export const formatRelayLine = (kind: string, client = '-', data?: unknown): string =>
  `${kind} ${client} ${data === undefined ? '' : JSON.stringify(data)}\n`

/** Throws for a line that is cut off. */
export function parseRelayLine(line: string): RelayLine {
  const [kind = '', client = ''] = line.split(' ', 2)
  const json = line.slice(kind.length + client.length + 2)
  return { kind, client, data: json === '' ? undefined : (JSON.parse(json) as unknown) }
}

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
