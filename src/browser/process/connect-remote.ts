// Browsers on another machine: a Playwright server of the same version, or anything that speaks the Chrome DevTools Protocol.

import type { Browser } from 'playwright'
import { attempt, messageOf } from '../playwright/errors.ts'
import { engineOf, type BrowserName } from '../../core/browser-names.ts'
import type { Failure, Outcome } from '../../core/failure.ts'

export interface RemoteBrowser {
  /** The WebSocket URL of a Playwright server. */
  readonly connect?: string | undefined
  /** The URL of a DevTools endpoint. */
  readonly cdpEndpoint?: string | undefined
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

const connectFailure = (error: Error, endpoint: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `no browser responds at ${endpoint}: ${messageOf(error).split('\n')[0]?.slice(0, 300)}`,
  next: 'Start it, or omit --connect and --cdp-endpoint to use a local browser.',
})
