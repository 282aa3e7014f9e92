// Clicking. An actionable element is clicked at once; otherwise Playwright waits until it is actionable, and after a timeout one check in
// the page finds the reason.

import type { Locator } from 'playwright'
import { engineOfPage } from '../playwright/engine.ts'
import { attempt, isClickDelivered } from '../playwright/errors.ts'
import { completeDoubleClick, watchDoubleClick } from '../in-page/pointer/double-click.ts'
import { waitForHydratedTarget } from '../actions/hydration.ts'
import type { ScriptActivity } from '../network/pending-requests.ts'
import { waitForTarget } from '../actions/wait-for-target.ts'
import { explainRefusal } from '../actions/explain-refusal.ts'
import { clickArea } from './click-area.ts'
import { checkClick, CLICK_LOSS_NOTES } from './click-check.ts'
import { fastClick } from './fast-click.ts'
import type { Tab } from '../tab/tab.ts'
import { locatorOf, locate, targetFailure } from '../playwright/locator.ts'
import { playwrightOptions, type PlaywrightOptions } from '../playwright/playwright-options.ts'
import { isInvalidField, submitFailure } from '../forms/form-validation.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { ClickOptions } from '../../runtime/ports/page/page.ts'
import type { Target } from '../../runtime/ports/page/target.ts'

const notes = {
  clicked: '',
  leaving: 'The navigation has not finished yet: use wait_for with a text or url.',
  unsure: 'The page navigated during the click: check what it shows.',
  ...CLICK_LOSS_NOTES,
}

/** Returns a note if the click was delivered and its effect needs a check, else an empty string. */
export async function click(
  tab: Tab,
  target: Target,
  options: ClickOptions,
  deadline: Deadline,
  scripts: ScriptActivity,
): Promise<Outcome<string>> {
  const { page } = tab
  const locatorResult = await locatorOf(page, target)
  if (!locatorResult.ok) return locatorResult
  const element = { locator: locatorResult.value, target, deadline }
  const hydrationNote = await waitForHydratedTarget(element, scripts)
  const fastResult = await attempt(fastClick(tab, element, options), () => undefined)
  const result = fastResult.ok ? fastResult.value : 'no'
  if (isInvalidField(result)) return err(submitFailure(result))
  if (result !== 'no') return ok(notes[result] || hydrationNote)
  const targetResult = await locate(page, target)
  if (!targetResult.ok) return targetResult
  const areaResult = await attempt(clickArea(page, element, options), (error) => targetFailure(error, target))
  if (!areaResult.ok || areaResult.value) return areaResult.ok ? ok(hydrationNote) : areaResult
  const { modifiers, ...rest } = options
  const settings = { ...rest, ...(modifiers && { modifiers: [...modifiers] }) }
  const isDoubleClick = (options.clickCount ?? 1) > 1 && engineOfPage(page) === 'firefox'
  const performClick = async (): Promise<Outcome<string>> => {
    const clicks = waitForTarget(element, 'clickable', (limit) => {
      const limitedSettings = { ...settings, ...playwrightOptions(limit) }
      return isDoubleClick
        ? doubleClick(targetResult.value, limitedSettings)
        : targetResult.value.click(limitedSettings)
    })
    const clickResult = await attempt(clicks, (error) => error)
    if (clickResult.ok) return ok('')
    const error = clickResult.error
    if (isClickDelivered(error)) return ok(notes.leaving)
    return err(await explainRefusal(element, error, 'click', 'the click'))
  }
  const clickResult = await checkClick(page, options.clickCount ?? 1, performClick)
  return map(clickResult, (note) => note || hydrationNote)
}

type ClickSettings = Parameters<Locator['click']>[0] & PlaywrightOptions

// Stock Firefox treats the clicks of a double click as single clicks, so the missing event is dispatched after them.
async function doubleClick(locator: Locator, settings: ClickSettings): Promise<void> {
  const { timeout, signal } = settings
  const watch = await locator.evaluateHandle(watchDoubleClick, undefined, { timeout, signal })
  await locator.click(settings)
  // The clicks may have started a navigation; then there is nothing to dispatch.
  await watch.evaluate(completeDoubleClick).catch(() => {})
}
