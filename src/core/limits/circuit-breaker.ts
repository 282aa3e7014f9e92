// A circuit breaker: what has failed several times in a row is not tried again for a while, and each further failure makes that
// longer. Times are milliseconds.

export interface Breaker {
  readonly failures: number
  /** Until when nothing is tried. */
  readonly until: number
}

export const closedBreaker: Breaker = { failures: 0, until: 0 }

const PATIENCE = 3
const FIRST = 1000
const LONGEST = 30_000

export function recordFailure({ failures }: Breaker, now: number): Breaker {
  const count = failures + 1
  const pause = count < PATIENCE ? 0 : Math.min(LONGEST, FIRST * 2 ** (count - PATIENCE))
  return { failures: count, until: now + pause }
}

/** Milliseconds until it may be tried again; 0 for now. */
export const pauseOf = ({ until }: Breaker, now: number): number => Math.max(0, until - now)
