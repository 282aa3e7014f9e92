// The lines of JSON between Footlight and its relay.

import { formatJsonLine, readJsonLines } from '../../core/base/system/json-lines.ts'

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
  readonly data?: unknown
}

/** More than a browser sends. */
export const RELAY_LINE_LIMIT_BYTES = 500_000_000

export const formatRelayLine = (kind: string, client = '-', data?: unknown): string =>
  formatJsonLine({ kind, client, data })

export const readRelayLines = (
  input: Parameters<typeof readJsonLines>[0],
  onLine: (line: RelayLine) => void,
): void =>
  readJsonLines(input, { bytes: RELAY_LINE_LIMIT_BYTES }, (line) => {
    if ('value' in line) onLine(line.value as RelayLine)
  })

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
