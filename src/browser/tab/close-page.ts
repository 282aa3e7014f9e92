// Pages are navigated away before they are closed, so that what they send while they unload (beacons, keepalive fetches) goes through
// their proxy.

import type { BrowserContext, Dialog, Page } from 'playwright'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

/** A page that does not answer a ping in time hangs and has nothing to send; the others get a little time to unload. */
const CLOSE_TIMEOUTS = { pingMs: 250, unloadMs: 1000 } as const

type CloseTimeouts = Readonly<Record<keyof typeof CLOSE_TIMEOUTS, number>>

/** Closes a page; one behind a proxy is unloaded first. */
export async function closePage(
  page: Page,
  isProxied: boolean,
  timeouts: CloseTimeouts = CLOSE_TIMEOUTS,
): Promise<void> {
  if (isProxied) await unload(page, timeouts)
  await page.close()
}

/** Closes a context and whatever runs in it; the pages of one behind a proxy are unloaded first, in parallel. */
export async function closeContext(
  context: BrowserContext,
  isProxied: boolean,
  timeouts: CloseTimeouts = CLOSE_TIMEOUTS,
): Promise<void> {
  if (isProxied) await Promise.all(context.pages().map((page) => unload(page, timeouts)))
  await context.close().catch(() => {})
}

async function unload(page: Page, { pingMs, unloadMs }: CloseTimeouts): Promise<void> {
  if (page.isClosed()) return
  const answer = await settleWithin(pingMs, page.evaluate('1'))
  if (answer === undefined) return
  const accept = (dialog: Dialog) => void dialog.accept().catch(() => {})
  page.on('dialog', accept)
  // Until it has loaded: Chromium may lose the close of a page that has only just committed.
  await settleWithin(unloadMs, page.goto('about:blank', { waitUntil: 'load', timeout: unloadMs }))
  page.off('dialog', accept)
}
