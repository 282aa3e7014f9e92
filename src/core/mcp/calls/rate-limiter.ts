// Rate limits of each client for tool calls, new sessions and other requests.

import { createBoundedMap } from '../../base/bounded-collections.ts'
import type { Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import { type Rate, takeToken, type TokenBucket } from '../../base/token-bucket.ts'

/** Each function counts for one client, and returns RATE_LIMITED if there were too many. */
export interface RateLimiter {
  checkCalls(client: string, calls: number): Outcome<void>
  checkSession(client: string): Outcome<void>
  /** Requests that are not tool calls. */
  checkRequests(client: string, requests: number): Outcome<void>
}

const MINUTE_MS = 60_000
const CLIENT_LIMIT = 10_000

/** Limits of calls and new sessions per minute; undefined is no limit. `now` returns milliseconds. */
export function createRateLimiter(
  calls: number | undefined,
  sessions: number | undefined,
  now: () => number,
): RateLimiter {
  // The least recently used bucket is dropped first; it is full again by then.
  const buckets = createBoundedMap<string, TokenBucket>(CLIENT_LIMIT)
  const take = (key: string, rate: Rate): number | undefined => {
    const { bucket, wait: waitMs } = takeToken(buckets.get(key), rate, now())
    buckets.set(key, bucket)
    return waitMs
  }
  const spend = (client: string, rate: number | undefined, label: string, count: number): Outcome<void> => {
    if (rate === undefined) return ok(undefined)
    for (let remaining = count; remaining > 0; remaining -= 1) {
      const waitMs = take(`${label} ${client}`, { count: rate, intervalMs: MINUTE_MS })
      if (waitMs !== undefined)
        return err({ code: 'RATE_LIMITED', limit: `${rate} ${label}`, retryAfterMs: waitMs })
    }
    return ok(undefined)
  }
  return {
    checkCalls: (client, count) => spend(client, calls, 'calls per minute', count),
    checkSession: (client) => spend(client, sessions, 'new sessions per minute', 1),
    checkRequests: (client, count) => spend(client, calls, 'requests per minute', count),
  }
}
