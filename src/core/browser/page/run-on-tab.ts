// Runs the work of a call on the active tab, and an input once its elements are still those that the client read.

import type { BrowserContext, Page } from 'playwright'
import type { Target } from '../../base/action.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import { createDeferred, settleWithin } from '../../base/system/settle-within.ts'
import { clip } from '../../base/text/clip.ts'
import type { PageHooks } from '../../sessions/types/browsers.ts'
import { findPlaceChange } from '../in-page/generated.ts'
import type { DownloadActivity } from '../network/download-activity.ts'
import type { NetworkRequests } from '../network/network-requests.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import { evaluateInternally, internalsOf } from '../playwright/internals.ts'
import { describeTarget, locatorOfRef } from '../playwright/locator.ts'
import { nameMatches } from '../snapshot/name-matches.ts'
import type { Dialogs } from '../tab/dialogs.ts'
import type { TabList } from '../tab/tab-list.ts'
import { openTab, type Tab } from '../tab/tab.ts'
import type { NewsReader } from './news-reader.ts'
import type { PageFeature } from './performers.ts'

/** `interruptedValue` returns the value of an action that was carried out and then interrupted, by a dialog or because its tab closed.
 * Without it an interruption is a failure. */
export type RunOnTab = <T>(
  work: (tab: Tab) => Promise<Outcome<T>>,
  interruptedValue?: () => T,
) => Promise<Outcome<T>>

/** Runs an input on the active tab, whose window has the focus, once its elements are still those that the client read.
 * `interruptedValue` is its value if a dialog ends it. */
export type RunInFront = <T>(
  elements: readonly (Target | undefined)[],
  work: (tab: Tab) => Promise<Outcome<T>>,
  interruptedValue: () => T,
) => Promise<Outcome<T>>

interface TabRunnerParts {
  readonly context: BrowserContext
  readonly tabs: TabList
  readonly dialogs: Dialogs
  readonly requests: NetworkRequests
  readonly downloads: DownloadActivity
  readonly features: readonly PageFeature[]
  readonly secrets: PageHooks['secrets']
}

// Runs the work of a call on the active tab. It outlives a renderer crash: the call under way returns the failure, and the next one gets
// another tab or a new page in the same context. A call during which a dialog opens returns at once.
export function createTabRunner({
  context,
  tabs,
  dialogs,
  requests,
  downloads,
  features,
  secrets,
}: TabRunnerParts): RunOnTab {
  // The call that finds a broken tab returns its failure once, and a new tab takes its place.
  async function replaceTab(tab: Tab, failure: Failure): Promise<Failure> {
    const openResult = await attempt(openTab(context), browserError)
    if (!openResult.ok) return failure
    tabs.activate(tabs.forPage(openResult.value.page))
    await tab.page.close().catch(() => {})
    return failure
  }

  async function explain(tab: Tab, failure: Failure): Promise<Failure> {
    let explained = failure
    for (const { explainFailure } of features)
      if (explainFailure) explained = await explainFailure(explained, tab)
    return nameMatches(tab.page, explained, secrets)
  }

  return async (work, interruptedValue) => {
    const openDialog = dialogs.current()
    if (openDialog) return err({ code: 'DIALOG_OPEN', ...openDialog })
    requests.mark()
    downloads.mark()
    const tab = tabs.active()
    const failureBefore = tab.failure()
    const runWithSettings = async () => {
      await Promise.all(features.map(({ beforeWork }) => beforeWork?.()))
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
    if (!tabFailure) return err(await explain(tab, run.result.error))
    await waitForDisconnection(context)
    if (tabs.active() === tab) return err(await replaceTab(tab, tabFailure))
    if (interruptedValue && !failureBefore) return ok(interruptedValue())
    return err({ ...tabFailure, tab: tabs.idOf(tabs.active()) } as Failure)
  }
}

export const createActionRunner =
  (runOnTab: RunOnTab, news: NewsReader, prepare?: (page: Page) => Promise<void>): RunInFront =>
  (elements, work, interruptedValue) =>
    runOnTab(async (tab) => {
      const searches = elements.map((element) => findPlaceFailure(tab.page, element))
      const [failures] = await Promise.all([Promise.all(searches), news.settle()])
      const failure = failures.find((candidate) => candidate !== undefined)
      if (failure) return err(failure)
      await prepare?.(tab.page)
      return work(tab)
    }, interruptedValue)

// --- internal ---

const DISCONNECTION_TIMEOUT_MS = 300

// The pages of a Playwright server that is gone end before it is reported as disconnected, which ends the session.
async function waitForDisconnection(context: BrowserContext): Promise<void> {
  const browser = context.browser()
  if (!browser?.isConnected() || internalsOf(browser) !== undefined) return
  const disconnection = createDeferred()
  browser.once('disconnected', () => disconnection.resolve())
  await settleWithin(DISCONNECTION_TIMEOUT_MS, disconnection.promise)
}

const PLACE_TEXT_LIMIT_CHARS = 80

// A ref stays with its element. If the page has drawn another item into the element since the client read it, no action is performed.
async function findPlaceFailure(page: Page, target: Target | undefined): Promise<Failure | undefined> {
  if (!target || !('ref' in target)) return undefined
  const locator = locatorOfRef(page, target.ref)
  const reply = await evaluateInternally(locator, findPlaceChange, undefined).catch(() => undefined)
  const change = reply?.result
  if (!change) return undefined
  const changed = {
    from: clip(change.from, PLACE_TEXT_LIMIT_CHARS),
    to: clip(change.to, PLACE_TEXT_LIMIT_CHARS),
  }
  return { code: 'ELEMENT_NOT_FOUND', target: describeTarget(target), waited: 0, stale: true, changed }
}
