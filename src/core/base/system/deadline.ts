/** The deadline of a call: `timeout` milliseconds from its start, or earlier if `signal` aborts. */
export interface Deadline {
  readonly timeout: number
  readonly signal: AbortSignal
  /** Milliseconds left, at least 1. */
  remaining(): number
  /** The caller named no timeout: an action may end earlier where waiting cannot help. */
  readonly isDefault?: boolean
}
