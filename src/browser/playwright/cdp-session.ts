// Chromium's own protocol for one page: for what Playwright has no words for, or takes its time about. Each message through Playwright's
// client is checked and copied twice on its way; within one process the session behind it is asked directly, in the same order. Where
// Playwright looks different, or the browser is elsewhere, the client is used.

import type { CDPSession, Page } from 'playwright'
import { afterPendingEvents, internalsOf } from './internals.ts'

export type CdpSession = Pick<CDPSession, 'send' | 'on' | 'off'>

interface Session extends CdpSession {
  /** Rejects what is not answered yet. */
  _markAsCrashed?(): void
}

/** Opens the channel of a page; undefined where it cannot be had. Its page events are on. */
export async function openCdpSession(page: Page): Promise<CdpSession | undefined> {
  const client = await page
    .context()
    .newCDPSession(page)
    .catch(() => undefined)
  if (!client) return undefined
  const session = internalsOf<{ readonly _session?: Partial<Session> }>(client)?._session
  const direct = session?.send && session.on && session.off ? (session as Session) : undefined
  // Chromium leaves what a page was asked before it crashed without an answer.
  page.once('crash', () => direct?._markAsCrashed?.())
  const cdp = direct ? inOrder(direct) : client
  cdp.send('Page.enable').catch(() => {})
  return cdp
}

const inOrder = (session: CdpSession): CdpSession => ({
  on: session.on.bind(session),
  off: session.off.bind(session),
  send: ((...message: Parameters<CdpSession['send']>) =>
    afterPendingEvents(session.send(...message))) as CdpSession['send'],
})
