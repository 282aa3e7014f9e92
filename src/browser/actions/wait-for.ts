import type { Page } from 'playwright'
import { attempt, browserError, isAborted, isTimeout } from '../playwright/errors.ts'
import { remainingTime, targetFailure } from '../playwright/locator.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { checkSelector } from '../../core/text/selector-check.ts'
import type { Call, WaitCondition } from '../../runtime/ports/page.ts'

/** Waits until every named condition has held, one after the other, within one deadline. */
export async function waitFor(page: Page, condition: WaitCondition, call: Call): Promise<Outcome<void>> {
  const { selector, state = 'visible', text, textGone, url } = condition
  const problem = selector === undefined ? undefined : checkSelector(selector)
  if (problem) return err(problem)
  const since = performance.now()
  const limits = () => ({ timeout: remainingTime(call, since), signal: call.signal })
  const until = async (waitedFor: string, wait: () => Promise<unknown>): Promise<Outcome<unknown>> =>
    attempt(wait(), (error) => explain(error, waitedFor, selector, call))
  const steps: (() => Promise<Outcome<unknown>>)[] = []
  if (selector !== undefined) {
    steps.push(() =>
      until(`${selector} to be ${state}`, () =>
        page
          .locator(selector)
          .first()
          .waitFor({ state, ...limits() }),
      ),
    )
  }
  if (text !== undefined) {
    const shown = page.getByText(text).filter({ visible: true }).first()
    steps.push(() =>
      until(`the text ${JSON.stringify(text)}`, () => shown.waitFor({ state: 'attached', ...limits() })),
    )
  }
  if (textGone !== undefined) {
    const shown = page.getByText(textGone).filter({ visible: true }).first()
    steps.push(() =>
      until(`the text ${JSON.stringify(textGone)} to disappear`, () =>
        shown.waitFor({ state: 'detached', ...limits() }),
      ),
    )
  }
  if (url !== undefined) {
    const matches = ({ href }: URL) => url.matches(href)
    steps.push(() =>
      until(`the URL ${url.text}`, () => page.waitForURL(matches, { waitUntil: 'commit', ...limits() })),
    )
  }
  for (const step of steps) {
    const done = await step()
    if (!done.ok) return done
  }
  return ok(undefined)
}

function explain(error: Error, waitedFor: string, selector: string | undefined, call: Call): Failure {
  if (isAborted(error)) return { code: 'CANCELLED' }
  if (isTimeout(error)) return { code: 'TIMEOUT', waitedFor, waited: call.timeout }
  return selector === undefined ? browserError(error) : targetFailure(error, { selector })
}
