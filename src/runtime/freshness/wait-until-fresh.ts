// Waits until a page shows the latest source files.

import { race } from '../calls/deadline.ts'
import type { Deadline } from '../ports/deadline.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import type { Freshness } from '../../core/freshness/judge-freshness.ts'
import { err, ok } from '../../core/result.ts'

const POLL_INTERVAL_MS = 100

// In this time the page may still load what a server makes of a change.
const UNKNOWN_LIMIT_MS = 3000

/** Succeeds once the page was fresh twice in a row: a module that was loaded needs a moment until it is applied; or if nothing tells for a
 * while whether it is. TIMEOUT at the deadline, or at once if the server must be restarted,
 * or the page failed to load. */
export async function waitUntilFresh(
  readFreshness: () => Promise<Freshness>,
  deadline: Deadline,
): Promise<Outcome<Freshness>> {
  let wasFresh = false
  for (;;) {
    const freshness = await readFreshness()
    const isFresh = freshness.state === 'fresh'
    if (isFresh && wasFresh) return ok(freshness)
    wasFresh = isFresh
    if (deadline.signal.aborted) return err({ code: 'CANCELLED' })
    const isLate = deadline.remaining() <= POLL_INTERVAL_MS
    if (freshness.state === 'unknown' && (isLate || freshness.ageMs > UNKNOWN_LIMIT_MS)) return ok(freshness)
    if (!isFresh && (isLate || freshness.state === 'restart' || freshness.state === 'unloaded'))
      return err(staleFailure(freshness, deadline))
    await race(POLL_INTERVAL_MS, [deadline.signal], () => new Promise<never>(() => {}))
  }
}

// --- internal ---

const staleFailure = (freshness: Freshness, { timeout, remaining }: Deadline): Failure => ({
  code: 'TIMEOUT',
  waitedFor:
    freshness.state === 'unloaded'
      ? 'the page to show the latest sources, but it failed to load: call history {direction: "reload"}'
      : `the page to show the latest ${'file' in freshness ? freshness.file : 'sources'}`,
  waited: Math.max(0, timeout - remaining()),
  ...(freshness.state === 'restart' && { needsRestart: true }),
})
