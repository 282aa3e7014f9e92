// The browser processes. One is shared by all sessions that want the same kind; it is started ahead, kept while no session lives,
// and started again when it has died. A few default contexts are opened ahead too, so that a session has its page at once.

import type { Browser } from 'playwright'
import { whileAlive } from '../tab/while-alive.ts'
import { isPlain, openContext } from './open-context.ts'
import { watchHealth } from './health-check.ts'
import { keepPort } from './debugging-port.ts'
import { launch } from './launch.ts'
import { closeContext } from '../tab/close-page.ts'
import { createSessionPage } from '../tab/session-page.ts'
import { connectRemote, type Remote } from './connect-remote.ts'
import { createStartBreaker } from './start-breaker.ts'
import type { Tab } from '../tab/tabs.ts'
import { keepWarmContexts, type WarmContexts } from './warm-contexts.ts'
import type { Outcome } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'
import type { EgressProxies } from '../../runtime/ports/egress-proxy.ts'
import type {
  BrowserName,
  Browsers,
  OwnedPage,
  PageHooks,
  PageOptions,
} from '../../runtime/ports/browsers.ts'

export interface BrowsersOptions {
  readonly browser: BrowserName
  readonly headless: boolean
  /** Whether there is a display; without one every browser runs headless. */
  readonly display: boolean
  readonly isolation: 'context' | 'browser'
  readonly executablePath?: string
  /** Contexts opened ahead. */
  readonly warm: number
  readonly launchTimeout: number
  /** Sessions after which a browser gets a successor, because browsers grow. */
  readonly recycleAfter: number
  /** Whether every session goes through a proxy. */
  readonly guarded: boolean
  readonly boundary: Pick<EgressProxies, 'refusing' | 'reserve'>
  /** Where browsers are, if not on this machine. */
  readonly remote?: Remote | undefined
  readonly notice: (text: string) => void
}

interface Shared {
  readonly launched: Promise<Outcome<Browser>>
  readonly warm: WarmContexts
  /** Sessions that it has had, and that it has now. */
  served: number
  open: number
}

export interface OwnedBrowsers extends Browsers {
  /** Starts the shared browser and its warm contexts in the background. */
  prepare(): void
  /** Whether the last start of the usual browser went well, or none was tried yet. */
  usable(): boolean
  /** How many have been started so far. */
  starts(): number
}

export function createBrowsers(options: BrowsersOptions): OwnedBrowsers {
  const kinds = new Map<string, Shared>()
  const alone = new Set<Browser>()
  const old = new Set<Shared>()
  const beats = new WeakMap<Browser, number>()
  const told = new Set<string>()
  const starts = createStartBreaker()

  const mode = (wished: boolean | undefined): boolean => (wished ?? options.headless) || !options.display

  const notice = (text: string) => {
    if (!told.has(text)) options.notice(text)
    told.add(text)
  }

  function watchOver(browser: Browser, name: string): void {
    const text = `A ${name} stopped responding and was terminated; a new one is started`
    void watchHealth(
      browser,
      () => beats.get(browser) ?? 0,
      () => options.notice(text),
    )
  }

  function start({
    browser = options.browser,
    headless = options.headless,
    proxy,
  }: PageOptions): Promise<Outcome<Browser>> {
    const path = browser === options.browser ? options.executablePath : undefined
    const executable = path === undefined ? {} : { executablePath: path }
    const guarded = options.guarded || proxy !== undefined
    const request = { browser, headless, timeout: options.launchTimeout, notice, ...executable }
    const { remote, launchTimeout, boundary } = options
    return starts.run(browser, async () => {
      if (remote) return connectRemote(remote, browser, launchTimeout)
      const launched = await launch(guarded ? { ...request, refusing: await boundary.refusing() } : request)
      if (launched.ok) keepPort(launched.value, boundary.reserve)
      if (launched.ok) watchOver(launched.value, browser)
      return launched
    })
  }

  function shared(wanted: PageOptions): Shared {
    const guarded = options.guarded || wanted.proxy !== undefined
    const key = `${wanted.browser ?? options.browser} ${mode(wanted.headless)} ${guarded}`
    const running = kinds.get(key)
    if (running) return running
    const launched = start(wanted)
    // Behind a proxy each session has its own, so no page can be opened ahead.
    const warm = keepWarmContexts(options.guarded ? 0 : options.warm, async () => {
      const browser = await launched
      return browser.ok ? openContext(browser.value, {}) : browser
    })
    const kind: Shared = { launched, warm, served: 0, open: 0 }
    kinds.set(key, kind)
    const forget = () => {
      warm.end()
      if (kinds.get(key) === kind) kinds.delete(key)
    }
    launched.then((browser) => (browser.ok ? browser.value.once('disconnected', forget) : forget()), forget)
    return kind
  }

  // The next session gets another browser; this one ends with the last of its own.
  function retire(kind: Shared): void {
    kind.warm.end()
    for (const [key, one] of kinds) if (one === kind) kinds.delete(key)
    old.add(kind)
    if (kind.open > 0 || !old.delete(kind)) return
    void kind.launched.then((launched) => (launched.ok ? launched.value.close().catch(() => {}) : undefined))
  }

  function leave(kind: Shared): void {
    kind.open -= 1
    if (kind.served >= options.recycleAfter) retire(kind)
  }

  const isDefault = (wanted: PageOptions): boolean =>
    (wanted.browser ?? options.browser) === options.browser && mode(wanted.headless) === options.headless

  async function surfaceIn(kind: Shared, browser: Browser, wanted: PageOptions): Promise<Outcome<Tab>> {
    const ready = isDefault(wanted) && isPlain(wanted) ? await kind.warm.take() : undefined
    return ready ? ok(ready) : openContext(browser, wanted)
  }

  async function open(wanted: PageOptions, hooks: PageHooks): Promise<Outcome<OwnedPage>> {
    const own = (wanted.isolation ?? options.isolation) === 'browser'
    const guarded = wanted.proxy !== undefined
    const kind = own ? undefined : shared(wanted)
    if (kind) {
      kind.served += 1
      kind.open += 1
      if (kind.served >= options.recycleAfter) retire(kind)
    }
    const launched = await (kind?.launched ?? start(wanted))
    if (!launched.ok) {
      if (kind) leave(kind)
      return launched
    }
    const browser = launched.value
    if (own) alone.add(browser)
    const name = wanted.browser ?? options.browser
    const opening = kind ? surfaceIn(kind, browser, wanted) : openContext(browser, wanted)
    const tab = await whileAlive(browser, name, options.launchTimeout, opening)
    const died = () => hooks.lost({ code: 'BROWSER_CRASHED', browser: name })
    const release = async () => {
      browser.off('disconnected', died)
      if (tab.ok) await closeContext(tab.value.context, guarded)
      if (own && alone.delete(browser)) await browser.close().catch(() => {})
      if (kind) leave(kind)
    }
    if (!tab.ok) {
      void opening.then((late) => (late.ok ? late.value.context.close().catch(() => {}) : undefined))
      await release()
      return tab
    }
    browser.once('disconnected', died)
    if (!browser.isConnected()) died()
    const observe: PageHooks['observe'] = (entry) => {
      beats.set(browser, performance.now())
      hooks.observe(entry)
    }
    return ok(createSessionPage(tab.value, { ...hooks, observe, guarded }, release))
  }

  return {
    open,
    usable: () => starts.usable(options.browser),
    starts: starts.count,
    prepare() {
      if (options.isolation !== 'context') return
      shared({}).warm.fill()
    },
    async end() {
      const all = [...kinds.values(), ...old]
      for (const { warm } of all) warm.end()
      const launched = await Promise.all(all.map((kind) => kind.launched))
      const running = [...launched.flatMap((result) => (result.ok ? [result.value] : [])), ...alone]
      await Promise.all(running.map((browser) => browser.close().catch(() => {})))
    },
  }
}
