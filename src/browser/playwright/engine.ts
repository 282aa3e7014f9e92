import type { Browser, Page } from 'playwright'
import type { Engine } from '../../core/browser-names.ts'

export const engineOfBrowser = (browser: Browser): Engine => browser.browserType().name() as Engine

/** Undefined when the page has no browser any more. */
export function engineOfPage(page: Page): Engine | undefined {
  const browser = page.context().browser()
  return browser ? engineOfBrowser(browser) : undefined
}

export const isChromium = (page: Page): boolean => engineOfPage(page) === 'chromium'
