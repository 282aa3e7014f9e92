// The browser processes of all sessions. A session shares a browser with others or has one of its own.

import type { Browser } from 'playwright'
import { openContext } from './open-context.ts'
import { prepareContext } from '../tab/prepare-context.ts'
import type { BrowserPoolOptions } from './pool-options.ts'
import { closeDebuggingPort } from './debugging-port.ts'
import { raceDisconnect } from './race-disconnect.ts'
import { createSharedBrowsers, type BrowserLease } from './shared-browsers.ts'
import { createBrowserStarter } from './start-browser.ts'
import { closeContext } from '../tab/close-page.ts'
import type { Tab } from '../tab/tab.ts'
import { createSessionPage } from '../page/session-page.ts'
import { attachBrowser } from '../attach/attached-browser.ts'
import type { Outcome } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'
import type { Browsers, OwnedPage, PageHooks, PageOptions } from '../../runtime/ports/browsers.ts'

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
  const isolatedBrowsers = new Set<Browser>()

  async function acquireIsolated(pageOptions: PageOptions): Promise<Outcome<BrowserLease>> {
    const launchResult = await starter.start(pageOptions)
    if (!launchResult.ok) return launchResult
    const browser = launchResult.value
    isolatedBrowsers.add(browser)
    return ok({
      browser,
      openContext: () => openContext(browser, pageOptions),
      release: async () => {
        if (isolatedBrowsers.delete(browser)) await browser.close().catch(() => {})
      },
    })
  }

  async function open(pageOptions: PageOptions, hooks: PageHooks): Promise<Outcome<OwnedPage>> {
    const isIsolated = (pageOptions.isolation ?? options.isolation) === 'browser'
    if (pageOptions.attach) options.onStart()
    const lease = await (pageOptions.attach
      ? attachBrowser(options.attach, pageOptions)
      : isIsolated
        ? acquireIsolated(pageOptions)
        : shared.acquire(pageOptions))
    if (!lease.ok) return lease
    const { browser } = lease.value
    const onEntry: PageHooks['onEntry'] = (entry) => {
      starter.recordActivity(browser)
      hooks.onEntry(entry)
    }
    return openPage(lease.value, pageOptions, { ...hooks, onEntry }, options)
  }

  return {
    open,
    isUsable: starter.isUsable,
    startCount: starter.startCount,
    prepare() {
      // A connection for sessions with contexts of their own attaches to all tabs, and nobody may want such a session.
      if (options.remote?.cdpEndpoint !== undefined) return
      if (options.isolation === 'context' && starter.startCount() === 0) shared.prepare()
    },
    async end() {
      const running = [...(await shared.stop()), ...isolatedBrowsers]
      await Promise.all([
        options.attach.relay.end(),
        ...running.map((browser) => browser.close().catch(() => {})),
      ])
    },
  }
}

async function openPage(
  { browser, ...lease }: BrowserLease,
  pageOptions: PageOptions,
  hooks: PageHooks,
  options: BrowserPoolOptions,
): Promise<Outcome<OwnedPage>> {
  const name = pageOptions.browser ?? options.browser
  const isProxied = pageOptions.proxy !== undefined
  const isAttached = pageOptions.attach === true
  const opening = lease.openContext()
  const tab = await raceDisconnect(browser, name, options.launchTimeout, opening)
  if (!tab.ok) {
    void opening.then((late) => (late.ok ? late.value.context.close().catch(() => {}) : undefined))
    await lease.release()
    return tab
  }
  const preparing = raceDisconnect(
    browser,
    name,
    options.launchTimeout,
    prepareRemote(tab.value, options).then(() => prepareContext(tab.value, pageOptions)),
  )
  const prepared = await preparing
  if (!prepared.ok) {
    void tab.value.context.close().catch(() => {})
    await lease.release()
    return prepared
  }
  const onDisconnected = () => hooks.onCrash({ code: 'BROWSER_CRASHED', browser: name })
  browser.once('disconnected', onDisconnected)
  if (!browser.isConnected()) onDisconnected()
  return ok(
    createSessionPage(tab.value, { ...hooks, isProxied, isAttached }, pageOptions, async () => {
      browser.off('disconnected', onDisconnected)
      if (!isAttached) await closeContext(tab.value.context, isProxied)
      await lease.release()
    }),
  )
}

const prepareRemote = async ({ context }: Tab, { remote }: BrowserPoolOptions): Promise<void> =>
  remote?.cdpEndpoint === undefined ? undefined : closeDebuggingPort(context, remote.cdpEndpoint)
