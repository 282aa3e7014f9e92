// The user's own browsers, in which no other context can be opened: it would be a window that the user sees.

import type { Browser } from 'playwright'

const ownBrowsers = new WeakSet<Browser>()

export const markOwnBrowser = (browser: Browser): void => void ownBrowsers.add(browser)

export const isOwnBrowser = (browser: Browser | null): boolean => browser !== null && ownBrowsers.has(browser)
