// A circuit breaker: what has failed several times in a row is not tried again for a while, and each further failure makes that
// longer. Times are milliseconds.

export interface CircuitBreaker {
  readonly failures: number
  /** The time before which nothing is tried. */
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

/** The time until the next try; 0 where it may be tried now. */
export const remainingPauseMsOf = ({ pausedUntil }: CircuitBreaker, now: number): number =>
  Math.max(0, pausedUntil - now)
