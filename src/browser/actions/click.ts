// Clicking. What can be clicked at once is; else Playwright waits until the element can be used, and when it gives up, one look into
// the page says why.

import type { Locator } from 'playwright'
import { engineOfPage } from '../playwright/engine.ts'
import { attempt, isTimeout } from '../playwright/errors.ts'
import { completeDoubleClick, watchDoubleClick } from '../in-page/actions/double-click.ts'
import { waitForHydratedTarget } from './hydration.ts'
import type { ScriptActivity } from '../network/pending-requests.ts'
import { explainRefusal } from './explain-refusal.ts'
import { fastClick } from './fast-click.ts'
import type { Tab } from '../tab/tab.ts'
import { locatorOf, locate } from '../playwright/locator.ts'
import { isInvalidField, submitFailure, checkSubmit } from '../forms/form-validation.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Call, ClickOptions, Target } from '../../runtime/ports/page.ts'

const notes = {
  clicked: '',
  leaving: 'The navigation has not finished yet: use wait_for with a text or url.',
  unsure: 'The page navigated during the click: check what it shows.',
}

/** Answers a note where the click was delivered and more is to be said. */
export async function click(
  tab: Tab,
  target: Target,
  options: ClickOptions,
  call: Call,
  scripts: ScriptActivity,
): Promise<Outcome<string>> {
  const { page } = tab
  const resolved = locatorOf(page, target)
  if (!resolved.ok) return resolved
  const element = { locator: resolved.value, target, call }
  const hydrationNote = await waitForHydratedTarget(element, scripts)
  const fast = await attempt(fastClick(tab, element, options), () => undefined)
  const result = fast.ok ? fast.value : 'no'
  if (isInvalidField(result)) return err(submitFailure(result))
  if (result !== 'no') return ok(notes[result] || hydrationNote)
  const located = await locate(page, target)
  if (!located.ok) return located
  const { modifiers, ...rest } = options
  const settings = { ...rest, ...(modifiers && { modifiers: [...modifiers] }), ...call }
  const double = (options.clickCount ?? 1) > 1 && engineOfPage(page) === 'firefox'
  return checkSubmit(page, async () => {
    const clicks = double ? doubleClick(located.value, settings) : located.value.click(settings)
    const clicked = await attempt(clicks, (error) => error)
    if (clicked.ok) return ok(hydrationNote)
    const error = clicked.error
    // The click was delivered, and the page it leads to is slow.
    if (isTimeout(error) && /click action done|scheduled navigations/.test(error.message))
      return ok(notes.leaving)
    return err(await explainRefusal(element, error, 'click', 'the click'))
  })
}

type ClickSettings = Parameters<Locator['click']>[0] & Call

// Stock Firefox takes the clicks of a double click for single ones, so the event that is missing is sent after them.
async function doubleClick(locator: Locator, settings: ClickSettings): Promise<void> {
  const { timeout, signal } = settings
  const watch = await locator.evaluateHandle(watchDoubleClick, undefined, { timeout, signal })
  await locator.click(settings)
  // The clicks may have left the page; then there is nothing to add.
  await watch.evaluate(completeDoubleClick).catch(() => {})
}
