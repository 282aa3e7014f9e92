// Starts browser processes, locally or on a remote machine, and checks that they keep answering.

import { debuggingPortOf, type DebuggingPort } from './debugging-port.ts'
import type { Browser, BrowserContext, Page, CDPSession } from 'playwright'
import type { BrowserPoolOptions } from './pool-options.ts'
import { launchBrowser } from './launch-browser.ts'
import { throttleWorkers } from './throttle-workers.ts'
import type { PersistentProfile } from './launch-options.ts'
import { contextOptionsOf } from './open-context.ts'
import { type BrowserRequest, type BrowserSource } from '../playwright/browser-source.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import type { PageOptions } from '../../sessions/types/browsers.ts'
import { internalsOf } from '../playwright/internals.ts'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { killAll, readActivity, readChromiumProcesses, readParent } from '../playwright/browser-processes.ts'
import { engineOfBrowser } from '../playwright/engine.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import {
  closedBreaker,
  recordFailure,
  remainingPauseMsOf,
  type CircuitBreaker,
} from '../../base/token-bucket.ts'
import { err, map, ok } from '../../base/result.ts'

export function createBrowserStarter(options: BrowserPoolOptions) {
  const { remote, launchTimeout, egressProxies, userProxy, features } = options
  const breaker = createStartBreaker()
  const lastActivityAt = new WeakMap<Browser, number>()

  function watch(browser: Browser, name: string): void {
    reserveDebuggingPort(browser, egressProxies.reservePort)
    const notify = () =>
      options.onNotice(`A ${name} stopped responding and was terminated; a new one is started`)
    void watchHealth(browser, () => lastActivityAt.get(browser) ?? 0, notify)
  }

  return {
    /** Starts a browser, or opens one at a remote place. */
    start(pageOptions: PageOptions, place: number) {
      const { browser = options.browser, proxy } = pageOptions
      const headless = (pageOptions.headless ?? options.headless) || !options.hasDisplay
      const executablePath = browser === options.browser ? options.executablePath : undefined
      const isProxied = options.isProxied || proxy !== undefined
      const start = { browser, place, ...countingOf(pageOptions, options) }
      return breaker.run(start, async () => {
        options.onStart()
        const { selectors } = await import('playwright')
        selectors.setTestIdAttribute(options.testIdAttribute)
        if (remote) return openRemote(await remote.load(), { browser, headless, place })
        const profile = await findProfile(pageOptions, browser, features)
        if (!profile.ok) return profile
        const launchResult = await launchBrowser({
          browser,
          headless,
          timeout: launchTimeout,
          onNotice: options.onLaunchNotice,
          features,
          executablePath,
          profile: profile.value,
          userProxy,
          loadsExtension: pageOptions.extension !== undefined,
          ...(isProxied && { refusingProxy: await egressProxies.openRefusingProxy() }),
        })
        if (profile.value?.isTemporary) removeWith(launchResult, profile.value.folder)
        if (!launchResult.ok) return launchResult
        watch(launchResult.value, browser)
        return launchResult
      })
    },
    /** Records that the browser has just sent an event: the health check counts it as an answer. */
    recordActivity: (browser: Browser) => void lastActivityAt.set(browser, performance.now()),
    /** Records that a session was opened in a browser, wherever it runs. */
    recordSession: (page: PageOptions, place: number) =>
      breaker.close({ browser: page.browser ?? options.browser, place }),
    /** Whether the default browser can start, as far as is known; once it may be tried again it is said to. */
    isUsable: () =>
      (remote?.places ?? ['local']).some((_, place) => breaker.isUsable({ browser: options.browser, place })),
    startCount: breaker.startCount,
  }
}

/** Whether the session has a browser of its own with a profile folder. */
export const hasOwnProfile = ({ profileFolder, extension }: PageOptions): boolean =>
  profileFolder !== undefined || extension !== undefined

/** A browser that is ending may still write to its files. */
const REMOVAL = { recursive: true, force: true, maxRetries: 3 }

async function openRemote(source: BrowserSource, request: BrowserRequest): Promise<Outcome<Browser>> {
  const openResult = await source.open(request)
  if (openResult.ok) throttleWorkers(openResult.value)
  return openResult
}

/** How the outcome of a start counts. Only the start of a process is costly, and what a caller has asked for besides says nothing about the
 * browser. */
const countingOf = (pageOptions: PageOptions, { remote, headless, hasDisplay }: BrowserPoolOptions) => ({
  isPausable: remote === undefined,
  isCounted:
    ((pageOptions.headless ?? headless) || !hasDisplay) === (headless || !hasDisplay) &&
    !hasOwnProfile(pageOptions),
})

/** Removes the folder of a profile once its browser has ended, or if it did not start. */
function removeWith(launchResult: Outcome<Browser>, folder: string): void {
  const remove = () => void rm(folder, REMOVAL).catch(() => {})
  if (launchResult.ok) launchResult.value.once('disconnected', remove)
  else remove()
}

/** The profile of a session with its folder for this browser, since none reads that of another one. */
async function findProfile(
  options: PageOptions,
  browser: string,
  features: BrowserPoolOptions['features'],
): Promise<Outcome<PersistentProfile | undefined>> {
  const { profileFolder, storageState: _, ...page } = options
  if (!hasOwnProfile(options)) return ok(undefined)
  return map(await contextOptionsOf(page), (contextOptions) => {
    // Private contexts have no extensions.
    const folder =
      profileFolder === undefined ? mkdtempSync(join(tmpdir(), 'profile-')) : join(profileFolder, browser)
    for (const { onProfile } of features) onProfile?.(folder, options)
    return { folder, contextOptions, isTemporary: profileFolder === undefined }
  })
}

// The port on which a browser accepts commands. A launched Firefox has one on this machine; a launched Chromium uses a pipe; a remote
// Chromium is reached through it.
interface ServerBrowser {
  readonly options: { readonly wsEndpoint?: string }
}

/** Blocks that port for pages as long as the browser runs. */
function reserveDebuggingPort(browser: Browser, reserve: (port: number) => () => void): void {
  const endpoint = internalsOf<Partial<ServerBrowser>>(browser)?.options?.wsEndpoint
  if (endpoint !== undefined) browser.once('disconnected', reserve(Number(new URL(endpoint).port)))
}

/** Makes requests of the context's pages to the port of their browser fail. `endpoint` is the URL of the connection to it. */
export async function closeDebuggingPort(context: BrowserContext, endpoint: string): Promise<void> {
  const port = debuggingPortOf(endpoint)
  context.on('page', (page) => void closePortTo(page, port).catch(() => {}))
  await Promise.all(context.pages().map((page) => closePortTo(page, port)))
}

// A page that was opened with a URL may be there already.
async function closePortTo(page: Page, { urlPattern, covers }: DebuggingPort): Promise<void> {
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId }) => {
    void session.send('Fetch.failRequest', { requestId, errorReason: 'AccessDenied' }).catch(() => {})
  })
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && covers(frame.url())) void page.close().catch(() => {})
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern }] })
  if (covers(page.url())) await page.close()
}

// A browser that has stopped answering looks like a slow one to everything that waits for it. So it is pinged while sessions use it,
// and killed if it does not answer: its sessions fail at once, and the next ones get a new browser.
const CHECK_INTERVAL_MS = 1500
const PING_TIMEOUT_MS = 1500

/** A browser with less activity than this during a ping is idle. */
const IDLE_LIMIT_MS = 20

/** Without any event for this time even a busy browser is killed. */
const SILENCE_LIMIT_MS = 12_000

/** Pings `browser` until it disconnects. `lastEventAt` returns when it last sent an event (performance.now()). Only Chromium has a
 * command to ping, and only a local process can be killed. */
async function watchHealth(
  browser: Browser,
  lastEventAt: () => number,
  onUnresponsive: () => void,
): Promise<void> {
  if (engineOfBrowser(browser) !== 'chromium') return
  const session = await browser.newBrowserCDPSession().catch(() => undefined)
  const pid = session && (await browserPid(session))
  if (!session || pid === undefined) return
  let isChecking = false
  let lastAnswerAt = performance.now()
  const timer = setInterval(async () => {
    if (isChecking || browser.contexts().length === 0) return
    isChecking = true
    let isAnswered = await ping(session)
    const activityBefore = isAnswered ? undefined : readActivityMs(pid)
    // Twice, because a machine that stood still for a moment makes one ping look unanswered.
    isAnswered ||= await ping(session)
    isChecking = false
    if (isAnswered) lastAnswerAt = performance.now()
    if (isAnswered || !browser.isConnected()) return
    // The answer of a busy browser may be queued behind ten thousand lines of a page's console; an idle one has none to give. One that
    // waits for a processor on an overloaded machine is not idle either.
    const activity = readActivityMs(pid)
    const isIdle =
      activityBefore !== undefined &&
      activity !== undefined &&
      Math.abs(activity - activityBefore) < IDLE_LIMIT_MS
    const isSilent = performance.now() - Math.max(lastAnswerAt, lastEventAt()) > SILENCE_LIMIT_MS
    if (!isIdle && !isSilent) return
    clearInterval(timer)
    onUnresponsive()
    // A wrapper script that started the browser may hold our end of the pipe open.
    killAll(withAncestors(pid))
    void browser.close().catch(() => {})
  }, CHECK_INTERVAL_MS)
  timer.unref?.()
  browser.once('disconnected', () => clearInterval(timer))
}

const ping = async (session: CDPSession): Promise<boolean> =>
  (await settleWithin(PING_TIMEOUT_MS, session.send('Browser.getVersion'))) !== undefined

async function browserPid(session: CDPSession): Promise<number | undefined> {
  const processes = await settleWithin(PING_TIMEOUT_MS, readChromiumProcesses(session))
  if (processes === undefined || processes instanceof Error) return undefined
  return processes.find(({ type }) => type === 'browser')?.id
}

/** How long a process has run or waited for a processor so far. */
function readActivityMs(pid: number): number | undefined {
  const activity = readActivity(pid)
  return activity && activity.runMs + activity.waitMs
}

/** A process and its ancestors below our own process. Where the system reports parents and none is ours, the id belongs to an unrelated
 * process: a browser in another pid namespace. */
function withAncestors(pid: number): number[] {
  if (readParent(process.pid) === undefined) return [pid]
  const pids: number[] = []
  for (let current = pid; current > 1; current = readParent(current) ?? 0) {
    if (current === process.pid) return pids
    pids.push(current)
  }
  return []
}

// A browser that keeps failing to start is not started again for a while: every attempt costs seconds.
function createStartBreaker() {
  const breakers = new Map<string, CircuitBreaker>()
  const notInstalled = new Set<string>()
  let starts = 0
  function close(start: BrowserStart): void {
    notInstalled.delete(keyOf(start))
    breakers.delete(keyOf(start))
  }
  function countFailure(key: string, code: Failure['code']): void {
    if (code === 'BROWSER_NOT_INSTALLED') return void notInstalled.add(key)
    notInstalled.delete(key)
    if (code === 'MAX_SESSIONS_REACHED' || code === 'INVALID_PARAMETERS') return
    breakers.set(key, recordFailure(breakers.get(key) ?? closedBreaker, performance.now()))
  }
  return {
    /** Starts a browser, unless it can be paused and has just failed too often. */
    async run(
      { isPausable, isCounted, ...start }: CountedStart,
      attempt: () => Promise<Outcome<Browser>>,
    ): Promise<Outcome<Browser>> {
      const key = keyOf(start)
      const breaker = breakers.get(key) ?? closedBreaker
      const pauseMs = remainingPauseMsOf(breaker, performance.now())
      if (isPausable && pauseMs > 0) {
        const text = `${start.browser} failed to start ${breaker.failures} times in a row`
        const next = `The next attempt is possible in ${Math.ceil(pauseMs)} ms.`
        return err({ code: 'BROWSER_ERROR', text, next })
      }
      starts += 1
      const launchResult = await attempt()
      if (launchResult.ok) close(start)
      else if (isCounted) countFailure(key, launchResult.error.code)
      return launchResult
    },
    close,
    isUsable(start: BrowserStart): boolean {
      const breaker = breakers.get(keyOf(start)) ?? closedBreaker
      return !notInstalled.has(keyOf(start)) && remainingPauseMsOf(breaker, performance.now()) === 0
    },
    startCount: (): number => starts,
  }
}

interface BrowserStart {
  readonly browser: string
  readonly place: number
}

interface CountedStart extends BrowserStart {
  readonly isPausable: boolean
  /** Whether a failure says that no browser starts. */
  readonly isCounted: boolean
}

const keyOf = ({ browser, place }: BrowserStart): string => `${browser} ${place}`
