// The browser processes of all sessions. A session shares a browser with others or has one of its own.

import { prepareContext } from '../tab/prepare-context.ts'
import type { Browser } from 'playwright'
import { openContext, openProfileTab } from './open-context.ts'
import type { BrowserPoolOptions, AttachOptions } from './pool-options.ts'
import { closeDebuggingPort, createBrowserStarter, hasOwnProfile } from './start-browser.ts'
import { createSharedBrowsers, type BrowserLease } from './shared-browsers.ts'
import { lossOf, type PlaceUse } from '../playwright/browser-source.ts'
import { closeContext } from '../tab/tab-list.ts'
import { type Tab, openTab } from '../tab/tab.ts'
import { createSessionPage } from '../page/session-page.ts'
import type { Outcome, Failure } from '../../base/failure.ts'
import { ok, err } from '../../base/result.ts'
import type { Browsers, OwnedPage, PageHooks, PageOptions } from '../../sessions/types/browsers.ts'
import { readEnvironment, systemOf, type SearchEnvironment } from './kit-folders.ts'
import { throttleConsole } from '../console/console-throttle.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import { markOwnBrowser } from '../playwright/engine.ts'
import { readFileSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
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
      return attachBrowser(options.attach, pageOptions)
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
      await Promise.all([
        options.attach.relay.end(),
        ...running.map((browser) => browser.close().catch(() => {})),
      ])
      if (starter.startCount() > 0) await (await options.remote?.load())?.end()
    },
  }
}

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
  const traits = { isProxied, isAttached, isElsewhere, offersTools: options.offersTools }
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

// Tabs in the user's own browser. Playwright gets a connection of its own for each session, through which it sees only the tabs of that
// session; the relay holds the one connection to the browser.
/** A connection to the user's browser for one session. Fails with BROWSER_ERROR if none accepts it. */
async function attachBrowser(
  options: AttachOptions,
  { browser }: PageOptions,
): Promise<Outcome<BrowserLease>> {
  const { relay, endpoint, isSearchAllowed, recordFolder, timeoutMs } = options
  const findEndpoints = () => (isSearchAllowed ? findRunningBrowsers(browser, readEnvironment()) : [])
  const endpoints = endpoint === undefined ? findEndpoints() : [endpoint]
  const client = await relay.connect({ endpoints, folder: recordFolder, timeoutMs })
  if (!client.ok) return err(attachFailure(client.error, options))
  const { chromium } = await import('playwright')
  const { close } = client.value
  // Playwright's own close ends the connection, and with it the tabs.
  const transport = Object.assign(client.value, { close: () => void close() })
  const connecting = chromium.connectOverCDP(transport, { isLocal: true, timeout: timeoutMs })
  const connection = await attempt(connecting, browserError)
  if (!connection.ok) {
    await close()
    return connection
  }
  markOwnBrowser(connection.value)
  return ok({
    browser: connection.value,
    openContext: () => attempt(openAttachedTab(connection.value), browserError),
    release: close,
  })
}

async function openAttachedTab(browser: Browser): Promise<Tab> {
  const [context] = browser.contexts()
  if (!context) throw new Error('The browser has no default context.')
  await throttleConsole(context)
  return openTab(context)
}

const attachFailure = (reason: string, { endpoint, isSearchAllowed, timeoutMs }: AttachOptions): Failure => {
  const next =
    endpoint === undefined && !isSearchAllowed
      ? 'The user can name a browser with --cdp-endpoint; over HTTP none is looked for.'
      : endpoint === undefined
        ? `Ask the user to turn on remote debugging at chrome://inspect/#remote-debugging in Chrome 144 or newer and to allow the connection (within ${timeoutMs / 1000} s), or to pass --cdp-endpoint; then try again.`
        : 'Ask the user whether the browser of --cdp-endpoint is running, then try again.'
  return { code: 'BROWSER_ERROR', text: `cannot attach to a running Chrome: ${reason}`, next }
}

// The running browsers whose user allows remote debugging. Chrome since 144 writes the address into its profile folder when the user
// turns it on at chrome://inspect/#remote-debugging, and asks for each connection.
/** The addresses for connections to running browsers, the one that was started last first; of all browsers without a name. */
export function findRunningBrowsers(
  browser: BrowserName | undefined,
  environment: Pick<SearchEnvironment, 'platform' | 'env' | 'home'>,
  read: (path: string) => PortFile | undefined = readPortFile,
): readonly string[] {
  return profileFolders(browser, environment)
    .flatMap((folder) => read(join(folder, 'DevToolsActivePort')) ?? [])
    .sort((a, b) => b.writtenAt - a.writtenAt)
    .flatMap(({ text }) => endpointOf(text) ?? [])
}

interface PortFile {
  readonly text: string
  readonly writtenAt: number
}

// The folders in which the browsers keep the profiles of their user.
function profileFolders(
  browser: BrowserName | undefined,
  { platform, env, home }: Pick<SearchEnvironment, 'platform' | 'env' | 'home'>,
): readonly string[] {
  const names = browser === undefined ? (['chrome', 'chromium', 'msedge'] as const) : [browser]
  const system = systemOf(platform)
  const localAppData = env['LOCALAPPDATA'] || join(home, 'AppData/Local')
  const configHome = env['XDG_CONFIG_HOME'] ?? ''
  const root = {
    darwin: join(home, 'Library/Application Support'),
    win32: localAppData,
    linux: isAbsolute(configHome) ? configHome : join(home, '.config'),
  }[system]
  return names.flatMap((name) => (PROFILES[system][name] ?? []).map((folder) => join(root, folder)))
}

const PROFILES: Record<'darwin' | 'win32' | 'linux', Readonly<Record<string, readonly string[]>>> = {
  darwin: {
    chrome: ['Google/Chrome', 'Google/Chrome Beta', 'Google/Chrome Dev', 'Google/Chrome Canary'],
    chromium: ['Chromium'],
    msedge: ['Microsoft Edge', 'Microsoft Edge Beta'],
  },
  win32: {
    chrome: [
      'Google/Chrome/User Data',
      'Google/Chrome Beta/User Data',
      'Google/Chrome Dev/User Data',
      'Google/Chrome SxS/User Data',
    ],
    chromium: ['Chromium/User Data'],
    msedge: ['Microsoft/Edge/User Data', 'Microsoft/Edge Beta/User Data'],
  },
  linux: {
    chrome: ['google-chrome', 'google-chrome-beta', 'google-chrome-unstable'],
    chromium: ['chromium'],
    msedge: ['microsoft-edge', 'microsoft-edge-beta'],
  },
}

// The port, then the path with the id of the browser process.
function endpointOf(text: string): string | undefined {
  const [, port, path] = /^(\d{1,5})\s+(\/devtools\/browser\/[\w-]+)\s*$/.exec(text) ?? []
  return port === undefined ? undefined : `ws://127.0.0.1:${port}${path}`
}

function readPortFile(path: string): PortFile | undefined {
  try {
    return { text: readFileSync(path, 'utf8'), writtenAt: statSync(path).mtimeMs }
  } catch {
    return undefined
  }
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
