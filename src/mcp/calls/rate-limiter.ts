// Rate limits of each client for tool calls, new sessions and other requests.

import { createBoundedMap } from '../../core/limits/bounded-map.ts'
import { takeToken, type TokenBucket, type Rate } from '../../core/limits/token-bucket.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'

export interface RateLimiter {
  /** Counts a call of this tool; RATE_LIMITED if there were too many. */
  check(client: string, tool: string): Outcome<void>
  /** Counts requests that are not tool calls; RATE_LIMITED if there were too many. */
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
  const rules = [
    { rate: calls, label: 'calls per minute', counts: () => true },
    { rate: sessions, label: 'new sessions per minute', counts: (tool: string) => tool === 'create_session' },
  ]
  // The least recently used bucket is dropped first; it is full again by then.
  const buckets = createBoundedMap<string, TokenBucket>(CLIENT_LIMIT)
  const count = (key: string, rate: Rate): number | undefined => {
    const { bucket, wait: waitMs } = takeToken(buckets.get(key), rate, now())
    buckets.set(key, bucket)
    return waitMs
  }
  const spend = (client: string, rate: number, label: string): Outcome<void> => {
    const waitMs = count(`${label} ${client}`, { count: rate, intervalMs: MINUTE_MS })
    if (waitMs === undefined) return ok(undefined)
    return err({ code: 'RATE_LIMITED', limit: `${rate} ${label}`, retryAfterMs: waitMs })
  }
  return {
    check(client, tool) {
      for (const { rate, label, counts } of rules) {
        if (rate === undefined || !counts(tool)) continue
        const result = spend(client, rate, label)
        if (!result.ok) return result
      }
      return ok(undefined)
    },
    checkRequests(client, requests) {
      for (let remaining = calls === undefined ? 0 : requests; remaining > 0; remaining -= 1) {
        const result = spend(client, calls ?? 0, 'requests per minute')
        if (!result.ok) return result
      }
      return ok(undefined)
    },
  }
}
