// What was left out of a run, and what ran in place of something else.

import type { ProjectSummary, TestEndEvent } from './run-event.ts'
import type { RunSummary } from './run-summary.ts'
import type { Failure } from '../failure.ts'

/** Notes about a run, a sentence each. `omitted` are the projects without a browser. */
export function describeRun(
  { substitutes, testsWithoutBrowser }: RunSummary,
  omitted: readonly ProjectSummary[],
  isBun: boolean,
): readonly string[] {
  const [first] = testsWithoutBrowser
  return [
    ...(isBun ? ['Ran with Bun, because there is no node on PATH.'] : []),
    ...omitted.map(
      ({ name, browser, testCount }) =>
        `Project ${name} was left out (tests: ${testCount}): Playwright's ${browser} is not installed.`,
    ),
    // The Chromium of this machine in place of Playwright's is what a user expects.
    ...[...substitutes].flatMap(([missing, path]) =>
      missing.includes(' distribution ') ? [`${missing}: ran with ${path}.`] : [],
    ),
    ...(first
      ? [`Tests without a browser here: ${testsWithoutBrowser.length}, the first is ${first.title}.`]
      : []),
  ]
}

/** The failure of a run whose tests lack these browsers. */
export const missingBrowser = (browsers: readonly string[]): Failure => {
  const names = [...new Set(browsers)]
  return {
    code: 'BROWSER_NOT_INSTALLED',
    browser: names.join(' and '),
    looked: [],
    install: `npx playwright install ${names.join(' ')}`,
  }
}

/** The name of the browser that a test did not find, by its message. */
export function missingBrowserOf({ errors }: TestEndEvent): string {
  const [path = ''] = errors.flatMap(({ message }) => /Executable doesn't exist at .*/.exec(message) ?? [])
  if (/firefox/i.test(path)) return 'firefox'
  return /webkit|pw_run/i.test(path) ? 'webkit' : 'chromium'
}
