// The tabs of one context. What a page opens becomes a tab of its own and is reported, but does not become the active one; when the
// active one closes, another one becomes active.

import type { Page as PlaywrightPage, BrowserContext, Dialog, Page } from 'playwright'
import { createTab, type Tab } from './tab.ts'
import { createDeferred, settleWithin } from '../../base/system/settle-within.ts'
import { map, type Result } from '../../base/result.ts'

export interface TabList {
  active(): Tab
  idOf(tab: Tab): string
  all(): readonly (readonly [id: string, tab: Tab])[]
  /** The tab of a page, which is added if the list does not have it. */
  forPage(page: PlaywrightPage): Tab
  activate(tab: Tab): void
  /** Opens a tab for the caller, who knows of it: it is not reported. */
  open<E>(openPage: () => Promise<Result<PlaywrightPage, E>>): Promise<Result<Tab, E>>
  /** Waits a little until the windows that a page has just opened are tabs. */
  waitForOpeningTabs(): Promise<void>
  /** Reports no more closed or opened tabs, because the context is about to close. */
  dispose(): void
}

/** Which tab a report is about. */
type TabEvent = { readonly openedTab: string } | { readonly closedTab: string }

/** Tabs of one session. */
export const TAB_LIMIT = 20

const OPENING_TIMEOUT_MS = 1000

export function createTabList(firstTab: Tab, report: (text: string, data?: TabEvent) => void): TabList {
  const tabs = new Map<string, Tab>()
  const opening = createOpeningCounter()
  const reports = createOpenedReports((tab) => report(openedNote(idOf(tab)), { openedTab: idOf(tab) }))
  let active = firstTab
  let lastNumber = 0
  let isDisposed = false

  const idOf = (tab: Tab) => [...tabs].find(([, candidate]) => candidate === tab)?.[0] ?? 't0'

  function add(tab: Tab): Tab {
    lastNumber += 1
    tabs.set(`t${lastNumber}`, tab)
    tab.page.once('close', () => remove(tab))
    // Chromium reports a new window before the click that opened it is done; the page itself comes later.
    void tab.recovery.cdp.then((cdp) => cdp?.on('Page.windowOpen', opening.increment))
    return tab
  }

  function remove(tab: Tab): void {
    const id = idOf(tab)
    const next = [...tabs.values()].filter((candidate) => candidate !== tab && !candidate.failure()).at(-1)
    // The last tab stays with its failure until a call has returned it.
    if (isDisposed || (active === tab && !next)) return
    tabs.delete(id)
    if (active === tab && next) active = next
    report(`Tab ${id} was closed; tab ${idOf(active)} is active.`, { closedTab: id })
  }

  const forPage = (page: PlaywrightPage) =>
    [...tabs.values()].find((tab) => tab.page === page) ?? add(createTab(page))

  function handleOpenedPage(page: PlaywrightPage): void {
    if (tabs.size >= TAB_LIMIT) {
      report(`A new tab was closed immediately: a session has at most ${TAB_LIMIT} tabs.`)
      return void page.close().catch(() => {})
    }
    const countBefore = tabs.size
    const tab = forPage(page)
    opening.decrement()
    if (tabs.size > countBefore && !isDisposed) reports.add(tab)
  }

  add(firstTab)
  firstTab.context.on('page', handleOpenedPage)

  return {
    active: () => active,
    idOf,
    all: () => [...tabs],
    forPage,
    activate(tab) {
      if (active.failure()) tabs.delete(idOf(active))
      active = tab
    },
    open: (openPage) => reports.omitOwn(async () => map(await openPage(), forPage)),
    waitForOpeningTabs: opening.waitForZero,
    dispose: () => void (isDisposed = true),
  }
}

// --- internal ---

const openedNote = (id: string): string => `Tab ${id} was opened; select it with tabs to use it.`

/** Reports the tabs that come, but not the one that is opened for the caller. */
function createOpenedReports(report: (tab: Tab) => void) {
  let pending: Tab[] | undefined
  return {
    add: (tab: Tab) => (pending ? void pending.push(tab) : report(tab)),
    async omitOwn<E>(open: () => Promise<Result<Tab, E>>): Promise<Result<Tab, E>> {
      const tabs: Tab[] = (pending = [])
      const own = await open()
      pending = undefined
      for (const tab of tabs) if (!own.ok || tab !== own.value) report(tab)
      return own
    },
  }
}

/** Counts the windows that were reported and whose page has not come yet. */
function createOpeningCounter() {
  const waiting = new Set<() => void>()
  let count = 0
  return {
    increment: () => void (count += 1),
    decrement() {
      count = Math.max(0, count - 1)
      for (const wake of waiting) wake()
    },
    async waitForZero() {
      if (count === 0) return
      const zero = createDeferred()
      const onChange = () => count === 0 && zero.resolve()
      waiting.add(onChange)
      await settleWithin(OPENING_TIMEOUT_MS, zero.promise)
      waiting.delete(onChange)
      count = 0
    },
  }
}

// Pages are navigated away before they are closed, so that what they send while they unload (beacons, keepalive fetches) goes through
// their proxy.
/** A page that does not answer a ping in time hangs and has nothing to send; the others get a little time to unload. */
const CLOSE_TIMEOUTS = { pingMs: 250, unloadMs: 1000 } as const

type CloseTimeouts = Readonly<Record<keyof typeof CLOSE_TIMEOUTS, number>>

/** Closes a page; one behind a proxy is unloaded first. */
export async function closePage(
  page: Page,
  isProxied: boolean,
  timeouts: CloseTimeouts = CLOSE_TIMEOUTS,
): Promise<void> {
  if (isProxied) await unload(page, timeouts)
  await page.close()
}

/** Closes a context and whatever runs in it; the pages of one behind a proxy are unloaded first, in parallel. */
export async function closeContext(
  context: BrowserContext,
  isProxied: boolean,
  timeouts: CloseTimeouts = CLOSE_TIMEOUTS,
): Promise<void> {
  if (isProxied) await Promise.all(context.pages().map((page) => unload(page, timeouts)))
  await context.close().catch(() => {})
}

async function unload(page: Page, { pingMs, unloadMs }: CloseTimeouts): Promise<void> {
  if (page.isClosed()) return
  const answer = await settleWithin(pingMs, page.evaluate('1'))
  if (answer === undefined) return
  const accept = (dialog: Dialog) => void dialog.accept().catch(() => {})
  page.on('dialog', accept)
  // The page must have loaded: Chromium may lose the close of a page that has only just committed.
  await settleWithin(unloadMs, page.goto('about:blank', { waitUntil: 'load', timeout: unloadMs }))
  page.off('dialog', accept)
}
