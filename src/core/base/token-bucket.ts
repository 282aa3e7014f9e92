// A token bucket: `count` tokens at once, refilled evenly. Times are milliseconds.

export interface TokenBucket {
  readonly tokens: number
  readonly updatedAt: number
}

export interface Rate {
  readonly count: number
  readonly intervalMs: number
}

/** Takes one token. If there is none, `wait` is the time in milliseconds until there is one. */
export function takeToken(
  bucket: TokenBucket | undefined,
  { count, intervalMs }: Rate,
  now: number,
): { bucket: TokenBucket; wait?: number } {
  const previous = bucket ?? { tokens: count, updatedAt: now }
  const tokens = Math.min(count, previous.tokens + ((now - previous.updatedAt) * count) / intervalMs)
  // After exactly `wait` a rounding error may leave slightly less than one token.
  if (tokens >= 1 - 1e-9) return { bucket: { tokens: Math.max(0, tokens - 1), updatedAt: now } }
  return {
    bucket: { tokens, updatedAt: now },
    wait: Math.max(1, Math.ceil(((1 - tokens) * intervalMs) / count)),
  }
}

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
