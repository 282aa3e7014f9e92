import manifest from 'playwright/package.json' with { type: 'json' }

/** The version of Playwright, read without loading it. */
export const PLAYWRIGHT_VERSION: string = manifest.version

/** Its major and minor number: a Playwright server must have the same. */
export const PLAYWRIGHT_SERIES: string = manifest.version.split('.').slice(0, 2).join('.')
