// Checks that an element is editable before the first key, because keys go to whatever has the focus.

import { explainRefusal } from '../actions/explain-refusal.ts'
import { waitForTarget } from '../actions/wait-for-target.ts'
import { attempt } from '../playwright/errors.ts'
import type { ActionabilityOptions, Actionability } from '../in-page/actions/actionability.ts'
import { composedCheckActionability } from '../playwright/composed-actionability.ts'
import {
  readActionability,
  evaluateTarget,
  locate,
  describeTarget,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/playwright-options.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'

const CHECK_INTERVAL_MS = 500

/** Waits until the element is editable, and puts the caret at its end. The first check covers all matches without waiting, which takes a
 * third of the time. */
export async function checkEditable(
  element: ResolvedTarget,
  startedAt: number,
): Promise<Outcome<Actionability>> {
  const { locator, target } = element
  const options: ActionabilityOptions = { action: 'type', timeoutMs: 0 }
  const state = await evaluateTarget(element, composedCheckActionability, options).catch(
    (): Actionability => ({ isAmbiguous: true }),
  )
  if (!state.isAmbiguous && !state.obstacle) return ok(state)
  const targetResult = await locate(locator.page(), target)
  if (!targetResult.ok) return targetResult
  const waiting = waitForTarget(element, 'editable', (limit) =>
    waitUntilEditable({ ...element, deadline: limit }),
  )
  const actionability = await attempt(waiting, (error) =>
    explainRefusal(element, error, 'type', 'the typing'),
  )
  if (!actionability.ok || !actionability.value.obstacle) return actionability
  const waited = Math.round(performance.now() - startedAt)
  return err(notEditableFailure(actionability.value, describeTarget(target), waited))
}

// With an obstacle if it takes no text, or at the deadline.
async function waitUntilEditable(element: ResolvedTarget): Promise<Actionability> {
  const { locator, deadline } = element
  for (;;) {
    // The check itself may end after the deadline, so it must not wait for the element.
    await locator.waitFor({ state: 'attached', ...playwrightOptions(deadline) })
    const timeoutMs = Math.min(deadline.remaining(), CHECK_INTERVAL_MS)
    const state = await readActionability(element, { action: 'type', timeoutMs })
    if (!state.obstacle || state.obstacle === 'no_text' || deadline.remaining() <= 1) return state
  }
}

/** Gives the element the focus, because its focus handlers may disable it. True if it was editable until then. */
export async function focusField(element: ResolvedTarget): Promise<boolean> {
  const options: ActionabilityOptions = { action: 'type', timeoutMs: 0 }
  const state = await attempt(evaluateTarget(element, composedCheckActionability, options), () => undefined)
  return state.ok && !state.value.isAmbiguous && !state.value.obstacle
}

/** The failure of an action on a field that was editable before it. */
export const markLostField = (failure: Failure): Failure =>
  failure.code === 'ELEMENT_NOT_EDITABLE' && failure.reason !== 'detached'
    ? { ...failure, became: true }
    : failure

/** The failure for an element with an obstacle to typing. */
export const notEditableFailure = (
  { obstacle = 'no_text', by }: Actionability,
  target: string,
  waited: number,
) => ({ code: 'ELEMENT_NOT_EDITABLE', target, reason: obstacle, waited, ...(by && { by }) }) as const
