// Hovering and dragging, with real mouse events.

import type { Locator, Page } from 'playwright'
import { dragAndCheckEffect } from './click-check.ts'
import { findVisiblePart } from '../in-page/generated.ts'
import { attempt } from '../playwright/errors.ts'
import { foreignDragFailure, hoverInForeignFrame, isInForeignFrame } from './foreign-frame.ts'
import { dragMouse } from './mouse.ts'
import { act, explainRefusal } from './explain-refusal.ts'
import { fastHover } from './fast-click.ts'
import type { Tab } from '../tab/tab.ts'
import { describeTarget, locateTarget, resolveTarget } from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/engine.ts'
import { inField, type Outcome } from '../../base/failure.ts'
import { err, map, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Target } from '../../base/action.ts'

export async function hover(tab: Tab, target: Target, deadline: Deadline): Promise<Outcome<void>> {
  const targetResult = await resolveTarget(tab.page, target, deadline)
  if (!targetResult.ok) return targetResult
  const fastResult = await attempt(fastHover(tab, targetResult.value), () => undefined)
  if (fastResult.ok && fastResult.value) return ok(undefined)
  const element = await locateTarget(tab.page, target, deadline)
  if (!element.ok) return element
  const { locator } = element.value
  return act(element.value, 'clickable', 'the hover', async (options) => {
    if (!(await hoverInForeignFrame(tab.page, element.value, options))) await locator.hover(options)
  })
}

/** Presses on one element, moves in steps and releases on the other, for pages that track mouse moves. Returns a note if no effect was
 * observed. */
export async function drag(
  page: Page,
  from: Target,
  to: Target,
  deadline: Deadline,
): Promise<Outcome<string>> {
  const source = await locateTarget(page, from, deadline)
  const destination = await locateTarget(page, to, deadline)
  if (!source.ok) return source
  if (!destination.ok) return err(inField(destination.error, 'toSelector'))
  for (const [field, { value }] of [
    ['selector', source],
    ['toSelector', destination],
  ] as const)
    if (await isInForeignFrame(page, value))
      return err(foreignDragFailure(field, describeTarget(value.target)))
  // Both are checked first, because after a later failure the mouse button would still be pressed.
  for (const element of [destination.value, source.value]) {
    const hovered = await act(element, 'clickable', 'the drag', (options) =>
      element.locator.hover({ ...options, trial: true }),
    )
    if (!hovered.ok) return element.target === to ? err(inField(hovered.error, 'toSelector')) : hovered
  }
  const { result: outcome, note } = await dragAndCheckEffect(page, () =>
    attempt(dragTo(page, source.value.locator, destination.value.locator, deadline), (error) =>
      explainRefusal(destination.value, error, 'click', 'the drag'),
    ),
  )
  return map(outcome, () => note)
}

async function dragTo(page: Page, source: Locator, destination: Locator, deadline: Deadline): Promise<void> {
  await source.hover(playwrightOptions(deadline))
  await dragMouse(page, source, deadline, async () => {
    await destination.scrollIntoViewIfNeeded(playwrightOptions(deadline))
    const box = await destination.boundingBox(playwrightOptions(deadline))
    if (!box) throw new Error('the drop target has no size')
    const part = await destination.evaluate(findVisiblePart)
    return { x: box.x + part.x + part.width / 2, y: box.y + part.y + part.height / 2 }
  })
}
