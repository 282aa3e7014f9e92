// A token bucket: so many at once, refilled evenly. Times are milliseconds.

export interface TokenBucket {
  readonly left: number
  readonly at: number
}

export interface Rate {
  readonly count: number
  readonly per: number
}

/** Takes one token. `wait` is how long until there is one, where there is none now. */
export function takeToken(
  bucket: TokenBucket | undefined,
  { count, per }: Rate,
  now: number,
): { bucket: TokenBucket; wait?: number } {
  const before = bucket ?? { left: count, at: now }
  const left = Math.min(count, before.left + ((now - before.at) * count) / per)
  // What was waited for exactly may come out a hair short.
  if (left >= 1 - 1e-9) return { bucket: { left: Math.max(0, left - 1), at: now } }
  return { bucket: { left, at: now }, wait: Math.max(1, Math.ceil(((1 - left) * per) / count)) }
}
