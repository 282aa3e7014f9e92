import type { Page } from 'playwright'
import { attempt, browserError, isAborted, isTimeout } from '../playwright/errors.ts'
import { targetFailure } from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/playwright-options.ts'
import { waitForText, waitUntilTextGone } from './wait-for-text.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { checkSelector } from '../../core/text/selector-check.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { WaitCondition } from '../../runtime/ports/page.ts'

/** Waits for every given condition, one after the other, within one deadline. */
export async function waitFor(
  page: Page,
  condition: WaitCondition,
  deadline: Deadline,
): Promise<Outcome<void>> {
  const { selector, state = 'visible', text, textGone, url } = condition
  const problem = selector === undefined ? undefined : checkSelector(selector)
  if (problem) return err(problem)
  const until = async (waitedFor: string, wait: () => Promise<unknown>): Promise<Outcome<unknown>> =>
    attempt(wait(), (error) => explain(error, waitedFor, selector, deadline))
  const steps: (() => Promise<Outcome<unknown>>)[] = []
  if (selector !== undefined) {
    steps.push(() =>
      until(`${selector} to be ${state}`, () =>
        page
          .locator(selector)
          .first()
          .waitFor({ state, ...playwrightOptions(deadline) }),
      ),
    )
  }
  if (text !== undefined)
    steps.push(() => until(`the text ${JSON.stringify(text)}`, () => waitForText(page, text, deadline)))
  if (textGone !== undefined)
    steps.push(() =>
      until(`the text ${JSON.stringify(textGone)} to disappear`, () =>
        waitUntilTextGone(page, textGone, deadline),
      ),
    )
  if (url !== undefined) {
    const matches = ({ href }: URL) => url.matches(href)
    steps.push(() =>
      until(`the URL ${url.text}`, () =>
        page.waitForURL(matches, { waitUntil: 'commit', ...playwrightOptions(deadline) }),
      ),
    )
  }
  for (const step of steps) {
    const result = await step()
    if (!result.ok) return result
  }
  return ok(undefined)
}

function explain(error: Error, waitedFor: string, selector: string | undefined, deadline: Deadline): Failure {
  if (isAborted(error)) return { code: 'CANCELLED' }
  if (isTimeout(error)) return { code: 'TIMEOUT', waitedFor, waited: deadline.timeout }
  return selector === undefined ? browserError(error) : targetFailure(error, { selector })
}
