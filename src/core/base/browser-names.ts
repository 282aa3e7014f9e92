/** The browsers that a session can be opened in, by the names that options and tools use. */
export const BROWSER_NAMES = ['chromium', 'firefox', 'webkit', 'chrome', 'msedge'] as const

export type BrowserName = (typeof BROWSER_NAMES)[number]

/** The engines that Playwright drives, by the names of its browser types. */
export type Engine = 'chromium' | 'firefox' | 'webkit'

/** The engine of a browser: Chrome and Edge run Chromium's. */
export const engineOf = (browser: BrowserName): Engine =>
  browser === 'firefox' || browser === 'webkit' ? browser : 'chromium'
