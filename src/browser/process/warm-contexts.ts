// Contexts opened ahead, so that a session has its page at once.

import type { Tab } from '../tab/tab.ts'
import type { Outcome } from '../../core/failure.ts'
import { createExpiryTimer } from '../../runtime/sessions/expiry-timer.ts'

export interface WarmContexts {
  /** Opens contexts up to the limit, unless it was stopped. */
  fill(): void
  /** The tab of a context that answers, if one is ready. */
  take(): Promise<Tab | undefined>
  /** Opens no more contexts. */
  stop(): void
}

// The session that has just begun has the machine to itself for this time.
const REFILL_DELAY_MS = 300

// The first answer of a new page waits for its process, as does whatever is done with it next.
const PING_TIMEOUT_MS = 1000

export function createWarmContexts(limit: number, open: () => Promise<Outcome<Tab>>): WarmContexts {
  const contexts: Promise<Outcome<Tab>>[] = []
  let isStopped = false
  let isRefillScheduled = false
  const fill = () => {
    isRefillScheduled = false
    while (!isStopped && contexts.length < limit) contexts.push(open())
  }
  const timer = createExpiryTimer(() => performance.now(), fill)
  return {
    fill,
    async take() {
      const openResult = await contexts.shift()
      const isResponsive = openResult?.ok && (await isTabResponsive(openResult.value))
      if (!isRefillScheduled) timer.arm(performance.now() + REFILL_DELAY_MS)
      isRefillScheduled = true
      if (openResult?.ok && isResponsive) return openResult.value
      if (openResult?.ok) void openResult.value.context.close().catch(() => {})
      return undefined
    },
    stop: () => void (isStopped = true),
  }
}

// The end of a page that was opened ahead may not have been reported.
const isTabResponsive = async ({ recovery, failure }: Tab): Promise<boolean> =>
  !failure() && (await recovery.ping(PING_TIMEOUT_MS)) === true
