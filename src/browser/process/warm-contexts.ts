// Contexts opened ahead, so that a session has its page at once.

import type { Tab } from '../tab/tab.ts'
import type { Outcome } from '../../core/failure.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { createExpiryTimer } from '../../runtime/sessions/expiry-timer.ts'

export interface WarmContexts {
  /** Opens contexts up to the limit, unless it was stopped. */
  fill(): void
  /** The tab of a context that answers, if one is ready. */
  take(): Promise<Tab | undefined>
  /** Opens no more contexts. */
  stop(): void
  /** The same, and closes those that are open. */
  close(): void
}

// The session that has just begun has the machine to itself for this time.
const REFILL_DELAY_MS = 300

// The first answer of a new page waits for its process, as does whatever is done with it next.
const PING_TIMEOUT_MS = 1000

// Playwright never answers when the process of a page ends while the page is opened. A new context is then sooner there.
const OPEN_TIMEOUT_MS = 5000

export function createWarmContexts(
  limit: number,
  open: () => Promise<Outcome<Tab>>,
  openTimeoutMs = OPEN_TIMEOUT_MS,
): WarmContexts {
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
      const opening = contexts.shift()
      const tab = opening && (await findResponsiveTab(opening, openTimeoutMs))
      if (!isRefillScheduled) timer.arm(performance.now() + REFILL_DELAY_MS)
      isRefillScheduled = true
      if (opening && !tab) void closeOnceOpen(opening)
      return tab
    },
    stop: () => void (isStopped = true),
    close() {
      isStopped = true
      for (const opening of contexts.splice(0)) void closeOnceOpen(opening)
    },
  }
}

// The end of a page that was opened ahead may not have been reported.
async function findResponsiveTab(
  opening: Promise<Outcome<Tab>>,
  timeoutMs: number,
): Promise<Tab | undefined> {
  const openResult = await settleWithin(timeoutMs, opening)
  if (openResult instanceof Error) throw openResult
  if (!openResult?.ok) return undefined
  const { recovery, failure } = openResult.value
  const isResponsive = !failure() && (await recovery.ping(PING_TIMEOUT_MS)) === true
  return isResponsive ? openResult.value : undefined
}

async function closeOnceOpen(opening: Promise<Outcome<Tab>>): Promise<void> {
  const openResult = await opening
  if (openResult.ok) await openResult.value.context.close().catch(() => {})
}
