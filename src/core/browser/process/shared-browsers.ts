// Browsers that several sessions use, one for each combination of place, browser name, headless mode and proxying. Each opens a few default
// contexts ahead, and is replaced after a number of sessions; the replaced one is closed with its last session.

import type { Browser } from 'playwright'
import { hasDefaultContextOptions, openContext } from './open-context.ts'
import type { BrowserLease, BrowserPoolOptions } from './pool-options.ts'
import type { Tab } from '../tab/tab.ts'
import type { Outcome } from '../../base/failure.ts'
import { ok } from '../../base/result.ts'
import type { PageOptions } from '../../sessions/types/browsers.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import { createExpiryTimer } from '../../base/system/expiry-timer.ts'

interface SharedBrowser {
  readonly launch: Promise<Outcome<Browser>>
  readonly warmContexts: ReturnType<typeof createWarmContexts>
  sessionsServed: number
  sessionsOpen: number
  /** Another browser has taken its place. */
  isRetired: boolean
}

export function createSharedBrowsers(
  options: BrowserPoolOptions,
  start: (options: PageOptions, place: number) => Promise<Outcome<Browser>>,
) {
  const current = new Map<string, SharedBrowser>()
  const retiredBrowsers = new Set<SharedBrowser>()

  function findOrStart(pageOptions: PageOptions, place: number): SharedBrowser {
    const key = `${place} ${keyOf(pageOptions, options)}`
    const running = current.get(key)
    if (running) return running
    const shared = createSharedBrowser(start(pageOptions, place), options)
    current.set(key, shared)
    onceGone(shared, () => {
      if (current.get(key) === shared) current.delete(key)
    })
    return shared
  }

  // The next session gets another browser; this one is closed with the last of its sessions.
  function retire(shared: SharedBrowser): void {
    shared.isRetired = true
    shared.warmContexts.stop()
    for (const [key, candidate] of current) if (candidate === shared) current.delete(key)
    retiredBrowsers.add(shared)
    if (shared.sessionsOpen > 0 || !retiredBrowsers.delete(shared)) return
    void shared.launch.then((result) => (result.ok ? result.value.close().catch(() => {}) : undefined))
  }

  function release(shared: SharedBrowser): void {
    shared.sessionsOpen -= 1
    if (shared.sessionsServed >= options.recycleAfter) retire(shared)
  }

  return {
    /** The browser of a place for these options, which is started if there is none. */
    async acquire(pageOptions: PageOptions, place: number): Promise<Outcome<BrowserLease>> {
      const shared = findOrStart(pageOptions, place)
      shared.sessionsServed += 1
      shared.sessionsOpen += 1
      if (shared.sessionsServed >= options.recycleAfter) retire(shared)
      const launchResult = await shared.launch
      if (!launchResult.ok) {
        release(shared)
        return launchResult
      }
      const browser = launchResult.value
      return ok({
        browser,
        openContext: () => openContextIn(shared, browser, pageOptions, options),
        release: async () => release(shared),
      })
    },
    /** Starts the default browser and its warm contexts in the background. */
    prepare: (): void => findOrStart({}, 0).warmContexts.fill(),
    /** Opens nothing more, and returns the browsers that run once all starts have ended. */
    stop: (): Promise<Browser[]> => stopAll([...current.values(), ...retiredBrowsers]),
  }
}

function createSharedBrowser(launch: Promise<Outcome<Browser>>, options: BrowserPoolOptions): SharedBrowser {
  // Each session behind a proxy has its own, so no context can be opened ahead.
  const canOpenAhead = !options.isProxied && options.remote?.opensAhead !== false
  const warmContexts = createWarmContexts(canOpenAhead ? options.warm : 0, async () => {
    const browser = await launch
    return browser.ok ? openContext(browser.value, {}, options.features) : browser
  })
  return { launch, warmContexts, sessionsServed: 0, sessionsOpen: 0, isRetired: false }
}

async function stopAll(all: readonly SharedBrowser[]): Promise<Browser[]> {
  for (const { warmContexts } of all) warmContexts.stop()
  const launchResults = await Promise.all(all.map((shared) => shared.launch))
  return launchResults.flatMap((result) => (result.ok ? [result.value] : []))
}

/** Stops the warm contexts and calls back when the browser has failed to start or has disconnected. */
function onceGone({ launch, warmContexts }: SharedBrowser, onGone: () => void): void {
  const handleGone = () => {
    warmContexts.stop()
    onGone()
  }
  launch.then(
    (result) => (result.ok ? result.value.once('disconnected', handleGone) : handleGone()),
    handleGone,
  )
}

async function openContextIn(
  shared: SharedBrowser,
  browser: Browser,
  pageOptions: PageOptions,
  options: BrowserPoolOptions,
): Promise<Outcome<Tab>> {
  const isDefault = isDefaultBrowser(pageOptions, options) && hasDefaultContextOptions(pageOptions)
  const warm = isDefault ? await shared.warmContexts.take() : undefined
  // Its last session may have a context that was opened ahead, and nobody has the others.
  if (shared.isRetired) shared.warmContexts.close()
  const tab = warm ? ok(warm) : await openContext(browser, pageOptions, options.features)
  if (isDefault) shared.warmContexts.refill()
  return tab
}

const keyOf = (pageOptions: PageOptions, options: BrowserPoolOptions): string => {
  const isProxied = options.isProxied || pageOptions.proxy !== undefined
  return `${pageOptions.browser ?? options.browser} ${isHeadless(pageOptions, options)} ${isProxied}`
}

const isDefaultBrowser = (pageOptions: PageOptions, options: BrowserPoolOptions): boolean =>
  (pageOptions.browser ?? options.browser) === options.browser &&
  isHeadless(pageOptions, options) === options.headless

const isHeadless = ({ headless }: PageOptions, options: BrowserPoolOptions): boolean =>
  (headless ?? options.headless) || !options.hasDisplay

// The session that has just begun has the machine to itself for this time.
const REFILL_DELAY_MS = 1000

// The first answer of a new page waits for its process, as does whatever is done with it next.
const PING_TIMEOUT_MS = 1000

// Playwright never answers when the process of a page ends while the page is opened. A new context is faster then.
const OPEN_TIMEOUT_MS = 5000

/** Contexts opened ahead, so that a session has its page at once. */
export function createWarmContexts(
  limit: number,
  open: () => Promise<Outcome<Tab>>,
  openTimeoutMs = OPEN_TIMEOUT_MS,
) {
  const contexts: Promise<Outcome<Tab>>[] = []
  let isStopped = false
  let isRefillScheduled = false
  const fill = () => {
    isRefillScheduled = false
    while (!isStopped && contexts.length < limit) contexts.push(open())
  }
  const timer = createExpiryTimer(() => performance.now(), fill)
  return {
    /** Opens contexts up to the limit, unless it was stopped. */
    fill,
    /** The tab of a context that answers, if one is ready. */
    async take(): Promise<Tab | undefined> {
      const opening = contexts.shift()
      const tab = opening && (await findResponsiveTab(opening, openTimeoutMs))
      if (opening && !tab) void closeOnceOpen(opening)
      return tab
    },
    /** Opens contexts up to the limit after a while. */
    refill(): void {
      if (!isRefillScheduled) timer.arm(performance.now() + REFILL_DELAY_MS)
      isRefillScheduled = true
    },
    /** Opens no more contexts. */
    stop: (): void => void (isStopped = true),
    /** The same, and closes those that are open. */
    close(): void {
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
