// The port on which a browser accepts commands. A launched Firefox has one on this machine; a launched Chromium uses a pipe; a remote
// Chromium is reached through it.

import type { Browser, BrowserContext, Page } from 'playwright'
import { internalsOf } from '../playwright/internals.ts'
import { debuggingPortOf, type DebuggingPort } from '../../core/attach/debugging-port.ts'

interface ServerBrowser {
  readonly options: { readonly wsEndpoint?: string }
}

function debuggingPort(browser: Browser): number | undefined {
  const endpoint = internalsOf<Partial<ServerBrowser>>(browser)?.options?.wsEndpoint
  return endpoint === undefined ? undefined : Number(new URL(endpoint).port)
}

/** Blocks that port for pages as long as the browser runs. */
export function reserveDebuggingPort(browser: Browser, reserve: (port: number) => () => void): void {
  const port = debuggingPort(browser)
  if (port !== undefined) browser.once('disconnected', reserve(port))
}

/** Makes requests of the context's pages to the port of their browser fail. `endpoint` is the URL of the connection to it. */
export async function closeDebuggingPort(context: BrowserContext, endpoint: string): Promise<void> {
  const port = debuggingPortOf(endpoint)
  context.on('page', (page) => void closePortTo(page, port).catch(() => {}))
  await Promise.all(context.pages().map((page) => closePortTo(page, port)))
}

// A page that was opened with a URL may be there already.
async function closePortTo(page: Page, { urlPattern, covers }: DebuggingPort): Promise<void> {
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId }) => {
    void session.send('Fetch.failRequest', { requestId, errorReason: 'AccessDenied' }).catch(() => {})
  })
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && covers(frame.url())) void page.close().catch(() => {})
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern }] })
  if (covers(page.url())) await page.close()
}
