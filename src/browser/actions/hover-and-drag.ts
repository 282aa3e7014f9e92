// Hovering and dragging, with real mouse events.

import type { Locator, Page } from 'playwright'
import { dragAndCheckEffect } from './click-check.ts'
import { findVisiblePart } from '../in-page/actions/points.ts'
import { waitTwoFrames } from '../in-page/observe/quiet-time.ts'
import { attempt } from '../playwright/errors.ts'
import { pressAndHold } from './mouse.ts'
import { waitForTarget } from './wait-for-target.ts'
import { explainRefusal } from './explain-refusal.ts'
import { fastHover } from './fast-click.ts'
import type { Tab } from '../tab/tab.ts'
import { locatorOf, locate } from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/engine.ts'
import { inField, type Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Target } from '../../core/recording/action.ts'

export async function hover(tab: Tab, target: Target, deadline: Deadline): Promise<Outcome<void>> {
  const locatorResult = await locatorOf(tab.page, target)
  if (!locatorResult.ok) return locatorResult
  const element = { locator: locatorResult.value, target, deadline }
  const fastResult = await attempt(fastHover(tab, element), () => undefined)
  if (fastResult.ok && fastResult.value) return ok(undefined)
  const targetResult = await locate(tab.page, target)
  if (!targetResult.ok) return targetResult
  const hovering = waitForTarget(element, 'clickable', (limit) =>
    targetResult.value.hover(playwrightOptions(limit)),
  )
  return attempt(hovering, (error) => explainRefusal(element, error, 'click', 'the hover'))
}

/** Presses on one element, moves in steps and releases on the other, for pages that track mouse moves. Returns a note if no effect was
 * observed. */
export async function drag(
  page: Page,
  from: Target,
  to: Target,
  deadline: Deadline,
): Promise<Outcome<string>> {
  const [source, destination] = [await locate(page, from), await locate(page, to)]
  if (!source.ok) return source
  if (!destination.ok) return err(inField(destination.error, 'toSelector'))
  // Both are checked first, because after a later failure the mouse button would still be pressed.
  for (const [locator, target] of [
    [destination.value, to],
    [source.value, from],
  ] as const) {
    const element = { locator, target, deadline }
    const hovering = waitForTarget(element, 'clickable', (limit) =>
      locator.hover({ ...playwrightOptions(limit), trial: true }),
    )
    const hoverResult = await attempt(hovering, (error) =>
      explainRefusal(element, error, 'click', 'the drag'),
    )
    if (!hoverResult.ok) return target === to ? err(inField(hoverResult.error, 'toSelector')) : hoverResult
  }
  const { result: outcome, note } = await dragAndCheckEffect(page, () =>
    attempt(dragTo(page, source.value, destination.value, deadline), (error) =>
      explainRefusal({ locator: destination.value, target: to, deadline }, error, 'click', 'the drag'),
    ),
  )
  if (!outcome.ok) await page.mouse.up().catch(() => {})
  return map(outcome, () => note)
}

const MOVE_STEP_COUNT = 8
const FINAL_MOVE_COUNT = 3

async function dragTo(page: Page, source: Locator, destination: Locator, deadline: Deadline): Promise<void> {
  await source.hover(playwrightOptions(deadline))
  await pressAndHold(page, source, deadline)
  await destination.scrollIntoViewIfNeeded(playwrightOptions(deadline))
  const box = await destination.boundingBox(playwrightOptions(deadline))
  if (!box) throw new Error('the drop target has no size')
  const part = await destination.evaluate(findVisiblePart)
  const [x, y] = [box.x + part.x + part.width / 2, box.y + part.y + part.height / 2]
  await page.mouse.move(x, y, { steps: MOVE_STEP_COUNT })
  // Pages determine in their own frame what the mouse is over, and sortable lists ignore it for a while after each move of an item.
  for (let move = 0; move < FINAL_MOVE_COUNT; move += 1) {
    await page.mainFrame().evaluate(waitTwoFrames)
    await page.mouse.move(x, y)
  }
  await page.mouse.up()
}
