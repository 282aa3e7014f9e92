// How often one owner may call, and open sessions.

import { take, type Bucket, type Rate } from '../core/bucket.ts'
import type { Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'

export interface Limiter {
  /** Counts a call of this tool; refuses it where there were too many. */
  check(owner: string, tool: string): Outcome<void>
}

const MINUTE = 60_000
const OWNERS = 10_000

/** Calls and sessions per minute; undefined is no limit. `now` is in milliseconds. */
export function createLimiter(
  calls: number | undefined,
  sessions: number | undefined,
  now: () => number,
): Limiter {
  const rules = [
    { rate: calls, words: 'calls a minute', counts: () => true },
    { rate: sessions, words: 'new sessions a minute', counts: (tool: string) => tool === 'create_session' },
  ]
  const buckets = new Map<string, Bucket>()
  const count = (key: string, rate: Rate): number | undefined => {
    const { bucket, wait } = take(buckets.get(key), rate, now())
    buckets.delete(key)
    buckets.set(key, bucket)
    // The one that has been quiet longest is full again by now.
    const [oldest = ''] = buckets.size > OWNERS ? buckets.keys() : []
    buckets.delete(oldest)
    return wait
  }
  return {
    check(owner, tool) {
      for (const { rate, words, counts } of rules) {
        if (rate === undefined || !counts(tool)) continue
        const wait = count(`${words} ${owner}`, { count: rate, per: MINUTE })
        if (wait !== undefined)
          return err({ code: 'RATE_LIMITED', limit: `${rate} ${words}`, retryAfterMs: wait })
      }
      return ok(undefined)
    },
  }
}
