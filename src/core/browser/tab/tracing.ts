// Whether a trace is recorded. It contains what Playwright is asked to do, so meanwhile nothing bypasses Playwright.

import type { BrowserContext } from 'playwright'
import type { CdpSession } from '../playwright/cdp-session.ts'
import type { Tab } from './tab.ts'

/** Those of which a trace is recorded. */
export const tracedContexts = new WeakSet<BrowserContext>()

export const isTraced = (context: BrowserContext): boolean => tracedContexts.has(context)

/** The CDP session of a tab, for what bypasses Playwright; undefined while a trace is recorded. */
export const untracedCdpSession = async ({ context, recovery }: Tab): Promise<CdpSession | undefined> =>
  isTraced(context) ? undefined : recovery.cdp
