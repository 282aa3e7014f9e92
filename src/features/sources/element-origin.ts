// Reads where elements come from, in the main world of the page, where frameworks note it.

import type { Locator, Page } from 'playwright'
import type { Target } from '../../core/base/action.ts'
import type { Outcome } from '../../core/base/failure.ts'
import type { Point } from '../../core/base/geometry.ts'
import { err, ok } from '../../core/base/result.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { parseJson } from '../../core/base/text/json.ts'
import { ambiguousFailure, attempt } from '../../core/browser/playwright/errors.ts'
import { describeTarget, locate, targetFailure } from '../../core/browser/playwright/locator.ts'
import type { Page as SessionPage } from '../../core/sessions/types/page.ts'
import type { ElementOrigin } from '../../core/sessions/types/sources.ts'
import { readOrigin as readOriginInPage, readOriginOfHit, readOriginsOfPaths } from './in-page/generated.ts'
import { parseOrigin } from './parse-origin.ts'

/** What frameworks have noted about the source of one element of the active tab. */
export const readOrigin = (
  { parts }: SessionPage,
  target: Target,
  deadline: Deadline,
): Promise<Outcome<ElementOrigin>> =>
  parts.readRedacted(({ page }) => readOriginOf(page, target, deadline.remaining()), deadline, ok)

/** The origin of the only element of a target; an element that is not there now is not waited for. */
async function readOriginOf(page: Page, target: Target, timeoutMs: number): Promise<Outcome<ElementOrigin>> {
  const locator = await locate(page, target)
  if (!locator.ok) return locator
  const count = await attempt(locator.value.count(), (error) => targetFailure(error, target))
  if (!count.ok) return count
  if (count.value === 0) return err({ code: 'ELEMENT_NOT_FOUND', target: describeTarget(target), waited: 0 })
  if (count.value > 1) return err(ambiguousFailure(describeTarget(target), count.value))
  const origin = await attempt(readElementOrigin(locator.value, timeoutMs), (error) =>
    targetFailure(error, target),
  )
  if (!origin.ok) return origin
  return origin.value
    ? ok(origin.value)
    : err({ code: 'BROWSER_ERROR', text: 'the page did not describe the element' })
}

/** The origin of the only element of a locator; undefined if there is none. Rejects if the page does not answer in time. */
export async function readElementOrigin(
  locator: Locator,
  timeoutMs: number,
): Promise<ElementOrigin | undefined> {
  return parseAnswer(await locator.evaluate(readOriginInPage, undefined, { timeout: timeoutMs }))
}

/** The origin of the element at a point of the document whose root is given; undefined if there is none. Rejects as above. */
export async function readOriginAtPoint(
  root: Locator,
  point: Point,
  timeoutMs: number,
): Promise<ElementOrigin | undefined> {
  return parseAnswer(await root.evaluate(readOriginOfHit, point, { timeout: timeoutMs }))
}

/** The origins of the elements that these CSS selectors match first in the document of this root; undefined for one that is not known. Rejects
 * as above. */
export async function readOriginsAtPaths(
  root: Locator,
  paths: readonly string[],
  timeoutMs: number,
): Promise<readonly (ElementOrigin | undefined)[]> {
  const answer: unknown = await root.evaluate(readOriginsOfPaths, paths, { timeout: timeoutMs })
  const answers: unknown = typeof answer === 'string' ? parseJson(answer) : undefined
  return paths.map((_, index) => parseAnswer(Array.isArray(answers) ? answers[index] : undefined))
}

// --- internal ---

const ANSWER_LIMIT_CHARS = 200_000

function parseAnswer(answer: unknown): ElementOrigin | undefined {
  if (typeof answer !== 'string' || answer.length > ANSWER_LIMIT_CHARS) return undefined
  try {
    return parseOrigin(JSON.parse(answer))
  } catch {
    return undefined
  }
}
