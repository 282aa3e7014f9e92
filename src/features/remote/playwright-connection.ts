import type { Browser } from 'playwright'
import type { Engine } from '../../core/base/browser-names.ts'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { noteLoss } from '../../core/browser/playwright/browser-source.ts'
import { attempt } from '../../core/browser/playwright/errors.ts'
import type { ConnectRequest, RemoteConnection } from './remote-connection.ts'

interface PlaywrightRequest extends ConnectRequest {
  readonly engine: Engine
  /** Whether pages reach the servers of this machine, as its own browsers do. */
  readonly exposesLoopback: boolean
}

/** Connects to a Playwright server. Fails as `toFailure` says. */
export async function connectToPlaywright(
  { url, headers, timeoutMs, label, engine, exposesLoopback }: PlaywrightRequest,
  toFailure: (error: Error) => Failure,
): Promise<Outcome<RemoteConnection>> {
  const playwright = await import('playwright')
  const open = async (): Promise<RemoteConnection> => {
    const browser = await playwright[engine].connect(url, {
      headers: { ...headers },
      timeout: timeoutMs,
      ...(exposesLoopback && { exposeNetwork: '<loopback>' }),
    })
    browser.once('disconnected', () => noteLoss(browser, `the connection to ${label} was closed`))
    return {
      browser,
      ping: createPing(browser, engine),
      cut: () => void browser.close().catch(() => {}),
      lastMessageAt: () => 0,
    }
  }
  return attempt(open(), toFailure)
}

// The server answers for a Chromium that hangs.
function createPing(browser: Browser, engine: Engine): RemoteConnection['ping'] {
  if (engine !== 'chromium') return async () => browser.contexts()[0]?.cookies()
  const opening = browser.newBrowserCDPSession()
  opening.catch(() => {})
  return async () => (await opening).send('Browser.getVersion')
}
