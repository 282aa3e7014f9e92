import { type BrowserName, engineOf } from '../../core/browser-names.ts'
import type { UserProxy } from '../../core/network/user-proxy.ts'
import type { EgressProxies } from '../../runtime/ports/egress-proxy.ts'
import type { AttachRelay } from '../../runtime/ports/browsers.ts'
import type { Browser } from 'playwright'
import { attempt, messageOf } from '../playwright/errors.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import type { GridSource } from '../remote/grid-source.ts'
import { parseRemoteAddress } from '../remote/remote-address.ts'

export interface BrowserPoolOptions {
  readonly browser: BrowserName
  readonly headless: boolean
  /** Without a display every browser runs headless. */
  readonly hasDisplay: boolean
  readonly isolation: 'context' | 'browser'
  readonly executablePath?: string
  /** Number of contexts opened ahead. */
  readonly warm: number
  readonly launchTimeout: number
  /** Number of sessions after which a browser is replaced, because its memory grows. */
  readonly recycleAfter: number
  /** Whether every session goes through a proxy. */
  readonly isProxied: boolean
  readonly userProxy?: UserProxy
  readonly egressProxies: Pick<EgressProxies, 'openRefusingProxy' | 'reservePort'>
  /** The attribute that names elements for tests, as in Playwright. */
  readonly testIdAttribute: string
  /** Set when browsers run on another machine. */
  readonly remote?: RemoteBrowser | undefined
  /** How sessions get tabs in the user's own browser. */
  readonly attach: AttachOptions
  /** Called before each start of a browser. */
  readonly onStart: () => void
  /** Called with each launch that the machine changes. */
  readonly onLaunchNotice: (text: string) => void
  readonly onNotice: (text: string) => void
}

export interface AttachOptions {
  readonly relay: AttachRelay
  /** The address of the browser; without it the running ones of the user are looked for. */
  readonly endpoint?: string | undefined
  /** Whether they may be looked for. Clients over HTTP may be other people than the user. */
  readonly isSearchAllowed: boolean
  /** The folder for notes on open tabs, which the next connection closes if this one could not. */
  readonly recordFolder: string
  readonly timeoutMs: number
}

// Browsers on another machine: a Playwright server of the same version, or anything that speaks the Chrome DevTools Protocol.
interface RemoteBrowser {
  /** Whether its address is that of another machine. */
  readonly isElsewhere: boolean
  /** The WebSocket URL of a Playwright server. */
  readonly connect?: string | undefined
  /** The URL of a DevTools endpoint. */
  readonly cdpEndpoint?: string | undefined
  /** A Selenium Grid. */
  readonly grid?: GridSource | undefined
}

/** Connects instead of launching. Closing the browser then closes only what was opened over this connection. */
export async function connectRemote(
  { connect, cdpEndpoint }: RemoteBrowser,
  browser: BrowserName,
  timeout: number,
): Promise<Outcome<Browser>> {
  const playwright = await import('playwright')
  const endpoint = connect ?? cdpEndpoint ?? ''
  const connecting =
    connect === undefined
      ? playwright.chromium.connectOverCDP(endpoint, { timeout })
      : playwright[engineOf(browser)].connect(endpoint, { timeout })
  return attempt(connecting, (error) => connectFailure(error, endpoint))
}

function connectFailure(error: Error, endpoint: string): Failure {
  const { label } = parseRemoteAddress(endpoint)
  const reason = messageOf(error).split('\n')[0]?.replaceAll(endpoint, label).slice(0, 300)
  return {
    code: 'BROWSER_ERROR',
    text: `no browser responds at ${label}: ${reason}`,
    next: 'Start it, or omit --connect and --cdp-endpoint to use a local browser.',
  }
}
