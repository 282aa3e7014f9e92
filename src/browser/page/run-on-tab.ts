// Runs the work of a call on the active tab. It outlives a renderer crash: the call under way returns the failure, and the next one gets
// another tab or a new page in the same context. A call during which a dialog opens returns at once.

import type { BrowserContext } from 'playwright'
import type { SessionEmulation } from '../emulation/session-emulation.ts'
import type { Dialogs } from '../tab/dialogs.ts'
import { openTab, type Tab } from '../tab/tab.ts'
import type { TabList } from '../tab/tab-list.ts'
import type { NetworkRequests } from '../network/network-requests.ts'
import { addErrorOverlay } from '../observe/failure-view.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'

/** `interruptedValue` returns the value of an action that was carried out and then interrupted, by a dialog or because its tab closed.
 * Without it an interruption is a failure. */
export type RunOnTab = <T>(
  work: (tab: Tab) => Promise<Outcome<T>>,
  interruptedValue?: () => T,
) => Promise<Outcome<T>>

export function createTabRunner(
  context: BrowserContext,
  tabs: TabList,
  dialogs: Dialogs,
  requests: NetworkRequests,
  emulation: SessionEmulation,
): RunOnTab {
  // The call that finds a broken tab returns its failure once, and a new tab takes its place.
  async function replaceTab(tab: Tab, failure: Failure): Promise<Failure> {
    const openResult = await attempt(openTab(context), browserError)
    if (!openResult.ok) return failure
    tabs.activate(tabs.forPage(openResult.value.page))
    await tab.page.close().catch(() => {})
    return failure
  }

  return async (work, interruptedValue) => {
    const openDialog = dialogs.current()
    if (openDialog) return err({ code: 'DIALOG_OPEN', ...openDialog })
    requests.mark()
    const tab = tabs.active()
    const failureBefore = tab.failure()
    const runWithSettings = async () => {
      await emulation.waitForNewTabs()
      return work(tab)
    }
    const run = failureBefore
      ? { result: err(failureBefore) }
      : await dialogs.runUntilDialog(runWithSettings(), interruptedValue !== undefined)
    if (interruptedValue) await tabs.waitForOpeningTabs()
    if ('dialog' in run)
      return interruptedValue ? ok(interruptedValue()) : err({ code: 'DIALOG_OPEN', ...run.dialog })
    if (run.result.ok) return run.result
    const tabFailure = tab.failure()
    if (!tabFailure) return err(await addErrorOverlay(tab.page, run.result.error))
    if (tabs.active() === tab) return err(await replaceTab(tab, tabFailure))
    if (interruptedValue && !failureBefore) return ok(interruptedValue())
    return err({ ...tabFailure, tab: tabs.idOf(tabs.active()) } as Failure)
  }
}
