// Pages are left before they are closed, so that what they still send on their way out (beacons, keepalive fetches) meets their proxy.

import type { BrowserContext, Dialog, Page } from 'playwright'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

/** A page that gives no sign in time hangs, and has nothing to send; the others have a little time to go. */
const LIMITS = { signMs: 250, leaveMs: 1000 } as const

type Limits = Readonly<Record<keyof typeof LIMITS, number>>

/** Closes a page; a guarded one is left first. */
export async function closePage(page: Page, guarded: boolean, limits: Limits = LIMITS): Promise<void> {
  if (guarded) await leave(page, limits)
  await page.close()
}

/** Closes a context and whatever runs in it; the pages of a guarded one are left first, side by side. */
export async function closeContext(
  context: BrowserContext,
  guarded: boolean,
  limits: Limits = LIMITS,
): Promise<void> {
  if (guarded) await Promise.all(context.pages().map((page) => leave(page, limits)))
  await context.close().catch(() => {})
}

async function leave(page: Page, { signMs, leaveMs }: Limits): Promise<void> {
  if (page.isClosed()) return
  const sign = await settleWithin(signMs, page.evaluate('1'))
  if (sign === undefined) return
  const accept = (dialog: Dialog) => void dialog.accept().catch(() => {})
  page.on('dialog', accept)
  // Until it has loaded: Chromium may lose the close of a page that has only just committed.
  await settleWithin(leaveMs, page.goto('about:blank', { waitUntil: 'load', timeout: leaveMs }))
  page.off('dialog', accept)
}
