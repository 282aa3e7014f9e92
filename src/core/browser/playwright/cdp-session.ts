// The CDP session of one page, for what Playwright has no API for or does slowly. Each message through Playwright's client is validated
// and copied twice; where client and server run in this process the server's session is used directly, in the same order. Where its
// internals look different, or the browser is on another machine, the client is used.

import type { CDPSession, Page } from 'playwright'
import { afterPendingEvents, internalsOf } from './internals.ts'

export type CdpSession = Pick<CDPSession, 'send' | 'on' | 'off'>

interface ServerCdpSession extends CdpSession {
  /** Rejects all commands without an answer. */
  _markAsCrashed?(): void
}

/** Opens the CDP session of a page and enables its Page events and its metrics, which a script that blocks the page must not delay; undefined if it cannot be opened. */
export async function openCdpSession(page: Page): Promise<CdpSession | undefined> {
  const clientSession = await page
    .context()
    .newCDPSession(page)
    .catch(() => undefined)
  if (!clientSession) return undefined
  const serverSession = findServerSession(clientSession)
  // Chromium never answers the commands that were pending when a page crashed.
  page.once('crash', () => serverSession?._markAsCrashed?.())
  const cdp = serverSession ? withEventOrder(serverSession) : clientSession
  cdp.send('Page.enable').catch(() => {})
  cdp.send('Performance.enable').catch(() => {})
  return cdp
}

function findServerSession(clientSession: CDPSession): ServerCdpSession | undefined {
  const session = internalsOf<{ readonly _session?: Partial<ServerCdpSession> }>(clientSession)?._session
  return session?.send && session.on && session.off ? (session as ServerCdpSession) : undefined
}

const withEventOrder = (session: CdpSession): CdpSession => ({
  on: session.on.bind(session),
  off: session.off.bind(session),
  send: ((...message: Parameters<CdpSession['send']>) =>
    afterPendingEvents(session.send(...message))) as CdpSession['send'],
})
