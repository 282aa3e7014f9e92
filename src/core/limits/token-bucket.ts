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
