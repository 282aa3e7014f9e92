// Detects clicks without effect. The browser's form validation may block the submit: that is a failure. Or the button moves, or is replaced
// or disabled, between press and release, often because a field that loses the focus shows a message. The browser then dispatches the click
// event to a common ancestor, or not at all: that is reported in a note.

import type { Page } from 'playwright'
import {
  endClickWatch,
  startClickWatch,
  endClickLossWatch,
  startClickLossWatch,
  watchClickLoss,
  type ClickLoss,
} from '../in-page/actions/click-watch.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import type { Outcome, Failure } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { evaluateTarget } from '../playwright/locator.ts'
import { settleWithin } from '../../runtime/system/settle-within.ts'
import { describeInvalidField, endValidationWatch, watchValidation } from '../in-page/actions/fields.ts'
import { endDragWatch, watchDrag, endDrag, watchDragStart } from '../in-page/actions/drag-watch.ts'
import { hitElement } from '../in-page/actions/actionability.ts'

export const CLICK_LOSS_NOTES: Readonly<Record<ClickLoss, string>> = {
  moved: 'It moved between press and release, so it got no click event. If nothing changed, click again.',
  replaced:
    'The page replaced it or its content between press and release, so it got no click event. If nothing changed, click again.',
  disabled:
    'The page disabled it between press and release, so it got no click event. If nothing changed, enable it and click again.',
}

export const isClickLoss = (result: unknown): result is ClickLoss =>
  typeof result === 'string' && Object.hasOwn(CLICK_LOSS_NOTES, result)

/** Runs a click in the main frame. A blocked submit is a failure, a lost click a note. Of several clicks in a row the first may change what
 * the others hit, so none of them counts as lost. A note of `click` itself is kept. */
export async function checkClick(
  page: Page,
  clickCount: number,
  click: () => Promise<Outcome<string>>,
): Promise<Outcome<string>> {
  const { result: outcome, finding } = await watchDuring(page, clickWatch, click)
  if (!outcome.ok) return outcome
  if (isInvalidField(finding)) return err(submitFailure(finding))
  const isLost = clickCount === 1 && outcome.value === '' && isClickLoss(finding)
  return isLost ? ok(CLICK_LOSS_NOTES[finding]) : outcome
}

/** The result is the invalid field that blocked a submit. */
const submitWatch = {
  start: composeInPage(watchValidation, { describeInvalidField }),
  end: endValidationWatch,
} satisfies PageWatch<string>

// --- internal ---

const clickWatch = {
  start: composeInPage(startClickWatch, {
    startSubmitWatch: submitWatch.start,
    startLossWatch: composeInPage(startClickLossWatch, { watchClickLoss }),
  }),
  end: composeInPage(endClickWatch, { endSubmitWatch: submitWatch.end, endLossWatch: endClickLossWatch }),
}

// Watches what a page does during an action: one function adds listeners to the main frame before it, another reads the result afterwards.
/** Two functions that run in the page. In another document than that of `start`, `end` returns undefined. */
interface PageWatch<T> {
  start(): void
  end(): T | undefined | Promise<T | undefined>
}

/** Runs `work` under a watch. `finding` is what `end` returned, or undefined where the page does not answer. */
async function watchDuring<T, R>(
  page: Page,
  { start, end }: PageWatch<T>,
  work: () => Promise<R>,
): Promise<{ readonly result: R; readonly finding: T | undefined }> {
  const root = { locator: page.locator(ROOT.selector), target: ROOT }
  await evaluateTarget(root, start, undefined).catch(() => {})
  const result = await work()
  const finding = await settleWithin(READ_TIMEOUT_MS, evaluateTarget(root, end, undefined))
  return { result, finding: finding instanceof Error ? undefined : finding }
}

const ROOT = { selector: 'html' }
const READ_TIMEOUT_MS = 500

// Detects a submit that the browser's form validation blocked: a field was invalid, and no submit event followed.
/** The invalid field that blocked a submit, and the message of the browser, one per line, as the in-page functions return them. */
export type InvalidField = `invalid\n${string}\n${string}`

export const isInvalidField = (result: unknown): result is InvalidField =>
  typeof result === 'string' && result.startsWith('invalid\n')

export function submitFailure(result: InvalidField): Failure {
  const [, invalidField = '', message = ''] = result.split('\n')
  return {
    code: 'BROWSER_ERROR',
    text: message.replace(/\.$/, ''),
    invalidField,
  }
}

/** Runs an action that may submit a form of the main frame; a submit that validation blocked is a failure. */
export async function checkSubmit<T>(page: Page, submit: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const { result: outcome, finding } = await watchDuring(page, submitWatch, submit)
  return outcome.ok && isInvalidField(finding) ? err(submitFailure(finding)) : outcome
}

// Whether a page accepted a drag is derived from its drag events and from what changed on it.
const NOTES = {
  taken: '',
  refused: 'No drop event fired: the target may not accept the dragged element. Check what the page shows.',
  selected: 'Only the text selection changed. Check what the page shows.',
  nothing: 'No change of the page was observed. Check what the page shows.',
} as const

/** Runs a drag and returns its result, with a note where it had no visible effect. */
export async function dragAndCheckEffect<T>(
  page: Page,
  drag: () => Promise<T>,
): Promise<{ result: T; note: string }> {
  const watch = { start: watchDrag, end: endDragWatch }
  const { result, finding } = await watchDuring(page, watch, () => withDrop(page, drag))
  return { result, note: finding === undefined ? '' : NOTES[finding] }
}

// The end of a drag in Firefox. For mouse input from WebDriver it dispatches dragstart and dragover, but neither drop nor dragend: both
// are dispatched here, with the data of the drag.
const PAGE_ROOT = { selector: 'html' }

/** Runs a drag, and in Firefox dispatches the events that end it. */
async function withDrop<T>(page: Page, drag: () => Promise<T>): Promise<T> {
  if (page.context().browser()?.browserType().name() !== 'firefox') return drag()
  const root = { locator: page.locator(PAGE_ROOT.selector), target: PAGE_ROOT }
  await evaluateTarget(root, composedWatchDragStart, undefined).catch(() => {})
  const result = await drag()
  await evaluateTarget(root, endDrag, undefined).catch(() => {})
  return result
}

const composedWatchDragStart = composeInPage(watchDragStart, { hitElement })
