// Checks that an element is editable before the first key, because keys go to whatever has the focus.

import { attempt } from '../playwright/errors.ts'
import type { ActionabilityOptions, Actionability } from '../in-page/actions/actionability.ts'
import { composedCheckActionability } from '../playwright/composed-actionability.ts'
import {
  readActionability,
  evaluateTarget,
  locate,
  explainRejection,
  describeTarget,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'

const CHECK_INTERVAL_MS = 500

/** Waits until the element is editable, and puts the caret at its end. The first check covers all matches without waiting, which takes a
 * third of the time. */
export async function checkEditable(
  element: ResolvedTarget,
  startedAt: number,
): Promise<Outcome<Actionability>> {
  const { locator, target, deadline } = element
  const options: ActionabilityOptions = { action: 'type', timeoutMs: 0 }
  const state = await evaluateTarget(element, composedCheckActionability, options).catch(
    (): Actionability => ({ isAmbiguous: true }),
  )
  if (!state.isAmbiguous && !state.obstacle) return ok(state)
  const targetResult = await locate(locator.page(), target)
  if (!targetResult.ok) return targetResult
  for (;;) {
    const timeoutMs = Math.min(deadline.remaining(), CHECK_INTERVAL_MS)
    const actionability = await attempt(readActionability(element, { action: 'type', timeoutMs }), (error) =>
      explainRejection(element, error),
    )
    if (!actionability.ok) return actionability
    const { obstacle } = actionability.value
    if (!obstacle) return actionability
    const waited = Math.round(performance.now() - startedAt)
    if (obstacle === 'no_text' || deadline.remaining() <= 1)
      return err(notEditableFailure(actionability.value, describeTarget(target), waited))
  }
}

/** The failure for an element with an obstacle to typing. */
export const notEditableFailure = (
  { obstacle = 'no_text', by }: Actionability,
  target: string,
  waited: number,
) => ({ code: 'ELEMENT_NOT_EDITABLE', target, reason: obstacle, waited, ...(by && { by }) }) as const
