// A token bucket: so many at once, refilled evenly. Times are milliseconds.

export interface TokenBucket {
  readonly tokens: number
  readonly updatedAt: number
}

export interface Rate {
  readonly count: number
  readonly intervalMs: number
}

/** Takes one token. `wait` is how long until there is one, where there is none now. */
export function takeToken(
  bucket: TokenBucket | undefined,
  { count, intervalMs }: Rate,
  now: number,
): { bucket: TokenBucket; wait?: number } {
  const previous = bucket ?? { tokens: count, updatedAt: now }
  const tokens = Math.min(count, previous.tokens + ((now - previous.updatedAt) * count) / intervalMs)
  // After exactly the wait a rounding error may leave it a little short.
  if (tokens >= 1 - 1e-9) return { bucket: { tokens: Math.max(0, tokens - 1), updatedAt: now } }
  return {
    bucket: { tokens, updatedAt: now },
    wait: Math.max(1, Math.ceil(((1 - tokens) * intervalMs) / count)),
  }
}
