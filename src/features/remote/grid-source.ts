// Browsers of a Selenium Grid: a Grid session for each session of ours, driven over its CDP address, and ended with its connection.

import type { Browser } from 'playwright'
import type { BrowserName } from '../../core/base/browser-names.ts'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import type { BrowserSource } from '../../core/browser/playwright/browser-source.ts'
import {
  closeGridSession,
  type GridSession,
  openGridSession,
  probeGridSession,
  readGridState,
  releaseGridSessions,
  sessionPath,
} from './grid.ts'
import { urlBelow } from './remote-address.ts'
import type { RemoteConnection } from './remote-connection.ts'
import type { GridRelease, RemoteAddress } from './remote-release.ts'
import { watchConnection } from './watch-connection.ts'

interface GridOptions {
  readonly address: RemoteAddress
  /** Added to those of the session, such as the keys of a cloud. */
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly nodeHosts: readonly string[]
  /** What the Grid sessions of this process are called. */
  readonly name: string
  readonly timeoutMs: number
  readonly onNotice: (text: string) => void
  /** Has the Grid sessions of this process ended should it be killed; the function that it returns ends that. */
  readonly guard: (release: GridRelease) => () => void
}

/** Its browsers cannot be opened with MAX_SESSIONS_REACHED if the Grid is full, or with BROWSER_ERROR. */
export function createGridSource(options: GridOptions): BrowserSource {
  const { address, name } = options
  const sessions = createGridSessions(options)
  let stopGuard: (() => void) | undefined
  return {
    async open({ browser, headless }) {
      const capabilities = capabilitiesOf(browser, headless, options.capabilities)
      if (!capabilities.ok) return capabilities
      const state = await readGridState(address).catch((error: Error) => error)
      if (state instanceof Error) return err(gridFailure(options, state.message))
      const { limit, active } = state
      // Requests of our own may not be in the queue yet.
      const queued = Math.max(state.queued, sessions.requestCount())
      if (limit !== undefined && active + queued >= limit)
        return err({ code: 'MAX_SESSIONS_REACHED', limit, active, grid: { queued } })
      stopGuard ??= options.guard({ address, name, nodeHosts: options.nodeHosts })
      return sessions.open(capabilities.value)
    },
    async end() {
      // The sessions that the Grid has not ended by then are released after this process has ended.
      if (await sessions.waitForEnds(END_TIMEOUT_MS)) stopGuard?.()
    },
  }
}

// --- internal ---

interface GridSessions {
  open(capabilities: Readonly<Record<string, unknown>>): Promise<Outcome<Browser>>
  /** The requests for a session that the Grid has not answered. */
  requestCount(): number
  /** Whether all sessions whose browsers were closed have ended within this time. */
  waitForEnds(ms: number): Promise<boolean>
}

/** The Grid sessions of this process. Each ends with the connection to its browser. */
function createGridSessions(options: GridOptions): GridSessions {
  const { address, timeoutMs, nodeHosts } = options
  const releases = new Set<Promise<void>>()
  let lastNumber = 0
  let requests = 0

  function track(release: Promise<void>): void {
    const tracked = release.finally(() => releases.delete(tracked))
    releases.add(tracked)
  }

  async function request(
    capabilities: Readonly<Record<string, unknown>>,
    name: string,
  ): Promise<Outcome<GridSession>> {
    requests += 1
    const session = await settleWithin(timeoutMs, openGridSession(address, capabilities, name))
    requests -= 1
    if (session && !(session instanceof Error)) return ok(session)
    // The request may stay in the queue of the Grid, and would become a session of nobody.
    track(releaseGridSessions({ address, name, nodeHosts }))
    return err(session ? gridFailure(options, session.message) : await describeWait(options))
  }

  return {
    async open(capabilities) {
      lastNumber += 1
      const name = `${options.name}/${lastNumber}/`
      const session = await request(capabilities, name)
      if (!session.ok) return session
      const { id } = session.value
      const release = () => releaseGridSessions({ address, name, id, nodeHosts })
      const close = () => track(closeGridSession(address, id).catch(release))
      const { connectOverCdp } = await import('./cdp-connection.ts')
      const connection = await connectOverCdp(
        {
          url: cdpUrlOf(address, id),
          headers: address.headers,
          label: `the Grid at ${address.label}`,
          timeoutMs,
        },
        (error) => cdpFailure(options, session.value, error),
      )
      if (!connection.ok) {
        close()
        return connection
      }
      const { browser } = connection.value
      browser.once('disconnected', close)
      watchGridSession(connection.value, options, id)
      return ok(browser)
    },
    requestCount: () => requests,
    async waitForEnds(ms) {
      await settleWithin(ms, Promise.all(releases))
      return releases.size === 0
    },
  }
}

const END_TIMEOUT_MS = 3000

/** The hub passes CDP on below the address of the session. The one that it names itself is often that of a network of its own. */
const cdpUrlOf = (address: RemoteAddress, id: string): string =>
  urlBelow(address, `${sessionPath(id)}/se/cdp`).replace(/^http/, 'ws')

const BROWSERS: Partial<Record<BrowserName, readonly [name: string, options: string]>> = {
  chromium: ['chrome', 'goog:chromeOptions'],
  chrome: ['chrome', 'goog:chromeOptions'],
  msedge: ['MicrosoftEdge', 'ms:edgeOptions'],
}

/** The W3C capabilities for a session. A Grid has Chromium and Edge; its Firefox speaks WebDriver BiDi, to which Playwright cannot connect. */
function capabilitiesOf(
  browser: BrowserName,
  headless: boolean,
  added: Readonly<Record<string, unknown>>,
): Outcome<Readonly<Record<string, unknown>>> {
  const names = BROWSERS[browser]
  if (!names)
    return err({
      code: 'BROWSER_ERROR',
      text: `${browser} of a Grid cannot be driven: it has no CDP address`,
      next: 'Use chrome or msedge, or omit --grid for a local browser.',
    })
  const [browserName, optionsName] = names
  const own = (added[optionsName] ?? {}) as { readonly args?: readonly string[] }
  const args = [...(headless ? ['--headless=new'] : []), ...(own.args ?? [])]
  return ok({ browserName, ...added, [optionsName]: { ...own, args } })
}

const gridFailure = ({ address }: GridOptions, reason: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `the Grid at ${address.label} opened no session: ${reason.replace(/[.?]+$/, '')}`,
  next: 'Look at its /status, and at --grid and --grid-capabilities; or omit --grid for a local browser.',
})

const cdpFailure = ({ address }: GridOptions, { capabilities }: GridSession, error: Error): Failure => ({
  code: 'BROWSER_ERROR',
  text:
    'se:cdp' in capabilities
      ? `the Grid at ${address.label} opened a session but not its CDP connection: ${error.message.split('\n')[0]}`
      : `the Grid at ${address.label} offers no CDP address for its ${String(capabilities['browserName'])}`,
  next: 'The Grid must be of version 4 and pass WebSockets on, and the browser must be Chromium or Edge.',
})

async function describeWait(options: GridOptions): Promise<Failure> {
  const state = await readGridState(options.address).catch(() => undefined)
  const place =
    state?.limit === undefined
      ? ''
      : ` (${state.active} of ${state.limit} in use, ${state.queued} in the queue)`
  return gridFailure(options, `no place was free within ${options.timeoutMs} ms${place}`)
}

// The hub keeps the connection of a node that is gone, answers its pings and swallows its messages: only a question to the node itself tells.
const watchGridSession = (
  connection: RemoteConnection,
  { address, onNotice }: GridOptions,
  id: string,
): void =>
  watchConnection(connection, {
    probe: () => probeGridSession(address, id),
    describe: (loss) =>
      loss === 'gone' ? 'the node of the Grid has lost the session' : 'the node of the Grid does not answer',
    onNotice,
  })
