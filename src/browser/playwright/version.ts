import pack from 'playwright/package.json' with { type: 'json' }

/** The version of Playwright, without loading it. */
export const PLAYWRIGHT: string = pack.version
