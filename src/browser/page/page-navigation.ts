import type { Dialogs } from '../tab/dialogs.ts'
import type { RunOnTab } from './run-on-tab.ts'
import type { TabList } from '../tab/tab-list.ts'
import { urlOf } from '../tab/title-and-url.ts'
import { history, navigate } from '../actions/navigate.ts'
import type { PageRedaction } from '../secrets/page-redaction.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { NavigationResult, Page } from '../../runtime/ports/page/page.ts'

/** The methods that navigate the active tab. */
export function createPageNavigation(
  runOnTab: RunOnTab,
  tabs: TabList,
  dialogs: Dialogs,
  redaction: PageRedaction,
  isOffline: () => boolean,
): Pick<Page, 'url' | 'navigate' | 'history'> {
  const url = () => urlOf(tabs.active().page)
  const interruptedValue = () => ({ title: '', url: url(), status: 0 })

  async function redactTitle(
    navigating: Promise<Outcome<NavigationResult>>,
    deadline: Deadline,
  ): Promise<Outcome<NavigationResult>> {
    const outcome = markOffline(await navigating, isOffline())
    const openDialog = dialogs.current()
    // A page that asks whether it may be left has not been left.
    if (openDialog?.type === 'beforeunload') return err<Failure>({ code: 'DIALOG_OPEN', ...openDialog })
    return openDialog ? outcome : redaction.redactTitle(tabs.active(), outcome, deadline)
  }

  return {
    url,
    navigate: (address, waitUntil, deadline) =>
      redactTitle(
        runOnTab((tab) => navigate(tab, address, waitUntil, deadline), interruptedValue),
        deadline,
      ),
    history: (direction, deadline) =>
      redactTitle(
        runOnTab((tab) => history(tab, direction, deadline), interruptedValue),
        deadline,
      ),
  }
}

// --- internal ---

const OFFLINE_REASON = /DISCONNECTED|OFFLINE/

function markOffline(outcome: Outcome<NavigationResult>, isOffline: boolean): Outcome<NavigationResult> {
  if (outcome.ok || outcome.error.code !== 'NAVIGATION_FAILED' || !isOffline) return outcome
  return OFFLINE_REASON.test(outcome.error.reason) ? err({ ...outcome.error, isOffline: true }) : outcome
}
