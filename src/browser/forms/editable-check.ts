// Whether what is to be typed into takes text: asked before the first key, because keys go to whatever has the focus.

import type { Locator } from 'playwright'
import { attempt, isTimeout } from '../playwright/errors.ts'
import { probe, type ProbeOptions, type Verdict } from '../in-page/actionability.ts'
import {
  ask,
  examine,
  EXPLAIN,
  left,
  locate,
  missedIn,
  nameOf,
  targetFailure,
} from '../playwright/locator.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Call, Target } from '../../runtime/ports/page.ts'

/** Waits until the element takes text, and puts the caret at its end. The first look asks all matches at once and waits for none, which
 * takes a third of the time of asking one. */
export async function editable(
  locator: Locator,
  target: Target,
  call: Call,
  since: number,
): Promise<Outcome<Verdict>> {
  const options: ProbeOptions = { want: 'type', budget: 0 }
  const first = await examine(locator, target, probe, options).catch((): Verdict => ({ unclear: true }))
  if (!first.unclear && !first.obstacle) return ok(first)
  const located = await locate(locator.page(), target)
  if (!located.ok) return located
  for (;;) {
    const budget = Math.min(left(call, since), 500)
    const verdict = await attempt(
      ask(locator, { want: 'type', budget }, left(call, since) + EXPLAIN, call),
      (error) => (isTimeout(error) ? missedIn(locator, target, call) : targetFailure(error, target)),
    )
    if (!verdict.ok) return verdict
    const { obstacle } = verdict.value
    if (!obstacle) return verdict
    const waited = Math.round(performance.now() - since)
    if (obstacle === 'no_text' || waited >= call.timeout)
      return err(notEditable(verdict.value, nameOf(target), waited))
  }
}

/** The failure of a verdict that has an obstacle. */
export const notEditable = ({ obstacle = 'no_text', by }: Verdict, target: string, waited: number) =>
  ({ code: 'ELEMENT_NOT_EDITABLE', target, reason: obstacle, waited, ...(by && { by }) }) as const
