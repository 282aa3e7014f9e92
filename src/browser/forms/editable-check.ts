// Whether an element takes text: checked before the first key, because keys go to whatever has the focus.

import { attempt, isTimeout } from '../playwright/errors.ts'
import type { ActionabilityOptions, Actionability } from '../in-page/actions/actionability.ts'
import { composedCheckActionability } from '../playwright/composed-actionability.ts'
import {
  readActionability,
  evaluateTarget,
  EXPLAIN_TIMEOUT_MS,
  remainingTime,
  locate,
  explainTimeout,
  describeTarget,
  targetFailure,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'

/** Waits until the element takes text, and puts the caret at its end. The first check asks all matches at once and waits for none, which
 * takes a third of the time. */
export async function checkEditable(element: ResolvedTarget, since: number): Promise<Outcome<Actionability>> {
  const { locator, target, call } = element
  const options: ActionabilityOptions = { action: 'type', timeoutMs: 0 }
  const state = await evaluateTarget(element, composedCheckActionability, options).catch(
    (): Actionability => ({ isAmbiguous: true }),
  )
  if (!state.isAmbiguous && !state.obstacle) return ok(state)
  const located = await locate(locator.page(), target)
  if (!located.ok) return located
  for (;;) {
    const timeoutMs = Math.min(remainingTime(call, since), 500)
    const actionability = await attempt(
      readActionability(
        element,
        { action: 'type', timeoutMs },
        remainingTime(call, since) + EXPLAIN_TIMEOUT_MS,
      ),
      (error) => (isTimeout(error) ? explainTimeout(element) : targetFailure(error, target)),
    )
    if (!actionability.ok) return actionability
    const { obstacle } = actionability.value
    if (!obstacle) return actionability
    const waited = Math.round(performance.now() - since)
    if (obstacle === 'no_text' || waited >= call.timeout)
      return err(notEditableFailure(actionability.value, describeTarget(target), waited))
  }
}

/** The failure of a check that found an obstacle. */
export const notEditableFailure = (
  { obstacle = 'no_text', by }: Actionability,
  target: string,
  waited: number,
) => ({ code: 'ELEMENT_NOT_EDITABLE', target, reason: obstacle, waited, ...(by && { by }) }) as const
