// The page of a session as src/core/browser implements it, in a browser of its own, without a server around it.

import type { Result } from '../../src/core/base/result.ts'
import type { Deadline } from '../../src/core/base/system/deadline.ts'
import { createDeadline } from '../../src/core/base/system/race-deadline.ts'
import { createBrowserPool } from '../../src/core/browser/process/browser-pool.ts'
import type { BrowserPoolOptions } from '../../src/core/browser/process/pool-options.ts'
import { featureParts } from '../../src/core/cli/tools/catalogue.ts'
import type { OwnedPage, PageHooks, PageOptions } from '../../src/core/sessions/types/browsers.ts'

export interface SessionPage {
  readonly page: OwnedPage
  /** Opens a URL or the HTML of a page. */
  open(content: string): Promise<void>
  /** The value of a script in the page. */
  read<T = any>(script: string): Promise<T>
  close(): Promise<void>
}

export const deadline = (ms = 30_000): Deadline =>
  createDeadline(ms, new AbortController().signal, () => performance.now())

export function valueOf<T>(outcome: Result<T, unknown>): T {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error))
  return outcome.value
}

/** Opens a page in a browser that ends with it. */
export async function openSessionPage(options: PageOptions = {}): Promise<SessionPage> {
  const pool = createBrowserPool({ ...POOL_OPTIONS, headless: options.headless ?? true })
  const page = describePage(valueOf(await pool.open(options, hooks)))
  return {
    ...page,
    async close() {
      await page.close()
      await pool.end()
    },
  }
}

// --- internal ---

const describePage = (page: OwnedPage): SessionPage => ({
  page,
  async open(content) {
    const isUrl = /^(https?|about|data):/.test(content)
    const url = isUrl ? content : `data:text/html,${encodeURIComponent(content)}`
    valueOf(await page.perform({ kind: 'navigate', url }, deadline()))
  },
  async read(script) {
    return valueOf(await page.evaluate(script, undefined, undefined, deadline())).result as any
  },
  close: () => page.release(),
})

const POOL_OPTIONS = {
  browser: 'chromium',
  hasDisplay: true,
  isolation: 'context',
  warm: 0,
  launchTimeout: 60_000,
  recycleAfter: 100,
  isProxied: false,
  testIdAttribute: 'data-testid',
  egressProxies: { reservePort: () => () => {} },
  features: featureParts,
  onStart: () => {},
  onLaunchNotice: () => {},
  onNotice: () => {},
} as unknown as BrowserPoolOptions

const hooks = {
  mocks: { list: () => [], match: () => undefined, matchSocket: () => undefined },
  onCrash: () => {},
  onEntry: () => {},
  onRequest: () => 0,
  onWebSocketFrame: () => {},
  onRequestProgress: () => {},
  folder: {},
} as unknown as PageHooks
