import type { Browser, Page } from 'playwright'
import type { Engine } from '../../base/browser-names.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import manifest from 'playwright/package.json' with { type: 'json' }

export const engineOfBrowser = (browser: Browser): Engine => browser.browserType().name() as Engine

/** Undefined when the page has no browser any more. */
export function engineOfPage(page: Page): Engine | undefined {
  const browser = page.context().browser()
  return browser ? engineOfBrowser(browser) : undefined
}

export const isChromium = (page: Page): boolean => engineOfPage(page) === 'chromium'

// The user's own browsers, in which no other context can be opened: it would be a window that the user sees.
const ownBrowsers = new WeakSet<Browser>()

export const markOwnBrowser = (browser: Browser): void => void ownBrowsers.add(browser)

export const isOwnBrowser = (browser: Browser | null): boolean => browser !== null && ownBrowsers.has(browser)

/** How long a method of Playwright may wait, in milliseconds, and the signal that stops it. */
export interface PlaywrightOptions {
  readonly timeout: number
  readonly signal: AbortSignal
}

/** What is left of the deadline, as options of Playwright's methods. Never 0, which is no limit there. `graceMs` is added to it, for
 * methods that find the reason of a failure after the deadline. */
export const playwrightOptions = (deadline: Deadline, graceMs = 0): PlaywrightOptions => ({
  timeout: deadline.remaining() + graceMs,
  signal: deadline.signal,
})

/** The version of Playwright, read without loading it. */
export const PLAYWRIGHT_VERSION: string = manifest.version

/** Its major and minor number: a Playwright server must have the same. */
export const PLAYWRIGHT_SERIES: string = manifest.version.split('.').slice(0, 2).join('.')
