// How often one client may call, open sessions, and ask for anything else.

import { createBoundedMap } from '../../core/limits/bounded-map.ts'
import { takeToken, type TokenBucket, type Rate } from '../../core/limits/token-bucket.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'

export interface RateLimiter {
  /** Counts a call of this tool; refuses it where there were too many. */
  check(client: string, tool: string): Outcome<void>
  /** Counts so many requests that are no calls of tools; refuses them where there were too many. */
  checkRequests(client: string, requests: number): Outcome<void>
}

const MINUTE_MS = 60_000
const CLIENT_LIMIT = 10_000

/** Calls and sessions per minute; undefined is no limit. `now` is in milliseconds. */
export function createRateLimiter(
  calls: number | undefined,
  sessions: number | undefined,
  now: () => number,
): RateLimiter {
  const rules = [
    { rate: calls, words: 'calls per minute', counts: () => true },
    { rate: sessions, words: 'new sessions per minute', counts: (tool: string) => tool === 'create_session' },
  ]
  // The client that has been quiet longest is dropped; its bucket is full again by then.
  const buckets = createBoundedMap<string, TokenBucket>(CLIENT_LIMIT)
  const count = (key: string, rate: Rate): number | undefined => {
    const { bucket, wait } = takeToken(buckets.get(key), rate, now())
    buckets.set(key, bucket)
    return wait
  }
  const spend = (client: string, rate: number, words: string): Outcome<void> => {
    const wait = count(`${words} ${client}`, { count: rate, intervalMs: MINUTE_MS })
    if (wait === undefined) return ok(undefined)
    return err({ code: 'RATE_LIMITED', limit: `${rate} ${words}`, retryAfterMs: wait })
  }
  return {
    check(client, tool) {
      for (const { rate, words, counts } of rules) {
        if (rate === undefined || !counts(tool)) continue
        const spent = spend(client, rate, words)
        if (!spent.ok) return spent
      }
      return ok(undefined)
    },
    checkRequests(client, requests) {
      for (let left = calls === undefined ? 0 : requests; left > 0; left -= 1) {
        const spent = spend(client, calls ?? 0, 'requests per minute')
        if (!spent.ok) return spent
      }
      return ok(undefined)
    },
  }
}
