// A click that the page loses: its button moves, or is drawn anew or disabled, between the press and the release, often because the field
// that loses the focus shows a message. The browser then sends the click event to an element around both, and nothing happens.

import type { Page } from 'playwright'
import {
  endClickLossWatch,
  startClickLossWatch,
  watchClickLoss,
  type ClickLoss,
} from '../in-page/pointer/click-loss.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { evaluateTarget } from '../playwright/locator.ts'
import type { Outcome } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

export const CLICK_LOSS_NOTES: Readonly<Record<ClickLoss, string>> = {
  moved: 'It moved between press and release, so it got no click event. If nothing changed, click again.',
  replaced:
    'The page replaced it or its content between press and release, so it got no click event. If nothing changed, click again.',
  disabled: 'The page disabled it between press and release, so it got no click event.',
}

export const isClickLoss = (result: unknown): result is ClickLoss =>
  typeof result === 'string' && Object.hasOwn(CLICK_LOSS_NOTES, result)

/** Runs a click in the main frame and adds a note if the page lost it. Several clicks in a row are not watched: the first may have changed
 * what is pressed. */
export async function noteClickLoss(
  page: Page,
  clickCount: number,
  click: () => Promise<Outcome<string>>,
): Promise<Outcome<string>> {
  if (clickCount > 1) return click()
  const root = { locator: page.locator(ROOT.selector), target: ROOT }
  await evaluateTarget(root, composedStartWatch, undefined).catch(() => {})
  const outcome = await click()
  const loss = await settleWithin(READ_TIMEOUT_MS, evaluateTarget(root, endClickLossWatch, undefined))
  return isClickLoss(loss) && outcome.ok && outcome.value === '' ? ok(CLICK_LOSS_NOTES[loss]) : outcome
}

// --- internal ---

const ROOT = { selector: 'html' }
const READ_TIMEOUT_MS = 500

const composedStartWatch = composeInPage(startClickLossWatch, { watchClickLoss })
