// Detects clicks without effect. The browser's form validation may block the submit: that is a failure. Or the button moves, or is replaced
// or disabled, between press and release, often because a field that loses the focus shows a message. The browser then dispatches the click
// event to a common ancestor, or not at all: that is reported in a note.

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

// --- internal ---

const clickWatch = {
  start: composeInPage(startClickWatch, {
    startSubmitWatch: submitWatch.start,
    startLossWatch: composeInPage(startClickLossWatch, { watchClickLoss }),
  }),
  end: composeInPage(endClickWatch, { endSubmitWatch: submitWatch.end, endLossWatch: endClickLossWatch }),
}
