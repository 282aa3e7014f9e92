// A click is no success if the browser's validation blocked the submit of its form, and it is told if the page lost it: the button moves, or is
// drawn anew or disabled, between the press and the release, often because the field that loses the focus shows a message. The browser then
// sends the click event to an element around both, and nothing happens.

import type { Page } from 'playwright'
import { watchDuring } from '../actions/watch-during.ts'
import { isInvalidField, submitFailure, submitWatch } from '../forms/form-validation.ts'
import { endClickWatch, startClickWatch } from '../in-page/pointer/click-watch.ts'
import {
  endClickLossWatch,
  startClickLossWatch,
  watchClickLoss,
  type ClickLoss,
} from '../in-page/pointer/click-loss.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'

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
 * the others hit, so none of them is called lost. */
export async function checkClick(
  page: Page,
  clickCount: number,
  click: () => Promise<Outcome<string>>,
): Promise<Outcome<string>> {
  const { result: outcome, finding } = await watchDuring(page, clickWatch, click)
  if (!outcome.ok) return outcome
  if (isInvalidField(finding)) return err(submitFailure(finding))
  return clickCount === 1 && isClickLoss(finding) ? ok(CLICK_LOSS_NOTES[finding]) : outcome
}

// --- internal ---

const clickWatch = {
  start: composeInPage(startClickWatch, {
    startSubmitWatch: submitWatch.start,
    startLossWatch: composeInPage(startClickLossWatch, { watchClickLoss }),
  }),
  end: composeInPage(endClickWatch, { endSubmitWatch: submitWatch.end, endLossWatch: endClickLossWatch }),
}
