import type { Page } from 'playwright'
import { waitForText, waitUntilTextGone } from './wait-for-text.ts'
import { waitForElement } from '../checks/wait-for-element.ts'
import type { ReadTree } from '../checks/poll-aria.ts'
import { attempt, browserError, isAborted, isTimeout } from '../playwright/errors.ts'
import { playwrightOptions } from '../playwright/playwright-options.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { WaitCondition } from '../../runtime/ports/page/wait-condition.ts'

/** Waits for every given condition, one after the other, within one deadline; the element comes last. */
export async function waitFor(
  page: Page,
  { element, text, textGone, url }: WaitCondition,
  deadline: Deadline,
  readTree: ReadTree,
): Promise<Outcome<void>> {
  const until = async (waitedFor: string, wait: () => Promise<unknown>): Promise<Outcome<unknown>> =>
    attempt(wait(), (error) => explain(error, waitedFor, deadline))
  const steps: (() => Promise<Outcome<unknown>>)[] = []
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
  if (element) steps.push(() => waitForElement(page, element, deadline, readTree))
  for (const step of steps) {
    const result = await step()
    if (!result.ok) return result
  }
  return ok(undefined)
}

function explain(error: Error, waitedFor: string, deadline: Deadline): Failure {
  if (isAborted(error)) return { code: 'CANCELLED' }
  return isTimeout(error) ? { code: 'TIMEOUT', waitedFor, waited: deadline.timeout } : browserError(error)
}
