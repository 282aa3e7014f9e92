// What the page of a session consists of: the trackers of its context, and what its methods share.

import type { BrowserContext, Page } from 'playwright'
import { createSessionMocks, mockRefusalOf } from '../../../features/mock/session-mocks.ts'
import { createSessionTabs } from './session-tabs.ts'
import { createEmulation, type SessionEmulation } from '../../../features/emulate/session-emulation.ts'
import { createHttpCache } from '../network/http-cache.ts'
import { createPermissions } from '../tab/permissions.ts'
import { watchNetworkRequests, type NetworkRequests } from '../network/network-requests.ts'
import { createDownloadActivity, type DownloadActivity } from '../network/download-activity.ts'
import { saveDownloads } from '../network/save-downloads.ts'
import { watchWebSockets } from '../network/websockets.ts'
import { addErrorOverlay } from '../../../features/evidence/failure-view.ts'
import { nameMatches } from '../snapshot/name-matches.ts'
import { watchPageEvents } from '../console/page-events.ts'
import { createNewsReader } from './news-reader.ts'
import { readTree } from './read-tree.ts'
import { createExitWatch } from './exit-watch.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import { internalsOf } from '../playwright/internals.ts'
import { numberRefs } from '../playwright/session-refs.ts'
import { createDialogs, type Dialogs } from '../tab/dialogs.ts'
import { createPageRedaction, createSecretRecorder } from '../tab/page-redaction.ts'
import { openTab, type Tab } from '../tab/tab.ts'
import { createTabList, type TabList } from '../tab/tab-list.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import type { PageHooks, PageOptions } from '../../sessions/types/browsers.ts'
import { createDeferred, settleWithin } from '../../base/system/settle-within.ts'

/** `interruptedValue` returns the value of an action that was carried out and then interrupted, by a dialog or because its tab closed.
 * Without it an interruption is a failure. */
export type RunOnTab = <T>(
  work: (tab: Tab) => Promise<Outcome<T>>,
  interruptedValue?: () => T,
) => Promise<Outcome<T>>

export type PageParts = ReturnType<typeof createPageParts>

/** The time for the page of a download to report its secrets, which the file name may contain. */
const DOWNLOAD_SECRETS_TIMEOUT_MS = 1000

export function createPageParts(firstTab: Tab, hooks: PageHooks, options: PageOptions) {
  const { context } = firstTab
  const { secrets } = hooks
  if (hooks.nextRef) numberRefs(context, hooks.nextRef)
  const report = (text: string, data?: Readonly<Record<string, unknown>>) =>
    hooks.onEntry({ kind: 'page', level: 'info', text, data })
  const tabs = createTabList(firstTab, report)
  const dialogs = createDialogs(context, report)
  const requests = watchNetworkRequests(context, hooks)
  watchWebSockets(context, hooks)
  watchPageEvents(context, hooks.onEntry)
  const onFieldInput = createSecretRecorder(secrets)
  const redaction = createPageRedaction(secrets)
  const downloads = createDownloadActivity(context)
  const collectSecrets = (page: Page) => redaction.isReported(tabs.forPage(page), DOWNLOAD_SECRETS_TIMEOUT_MS)
  saveDownloads(context, hooks, collectSecrets, downloads)
  const permissions = createPermissions(context)
  if (!hooks.isAttached) void permissions.allowCopying(tabs.active())
  const httpCache = createHttpCache(context)
  const emulation = createEmulation(context, permissions, (page) => tabs.forPage(page).recovery.cdp)
  const explain = async (page: Page, failure: Failure) =>
    nameMatches(page, await addErrorOverlay(page, failure), secrets)
  const runOnTab = createTabRunner({ context, tabs, dialogs, requests, downloads, emulation, explain })
  const mocks = createSessionMocks(context, hooks, requests.markMock, mockRefusalOf(context, hooks, options))
  const sessionTabs = createSessionTabs(context, tabs, redaction, hooks.isProxied)
  const exit = createExitWatch(report)
  const news = createNewsReader(tabs, dialogs, (tab, deadline) =>
    readTree(tab, { isInternal: true }, deadline, { redaction, secrets, exit }),
  )
  return {
    context,
    exit,
    news,
    tabs,
    sessionTabs,
    dialogs,
    requests,
    downloads,
    permissions,
    emulation,
    httpCache,
    mocks,
    redaction,
    secrets,
    onFieldInput,
    runOnTab,
    isElsewhere: hooks.isElsewhere ?? false,
    offersTools: hooks.offersTools ?? false,
  }
}

// --- internal ---

interface TabRunnerParts {
  readonly context: BrowserContext
  readonly tabs: TabList
  readonly dialogs: Dialogs
  readonly requests: NetworkRequests
  readonly downloads: DownloadActivity
  readonly emulation: SessionEmulation
  /** Adds to a failure what the page shows of its cause. */
  explain(page: Page, failure: Failure): Promise<Failure>
}

// Runs the work of a call on the active tab. It outlives a renderer crash: the call under way returns the failure, and the next one gets
// another tab or a new page in the same context. A call during which a dialog opens returns at once.
function createTabRunner({
  context,
  tabs,
  dialogs,
  requests,
  downloads,
  emulation,
  explain,
}: TabRunnerParts): RunOnTab {
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
    downloads.mark()
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
    if (!tabFailure) return err(await explain(tab.page, run.result.error))
    await waitForDisconnection(context)
    if (tabs.active() === tab) return err(await replaceTab(tab, tabFailure))
    if (interruptedValue && !failureBefore) return ok(interruptedValue())
    return err({ ...tabFailure, tab: tabs.idOf(tabs.active()) } as Failure)
  }
}

const DISCONNECTION_TIMEOUT_MS = 300

// The pages of a Playwright server that is gone end before it is reported as disconnected, which ends the session.
async function waitForDisconnection(context: BrowserContext): Promise<void> {
  const browser = context.browser()
  if (!browser?.isConnected() || internalsOf(browser) !== undefined) return
  const disconnection = createDeferred()
  browser.once('disconnected', () => disconnection.resolve())
  await settleWithin(DISCONNECTION_TIMEOUT_MS, disconnection.promise)
}
