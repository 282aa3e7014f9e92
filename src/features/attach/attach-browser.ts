// Tabs in the user's own browser. Playwright gets a connection of its own for each session, through which it sees only the tabs of that
// session; the relay holds the one connection to the browser.

import { join } from 'node:path'
import type { Browser } from 'playwright'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import { throttleConsole } from '../../core/browser/console/console-throttle.ts'
import { markOwnBrowser } from '../../core/browser/playwright/engine.ts'
import { attempt, browserError } from '../../core/browser/playwright/errors.ts'
import { readEnvironment } from '../../core/browser/process/kit-folders.ts'
import type { AttachedBrowsers, BrowserLease } from '../../core/browser/process/pool-options.ts'
import { openTab, type Tab } from '../../core/browser/tab/tab.ts'
import type { PageOptions } from '../../core/sessions/types/browsers.ts'
import type { ServerStart } from '../../core/tool/feature.ts'
import { findStateFolder } from '../lib/state-folder.ts'
import { listAddresses } from '../remote/settings.ts'
import { type AttachRelay, createAttachRelay } from './relay-process.ts'
import { findRunningBrowsers } from './running-browsers.ts'

interface AttachOptions {
  /** The address of the browser; without it the running ones of the user are looked for. */
  readonly endpoint: string | undefined
  /** Whether they may be looked for. Clients over HTTP may be other people than the user. */
  readonly isSearchAllowed: boolean
  /** The folder for notes on open tabs, which the next connection closes if this one could not. */
  readonly recordFolder: string
  readonly timeoutMs: number
}

export function createAttachedBrowsers({ settings, access }: ServerStart): AttachedBrowsers {
  const relay = createAttachRelay()
  const options = {
    // The user has one browser.
    endpoint: settings.cdpEndpoint === undefined ? undefined : listAddresses(settings.cdpEndpoint)[0],
    isSearchAllowed: access === undefined,
    recordFolder: join(findStateFolder(), 'attached'),
    timeoutMs: settings.launchTimeout,
  }
  return { open: (page) => attachBrowser(relay, options, page), end: relay.end }
}

// --- internal ---

/** A connection to the user's browser for one session. Fails with BROWSER_ERROR if none accepts it. */
async function attachBrowser(
  relay: AttachRelay,
  options: AttachOptions,
  { browser }: PageOptions,
): Promise<Outcome<BrowserLease>> {
  const { endpoint, isSearchAllowed, recordFolder, timeoutMs } = options
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
