// The active page of one session, as tools use it. It outlives a renderer crash: the call under way learns of it, and the next one
// finds another tab or a new page in the same context. A call that meets a dialog returns at once.

import { animated } from './animations.ts'
import { click } from '../actions/click.ts'
import { awaitNavigation } from './navigation-watch.ts'
import { createDialogs } from './dialogs.ts'
import { saveDownloads } from '../network/save-downloads.ts'
import { emulate } from '../actions/emulate.ts'
import { evaluate } from '../actions/evaluate.ts'
import { watchNetworkRequests } from '../network/network-requests.ts'
import { withOverlay } from '../observe/error-overlay.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import { fill, submit } from '../forms/fill.ts'
import { pressKey } from '../actions/press-key.ts'
import { viewFailure } from '../observe/failure-view.ts'
import { history, navigate } from '../actions/navigate.ts'
import { watchPageEvents } from '../observe/page-events.ts'
import { allowClipboard } from './clipboard-permission.ts'
import { drag, hover } from '../actions/hover-and-drag.ts'
import { rememberTyped } from '../secrets/typed-secrets.ts'
import { createPageRedaction } from '../secrets/page-redaction.ts'
import { readsOf } from './page-reads.ts'
import { select } from '../forms/select.ts'
import { settle } from './settle.ts'
import { tabActionsOf } from './tab-actions.ts'
import { createTabs, openTab, type Tab } from './tabs.ts'
import { countMatches } from '../observe/aria-snapshot.ts'
import { startTrace, stopTrace } from './tracing.ts'
import { type } from '../forms/type.ts'
import { upload } from '../actions/upload.ts'
import { waitFor } from '../actions/wait-for.ts'
import { addressOf } from './title-and-url.ts'
import { watchWebSockets } from '../network/websockets.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { OwnedPage, PageHooks, StorageState } from '../../runtime/ports/browsers.ts'
import type { Arrived, Call } from '../../runtime/ports/page.ts'

// Milliseconds in which the page of a download reports its secrets.
const NAME_TIMEOUT_MS = 1000

/** `release` must free everything that was opened for the page, its browser too where it has its own. */
export function createSessionPage(first: Tab, hooks: PageHooks, release: () => Promise<void>): OwnedPage {
  const { context } = first
  const tell = (text: string) => hooks.observe({ kind: 'page', level: 'info', text })
  const tabs = createTabs(first, tell)
  const dialogs = createDialogs(context, tell)
  const requests = watchNetworkRequests(context, hooks)
  watchWebSockets(context, hooks)
  watchPageEvents(context, hooks.observe)

  // `stand` is the answer of an action that was carried out and then cut short, by a dialog or because its tab closed.
  async function use<T>(work: (tab: Tab) => Promise<Outcome<T>>, stand?: () => T): Promise<Outcome<T>> {
    const open = dialogs.current()
    if (open) return err({ code: 'DIALOG_OPEN', ...open })
    requests.mark()
    const tab = tabs.active()
    const before = tab.broken()
    const met = before ? { done: err(before) } : await dialogs.during(work(tab), stand !== undefined)
    if (stand) await tabs.arrived()
    if ('dialog' in met) return stand ? ok(stand()) : err({ code: 'DIALOG_OPEN', ...met.dialog })
    const broken = tab.broken()
    if (met.done.ok) return met.done
    if (!broken) return err(await withOverlay(tab.page, met.done.error))
    const moved = tabs.active() !== tab
    if (moved && stand && !before) return ok(stand())
    return err(moved ? ({ ...broken, tab: tabs.idOf(tabs.active()) } as Failure) : await replace(tab, broken))
  }

  // The caller that meets a broken page is told once, and a new page is opened in its place.
  async function replace(tab: Tab, failure: Failure): Promise<Failure> {
    const opened = await attempt(openTab(context), browserError)
    if (!opened.ok) return failure
    tabs.activate(tabs.of(opened.value.page))
    await tab.page.close().catch(() => {})
    return failure
  }

  const { secrets } = hooks
  const onSecret = rememberTyped(secrets)
  const redaction = createPageRedaction(secrets)
  saveDownloads(context, hooks, (page) => redaction.isReported(tabs.of(page), NAME_TIMEOUT_MS))
  const titled = async (outcome: Promise<Outcome<Arrived>>, call: Call) => {
    const arrival = await outcome
    const open = dialogs.current()
    // A page that asks whether it may be left has not been left.
    if (open?.type === 'beforeunload') return err<Failure>({ code: 'DIALOG_OPEN', ...open })
    return open ? arrival : redaction.titled(tabs.active(), arrival, call)
  }
  const nothing = () => ''
  const here = () => ({ title: '', url: addressOf(tabs.active().page), status: 0 })

  return {
    url: () => addressOf(tabs.active().page),
    navigate: (url, waitUntil, call) =>
      titled(
        use((tab) => navigate(tab, url, waitUntil, call), here),
        call,
      ),
    history: (direction, call) =>
      titled(
        use((tab) => history(tab, direction, call), here),
        call,
      ),

    click: (target, options, call) =>
      use((tab) => click(tab, target, options, call, requests.scripts), nothing),
    type: (target, text, options, call) =>
      use((tab) => {
        const typing = () => type(tab, target, text, options, call, onSecret)
        return options.submit ? awaitNavigation(tab, typing) : typing()
      }, nothing),
    fill: (target, value, call) =>
      use(
        (tab) => fill(tab, target, value, call, onSecret),
        () => {},
      ),
    submit: (target, call) =>
      use(
        (tab) => awaitNavigation(tab, () => submit(tab.page, target, call)),
        () => {},
      ),
    select: (target, values, call) =>
      use(
        ({ page }) => select(page, target, values, call),
        () => values,
      ),
    hover: (target, call) =>
      use(
        (tab) => hover(tab, target, call),
        () => {},
      ),
    drag: (from, to, call) => use(({ page }) => drag(page, from, to, call), nothing),
    press: (key, target, call) =>
      use(
        (tab) => awaitNavigation(tab, () => pressKey(tab.page, key, target, call)),
        () => {},
      ),
    upload: (target, given, call) =>
      use(
        ({ page }) => upload(page, target, given, call),
        () => 'chosen' as const,
      ),

    count: (target) => use(({ page }) => countMatches(page, target)),
    waitFor: (condition, call) => use(({ page }) => waitFor(page, condition, call)),
    // While a dialog is open the page does not answer, and does not change either.
    isReported: async (ms) => Boolean(dialogs.current()) || redaction.isReported(tabs.active(), ms),
    settle: async () => (dialogs.current() ? [] : settle(tabs.active(), requests, dialogs)),
    animated: () => animated(tabs.active().page),
    evaluate: (script, arg, target, call) =>
      use(
        (tab) => evaluate(tab, script, arg, target, call),
        () => ({
          result: null,
          notes: ['a dialog or the closing of the tab interrupted the script; its result is lost'],
        }),
      ),
    exchange: requests.read,
    ...readsOf(use, redaction, secrets),
    dialog: dialogs.current,
    answerDialog: dialogs.answer,
    ...tabActionsOf(context, tabs, redaction, hooks.guarded),

    emulate: (settings) => use(({ page }) => emulate(page, settings)),
    state: () => use(async () => attempt(context.storageState() as Promise<StorageState>, browserError)),
    restore: (state) =>
      use(async () =>
        attempt(
          context.setStorageState(state as Parameters<typeof context.setStorageState>[0]),
          browserError,
        ),
      ),
    startTrace: () => startTrace(context),
    stopTrace: (path, then) => stopTrace(context, path, then),

    allowClipboard: (origin) => allowClipboard(first, origin),
    recover: () => tabs.active().recovery.run(),
    async viewFailure(wanted, ms) {
      const open = dialogs.current()
      if (open) return { missing: { screenshot: `a ${open.type} dialog is open` } }
      const tab = tabs.active()
      const work = async () => viewFailure(tab.page, await tab.recovery.cdp, wanted, ms, secrets)
      const missing = { page: `it did not report its secret fields within ${ms} ms` }
      return wanted.maximumPixels > 0 ? ((await redaction.mask(tab, ms, work)) ?? { missing }) : work()
    },
    async release() {
      tabs.end()
      await release()
    },
  }
}
