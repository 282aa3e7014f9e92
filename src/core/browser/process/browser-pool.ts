// The browser processes of all sessions. A session shares a browser with others or has one of its own.

import { prepareContext } from '../tab/prepare-context.ts'
import type { Browser } from 'playwright'
import { openContext, openProfileTab } from './open-context.ts'
import type { BrowserLease, BrowserPoolOptions } from './pool-options.ts'
import { closeDebuggingPort, createBrowserStarter, hasOwnProfile } from './start-browser.ts'
import { createSharedBrowsers } from './shared-browsers.ts'
import { lossOf, type PlaceUse } from '../playwright/browser-source.ts'
import { closeContext } from '../tab/tab-list.ts'
import type { Tab } from '../tab/tab.ts'
import { createSessionPage } from '../page/session-page.ts'
import { invalidParameter, type Failure, type Outcome } from '../../base/failure.ts'
import { ok, err } from '../../base/result.ts'
import type { Browsers, OwnedPage, PageHooks, PageOptions } from '../../sessions/types/browsers.ts'
import type { BrowserName } from '../../base/browser-names.ts'
import { createDeferred, settleWithin } from '../../base/system/settle-within.ts'

export interface BrowserPool extends Browsers {
  /** Starts the shared browser and its warm contexts in the background, unless a session has started a browser. */
  prepare(): void
  /** Whether the last start of the default browser succeeded, or none was attempted yet. */
  isUsable(): boolean
  /** Number of browsers started so far. */
  startCount(): number
}

export function createBrowserPool(options: BrowserPoolOptions): BrowserPool {
  const starter = createBrowserStarter(options)
  const shared = createSharedBrowsers(options, starter.start)
  const isolated = createIsolatedBrowsers(starter.start, options.features)

  async function acquire(pageOptions: PageOptions, place: number): Promise<Outcome<BrowserLease>> {
    if (pageOptions.attach) {
      options.onStart()
      return options.attach?.open(pageOptions) ?? err(noAttach)
    }
    const isIsolated =
      (pageOptions.isolation ?? options.isolation) === 'browser' ||
      hasOwnProfile(pageOptions) ||
      options.remote?.isExclusive === true
    return (isIsolated ? isolated : shared).acquire(pageOptions, place)
  }

  async function open(pageOptions: PageOptions, hooks: PageHooks): Promise<Outcome<OwnedPage>> {
    const openAt = async (place?: PlaceUse) => {
      const lease = await acquire(pageOptions, place?.index ?? 0)
      if (!lease.ok) return lease
      const onEntry: PageHooks['onEntry'] = (entry) => {
        starter.recordActivity(lease.value.browser)
        hooks.onEntry(entry)
      }
      const page = await openPage(lease.value, pageOptions, { ...hooks, onEntry }, options, place)
      if (page.ok && !pageOptions.attach) starter.recordSession(pageOptions, place?.index ?? 0)
      return page
    }
    if (pageOptions.attach) return openAt()
    const { remote } = options
    const limit = remote?.findLimit(pageOptions) ?? findLimit(pageOptions, options)
    if (limit) return err(limit)
    const ignored = remote?.describeIgnored(pageOptions)
    if (ignored !== undefined) hooks.onEntry({ kind: 'page', level: 'info', text: ignored })
    return remote ? remote.open(openAt) : openAt()
  }

  return {
    open,
    isUsable: starter.isUsable,
    startCount: starter.startCount,
    prepare() {
      // A connection for sessions with contexts of their own attaches to all tabs, and nobody may want such a session.
      if (options.remote?.opensAhead === false) return
      if (options.isolation === 'context' && starter.startCount() === 0) shared.prepare()
    },
    async end() {
      const running = [...(await shared.stop()), ...isolated.list()]
      await Promise.all([options.attach?.end(), ...running.map((browser) => browser.close().catch(() => {}))])
      if (starter.startCount() > 0) await (await options.remote?.load())?.end()
    },
  }
}

const noAttach = invalidParameter('attach', 'a build that can attach', 'true', 'Omit it.')

/** Browsers of one session each. */
function createIsolatedBrowsers(
  start: (options: PageOptions, place: number) => Promise<Outcome<Browser>>,
  features: BrowserPoolOptions['features'],
) {
  const running = new Set<Browser>()
  return {
    list: () => [...running],
    async acquire(pageOptions: PageOptions, place: number): Promise<Outcome<BrowserLease>> {
      const launchResult = await start(pageOptions, place)
      if (!launchResult.ok) return launchResult
      const browser = launchResult.value
      running.add(browser)
      return ok({
        browser,
        openContext: () =>
          hasOwnProfile(pageOptions)
            ? openProfileTab(browser, pageOptions, features)
            : openContext(browser, pageOptions, features),
        release: async () => {
          if (running.delete(browser)) await browser.close().catch(() => {})
        },
      })
    },
  }
}

async function openPage(
  { browser, ...lease }: BrowserLease,
  pageOptions: PageOptions,
  hooks: PageHooks,
  options: BrowserPoolOptions,
  place?: PlaceUse,
): Promise<Outcome<OwnedPage>> {
  const name = pageOptions.browser ?? options.browser
  const isProxied = pageOptions.proxy !== undefined
  const isAttached = pageOptions.attach === true
  const remote = place && options.remote?.places[place.index]
  const isElsewhere = remote?.isElsewhere === true && !remote.exposesLoopback
  const opening = lease.openContext()
  const tab = await raceDisconnect(browser, name, options.launchTimeout, opening)
  if (!tab.ok) {
    void opening.then((late) => (late.ok ? late.value.context.close().catch(() => {}) : undefined))
    await lease.release()
    return tab
  }
  const preparing = closePort(tab.value, remote?.cdpEndpoint).then(() =>
    prepareContext(tab.value, pageOptions),
  )
  const prepared = await raceDisconnect(browser, name, options.launchTimeout, preparing)
  if (!prepared.ok) {
    void tab.value.context.close().catch(() => {})
    await lease.release()
    return prepared
  }
  const onDisconnected = () => {
    place?.fail()
    hooks.onCrash(crashOf(browser, name))
  }
  browser.once('disconnected', onDisconnected)
  if (!browser.isConnected()) onDisconnected()
  const traits = { isProxied, isAttached, isElsewhere }
  const page = createSessionPage(
    tab.value,
    { ...hooks, ...traits },
    pageOptions,
    options.features,
    async () => {
      browser.off('disconnected', onDisconnected)
      if (!isAttached) await closeContext(tab.value.context, isProxied)
      place?.end()
      await lease.release()
    },
  )
  let outcome: Outcome<OwnedPage> = ok(page)
  for (const { completePage } of options.features)
    if (completePage && outcome.ok) outcome = await completePage(outcome.value, options)
  return outcome
}

/** Why no session can be opened with these options. */
function findLimit(pageOptions: PageOptions, options: BrowserPoolOptions): Failure | undefined {
  for (const feature of options.features) {
    const limit = feature.findLimit?.(pageOptions, options)
    if (limit) return limit
  }
  return undefined
}

const closePort = async ({ context }: Tab, endpoint: string | undefined): Promise<void> =>
  endpoint === undefined ? undefined : closeDebuggingPort(context, endpoint)

function crashOf(browser: Browser, name: BrowserName): Failure {
  const reason = lossOf(browser)
  return { code: 'BROWSER_CRASHED', browser: name, reason }
}

/** The tab that `opening` resolves to, or a failure when `browser` disconnects or the timeout passes first: Playwright may then never
 * answer. */
async function raceDisconnect(
  browser: Browser,
  name: BrowserName,
  timeoutMs: number,
  opening: Promise<Outcome<Tab>>,
): Promise<Outcome<Tab>> {
  const disconnection = createDeferred<'disconnected'>()
  const onDisconnected = () => disconnection.resolve('disconnected')
  browser.once('disconnected', onDisconnected)
  const result = await settleWithin(timeoutMs, Promise.race([opening, disconnection.promise]))
  browser.off('disconnected', onDisconnected)
  if (result === 'disconnected' || !browser.isConnected()) return err(crashOf(browser, name))
  if (result === undefined)
    return err({
      code: 'BROWSER_ERROR',
      text: `no page was opened within ${timeoutMs} ms`,
      next: 'Try again.',
    })
  if (result instanceof Error) throw result
  return result
}
