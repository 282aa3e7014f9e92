// Tabs in the user's own browser. Playwright gets a connection of its own for each session, through which it sees only the tabs of that
// session; the relay holds the one connection to the browser.

import type { Browser } from 'playwright'
import { findRunningBrowsers } from '../find/running-browsers.ts'
import { readEnvironment } from '../find/search-environment.ts'
import { throttleConsole } from '../observe/console-throttle.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import { markOwnBrowser } from './own-browser.ts'
import type { AttachOptions } from './attach-options.ts'
import type { BrowserLease } from '../process/shared-browsers.ts'
import { openTab, type Tab } from '../tab/tab.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { PageOptions } from '../../runtime/ports/browsers.ts'

/** A connection to the user's browser for one session. Fails with BROWSER_ERROR if none accepts it. */
export async function attachBrowser(
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

// --- internal ---

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
