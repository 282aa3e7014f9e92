// The tabs of one context. What a page opens becomes a tab of its own and is told, but does not become the active one; when the active
// one closes, another takes its place.

import type { BrowserContext, Page as PlaywrightPage } from 'playwright'
import { prepareHangRecovery, type HangRecovery } from './hang-recovery.ts'
import { createDeferred } from '../../runtime/calls/deferred.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { addressOf } from './title-and-url.ts'
import type { Failure } from '../../core/failure.ts'

/** One tab: its page, the way to free it, and how it came to its end, if it did. */
export interface Tab {
  readonly context: BrowserContext
  readonly page: PlaywrightPage
  readonly recovery: HangRecovery
  broken(): Failure | undefined
}

export interface Tabs {
  active(): Tab
  idOf(tab: Tab): string
  all(): readonly (readonly [id: string, tab: Tab])[]
  /** The tab of a page, made if there is none yet. */
  of(page: PlaywrightPage): Tab
  activate(tab: Tab): void
  /** Waits a little for the windows that a page has just opened to be tabs. */
  arrived(): Promise<void>
  /** Tells no more of what happens, because the context is about to close. */
  end(): void
}

/** Tabs of one session. */
export const TAB_LIMIT = 20

// Milliseconds that a window which is being opened is waited for.
const ARRIVAL = 1000

/** A page as a tab that no list holds yet. */
export function tabOf(page: PlaywrightPage): Tab {
  let broken: Failure | undefined
  const end = (reason: 'crashed' | 'closed') => () =>
    (broken ??= { code: 'PAGE_CRASHED', url: addressOf(page), reason })
  page.once('crash', end('crashed'))
  page.once('close', end('closed'))
  return {
    context: page.context(),
    page,
    recovery: prepareHangRecovery(page),
    broken: () => broken,
  }
}

export async function openTab(context: BrowserContext): Promise<Tab> {
  const tab = tabOf(await context.newPage())
  await tab.recovery.cdp
  return tab
}

export function createTabs(first: Tab, tell: (text: string) => void): Tabs {
  const tabs = new Map<string, Tab>()
  let active = first
  let count = 0
  let ended = false
  let coming = 0
  const waiting = new Set<() => void>()

  const idOf = (tab: Tab) => [...tabs].find(([, one]) => one === tab)?.[0] ?? 't0'

  function add(tab: Tab): Tab {
    count += 1
    tabs.set(`t${count}`, tab)
    tab.page.once('close', () => removed(tab))
    // Chromium tells of a new window before the click that opened it is done; the page itself comes later.
    void tab.recovery.cdp.then((cdp) => cdp?.on('Page.windowOpen', () => (coming += 1)))
    return tab
  }

  function removed(tab: Tab): void {
    const id = idOf(tab)
    const others = [...tabs.values()].filter((one) => one !== tab && !one.broken())
    const next = others.at(-1)
    // The last one stays, broken, until the call that meets it has been told.
    if (ended || (active === tab && !next)) return
    tabs.delete(id)
    if (active === tab && next) active = next
    tell(`Tab ${id} was closed; tab ${idOf(active)} is active.`)
  }

  const of = (page: PlaywrightPage) => [...tabs.values()].find((one) => one.page === page) ?? add(tabOf(page))

  add(first)
  first.context.on('page', (page) => {
    if (tabs.size >= TAB_LIMIT) {
      tell(`A new tab was closed immediately: a session has at most ${TAB_LIMIT} tabs.`)
      return void page.close().catch(() => {})
    }
    const known = tabs.size
    const tab = of(page)
    coming = Math.max(0, coming - 1)
    for (const wake of waiting) wake()
    if (tabs.size > known && !ended) tell(`Tab ${idOf(tab)} was opened; select it with tabs to use it.`)
  })

  return {
    active: () => active,
    idOf,
    all: () => [...tabs],
    of,
    activate(tab) {
      if (active.broken()) tabs.delete(idOf(active))
      active = tab
    },
    async arrived() {
      if (coming === 0) return
      const arrival = createDeferred()
      const onPage = () => coming === 0 && arrival.resolve()
      waiting.add(onPage)
      await settleWithin(ARRIVAL, arrival.promise)
      waiting.delete(onPage)
      coming = 0
    },
    end: () => void (ended = true),
  }
}
