// A circuit breaker: after several consecutive failures an operation is paused, longer with each further failure. Times are
// milliseconds.

export interface CircuitBreaker {
  readonly failures: number
  /** No attempt is made before this time. */
  readonly pausedUntil: number
}

export const closedBreaker: CircuitBreaker = { failures: 0, pausedUntil: 0 }

const FAILURE_THRESHOLD = 3
const FIRST_PAUSE_MS = 1000
const PAUSE_LIMIT_MS = 30_000

export function recordFailure({ failures }: CircuitBreaker, now: number): CircuitBreaker {
  const count = failures + 1
  const pauseMs =
    count < FAILURE_THRESHOLD
      ? 0
      : Math.min(PAUSE_LIMIT_MS, FIRST_PAUSE_MS * 2 ** (count - FAILURE_THRESHOLD))
  return { failures: count, pausedUntil: now + pauseMs }
}

/** Milliseconds until the next attempt; 0 if it may be made now. */
export const remainingPauseMsOf = ({ pausedUntil }: CircuitBreaker, now: number): number =>
  Math.max(0, pausedUntil - now)
