import { expect, test } from 'bun:test'
import type { TestEndEvent } from '../../../src/features/run-test/in-playwright/run-event.ts'
import { describeRun, missingBrowser, missingBrowserOf } from '../../../src/features/run-test/run-outcome.ts'
import { summarizeRun } from '../../../src/features/run-test/run-summary.ts'

const endWith = (message: string): TestEndEvent => ({
  type: 'testEnd',
  id: message,
  title: 'opens',
  project: '',
  file: '/app/a.spec.ts',
  line: 1,
  outcome: 'unexpected',
  duration: 1,
  status: 'failed',
  errors: [{ message }],
  attachments: [],
  output: '',
})

test.each([
  ['firefox-1490/firefox/firefox', 'firefox'],
  ['webkit-2140/pw_run.sh', 'webkit'],
  ['chromium_headless_shell-1155/chrome-linux/headless_shell', 'chromium'],
])('a missing %s is %s', (path, browser) => {
  const message = `Error: browserType.launch: Executable doesn't exist at /cache/${path}\n╔═══╗`
  expect(missingBrowserOf(endWith(message))).toBe(browser)
})

test('notes name what was left out and what ran in place of a channel, but not of Chromium itself', () => {
  const summary = summarizeRun([
    { type: 'browser', missing: "Chromium distribution 'chrome' is not found", path: '/usr/bin/chromium' },
    { type: 'browser', missing: "Executable doesn't exist at /cache/chromium", path: '/usr/bin/chromium' },
    endWith("Executable doesn't exist at /cache/firefox"),
  ])
  const omitted = [{ name: 'phone', browser: 'webkit', isRunnable: false, testCount: 3 }]
  expect(describeRun(summary, omitted, true)).toEqual([
    'Ran with Bun, because there is no node on PATH.',
    "Project phone was left out (tests: 3): Playwright's webkit is not installed.",
    "Chromium distribution 'chrome' is not found: ran with /usr/bin/chromium.",
    'Tests without a browser here: 1, the first is opens.',
  ])
  expect(missingBrowser(['firefox', 'webkit', 'firefox'])).toMatchObject({
    browser: 'firefox and webkit',
    install: 'npx playwright install firefox webkit',
  })
})
