// The browsers in which tests run. What has a branch for an engine in the code is tested in both at every commit. What has none runs in
// Chromium then, and in Firefox in test:deep.

import process from 'node:process'

export type TestBrowser = 'chromium' | 'firefox'

/** The browser of a test whose code is the same for all engines. */
export const anyBrowser: readonly TestBrowser[] =
  process.env['TEST_BROWSER'] === 'firefox' ? ['firefox'] : ['chromium']

export const bothBrowsers: readonly TestBrowser[] =
  process.env['TEST_BROWSER'] === 'firefox' ? ['firefox'] : ['chromium', 'firefox']
