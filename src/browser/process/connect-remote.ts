// Browsers that run elsewhere: a Playwright server of the same version, or anything that speaks Chromium's DevTools protocol.

import type { Browser } from 'playwright'
import { attempt, messageOf } from '../playwright/errors.ts'
import { engineOf } from './launch.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import type { BrowserName } from '../../runtime/ports/browsers.ts'

export interface Remote {
  /** The WebSocket address of a Playwright server. */
  readonly connect?: string | undefined
  /** The address of a DevTools endpoint. */
  readonly cdpEndpoint?: string | undefined
}

/** Connects instead of launching. Closing the browser then ends only what was opened over this connection. */
export async function connectRemote(
  { connect, cdpEndpoint }: Remote,
  browser: BrowserName,
  timeout: number,
): Promise<Outcome<Browser>> {
  const playwright = await import('playwright')
  const place = connect ?? cdpEndpoint ?? ''
  const connecting =
    connect === undefined
      ? playwright.chromium.connectOverCDP(place, { timeout })
      : playwright[engineOf(browser)].connect(connect, { timeout })
  return attempt(connecting, (error) => unreachable(error, place))
}

const unreachable = (error: Error, place: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `no browser responds at ${place}: ${messageOf(error).split('\n')[0]?.slice(0, 300)}`,
  next: 'Start it, or omit --connect and --cdp-endpoint to use a local browser.',
})
