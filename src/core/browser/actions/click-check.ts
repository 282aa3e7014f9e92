// Clicks, submits and drags without effect. The browser's form validation may block the submit: that is a failure. Or the button moves, or is
// replaced or disabled, between press and release, often because a field that loses the focus shows a message. The browser then dispatches
// the click event to a common ancestor, or not at all: that is reported in a note, as is a drag that changed nothing.

import type { Page } from 'playwright'
import {
  aimClick,
  endWatch,
  startClickWatch,
  startDragWatch,
  startDropWatch,
  startSubmitWatch,
} from '../in-page/generated.ts'
import type { ClickLoss } from '../in-page/actions/click-watch.ts'
import { engineOfPage } from '../playwright/engine.ts'
import type { Outcome, Failure } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import { evaluateTarget, type ResolvedTarget } from '../playwright/locator.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import type { DragEffect } from '../in-page/actions/drag-watch.ts'

export const CLICK_LOSS_NOTES: Readonly<Record<ClickLoss, string>> = {
  moved: 'It moved between press and release, so it got no click event. If nothing changed, click again.',
  replaced:
    'The page replaced it or its content between press and release, so it got no click event. If nothing changed, click again.',
  disabled:
    'The page disabled it between press and release, so it got no click event. If nothing changed, enable it and click again.',
  missed:
    'It was not under the mouse at the press, as with a hover effect that moves or hides it: what is around it got the click. If nothing changed, click again.',
  hidden:
    'The page hid it when it was pressed and the field lost the focus, so it got no click event. If nothing was chosen, use the keys ArrowDown and Enter.',
}

export const isClickLoss = (result: unknown): result is ClickLoss =>
  typeof result === 'string' && Object.hasOwn(CLICK_LOSS_NOTES, result)

/** Runs a click in the main frame. A blocked submit is a failure, a lost click a note. Of several clicks in a row the first may change what
 * the others hit, so none of them counts as lost. A note of `click` itself is kept. With `element`, a press around it
 * counts as lost too. */
export async function checkClick(
  page: Page,
  clickCount: number,
  click: () => Promise<Outcome<string>>,
  element?: ResolvedTarget,
): Promise<Outcome<string>> {
  const { result: outcome, finding } = await watchDuring(page, 'click', async () => {
    if (element) await evaluateTarget(element, aimClick, undefined).catch(() => {})
    return click()
  })
  if (!outcome.ok) return outcome
  if (isInvalidField(finding)) return err(submitFailure(finding))
  const isLost = clickCount === 1 && outcome.value === '' && isClickLoss(finding)
  return isLost ? ok(CLICK_LOSS_NOTES[finding]) : outcome
}

/** Runs an action that may submit a form of the main frame; a submit that validation blocked is a failure. */
export async function checkSubmit<T>(page: Page, submit: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const { result: outcome, finding } = await watchDuring(page, 'submit', submit)
  return outcome.ok && isInvalidField(finding) ? err(submitFailure(finding)) : outcome
}

const DRAG_NOTES: Readonly<Record<DragEffect, string>> = {
  taken: '',
  refused: 'No drop event fired: the target may not accept the dragged element. Check what the page shows.',
  selected: 'Only the text selection changed. Check what the page shows.',
  nothing: 'No change of the page was observed. Check what the page shows.',
}

/** Runs a drag and returns its result, with a note where it had no visible effect. */
export async function dragAndCheckEffect<T>(
  page: Page,
  drag: () => Promise<T>,
): Promise<{ result: T; note: string }> {
  // For mouse input from WebDriver Firefox dispatches dragstart and dragover, but neither drop nor dragend: the end of the watch does.
  const isFirefox = engineOfPage(page) === 'firefox'
  const dragAndDrop = async () => (isFirefox ? (await watchDuring(page, 'drop', drag)).result : drag())
  const { result, finding } = await watchDuring(page, 'drag', dragAndDrop)
  return { result, note: finding === undefined ? '' : DRAG_NOTES[finding as DragEffect] }
}

/** The invalid field that blocked a submit, and the message of the browser, one per line, as the in-page functions return them. */
export type InvalidField = `invalid\n${string}\n${string}`

export const isInvalidField = (result: unknown): result is InvalidField =>
  typeof result === 'string' && result.startsWith('invalid\n')

export function submitFailure(result: InvalidField): Failure {
  const [, invalidField = '', message = ''] = result.split('\n')
  return { code: 'BROWSER_ERROR', text: message.replace(/\.$/, ''), invalidField }
}

// --- internal ---

/** Functions that add listeners to the main frame before an action. */
const WATCH_STARTS = {
  click: startClickWatch,
  submit: startSubmitWatch,
  drag: startDragWatch,
  drop: startDropWatch,
}

const ROOT = { selector: 'html' }
const READ_TIMEOUT_MS = 500

/** Runs `work` under a watch. `finding` is what its end returned; undefined where the page does not answer, or has another document. */
async function watchDuring<R>(
  page: Page,
  name: keyof typeof WATCH_STARTS,
  work: () => Promise<R>,
): Promise<{ readonly result: R; readonly finding: unknown }> {
  const root = { locator: page.locator(ROOT.selector), target: ROOT }
  await evaluateTarget(root, WATCH_STARTS[name], name).catch(() => {})
  const result = await work()
  const finding = await settleWithin(READ_TIMEOUT_MS, evaluateTarget(root, endWatch, name))
  return { result, finding: finding instanceof Error ? undefined : finding }
}
