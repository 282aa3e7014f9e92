// The methods that wait for the page, and those that tell what it is about to do.

import { readTree } from './page-reads.ts'
import type { RunOnTab } from './run-on-tab.ts'
import { waitFor } from '../actions/wait-for.ts'
import type { NetworkRequests } from '../network/network-requests.ts'
import { countMatches } from '../observe/aria-snapshot.ts'
import type { PageRedaction } from '../secrets/page-redaction.ts'
import { waitForAnimations } from '../tab/animations.ts'
import type { Dialogs } from '../tab/dialogs.ts'
import { waitForActionEffects } from '../tab/settle.ts'
import type { TabList } from '../tab/tab-list.ts'
import type { Tab } from '../tab/tab.ts'
import type { Failure } from '../../core/failure.ts'
import { err } from '../../core/result.ts'
import type { OwnedPage, SecretHooks } from '../../runtime/ports/browsers.ts'

/** The time for the page to report its secrets, which a failure may quote. */
const SECRETS_TIMEOUT_MS = 1000

export function createPageWaits(
  runOnTab: RunOnTab,
  tabs: TabList,
  dialogs: Dialogs,
  requests: NetworkRequests,
  redaction: PageRedaction,
  secrets: SecretHooks | undefined,
): Pick<OwnedPage, 'count' | 'waitFor' | 'isReported' | 'settle' | 'waitForAnimations'> {
  return {
    count: (target) => runOnTab(({ page }) => countMatches(page, target)),
    waitFor: (condition, deadline) =>
      runOnTab(async (tab) => {
        const target = condition.element?.target
        const readTargetTree = () =>
          readTree(tab, { ...(target && { target }) }, deadline, redaction, secrets)
        const outcome = await waitFor(tab.page, condition, deadline, readTargetTree)
        return outcome.ok ? outcome : err(await withReportedValues(tab, outcome.error, redaction))
      }),
    // While a dialog is open the page does not answer, and does not change either.
    isReported: async (timeoutMs) =>
      Boolean(dialogs.current()) || redaction.isReported(tabs.active(), timeoutMs),
    settle: async (_deadline, end) =>
      dialogs.current() ? [] : waitForActionEffects(tabs.active(), requests, dialogs, end),
    waitForAnimations: () => waitForAnimations(tabs.active().page),
  }
}

// What a wait observed is shown only if its secrets are known.
async function withReportedValues(tab: Tab, failure: Failure, redaction: PageRedaction): Promise<Failure> {
  if (
    failure.code !== 'TIMEOUT' ||
    !failure.observed ||
    (await redaction.isReported(tab, SECRETS_TIMEOUT_MS))
  )
    return failure
  const { observed: _, ...rest } = failure
  return rest
}
