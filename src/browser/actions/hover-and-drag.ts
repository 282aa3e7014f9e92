// Hovering and dragging, with real mouse events.

import type { Locator, Page } from 'playwright'
import { dragAndCheckEffect } from './drag-effect.ts'
import { attempt } from '../playwright/errors.ts'
import { pressAndHold } from './press-and-hold.ts'
import { explainRefusal } from './explain-refusal.ts'
import { fastHover } from './fast-click.ts'
import type { Tab } from '../tab/tabs.ts'
import { locatorOf, remainingTime, locate } from '../playwright/locator.ts'
import type { Outcome } from '../../core/failure.ts'
import { map, ok } from '../../core/result.ts'
import type { Call, Target } from '../../runtime/ports/page.ts'

export async function hover(tab: Tab, target: Target, call: Call): Promise<Outcome<void>> {
  const aimed = locatorOf(tab.page, target)
  if (!aimed.ok) return aimed
  const swift = await attempt(fastHover(tab, aimed.value, target), () => undefined)
  if (swift.ok && swift.value) return ok(undefined)
  const located = await locate(tab.page, target)
  if (!located.ok) return located
  return attempt(located.value.hover({ ...call }), (error) =>
    explainRefusal(located.value, target, call, error, 'click', 'the hover'),
  )
}

/** Answers a note where no effect was seen. Presses on one element, moves in steps and lets go on the other, so that pages which follow the mouse see it move. */
export async function drag(page: Page, from: Target, to: Target, call: Call): Promise<Outcome<string>> {
  const since = performance.now()
  const [source, goal] = [await locate(page, from), await locate(page, to)]
  if (!source.ok) return source
  if (!goal.ok) return goal
  // Both are asked first: a mouse button that is down when something fails would stay down.
  for (const [locator, target] of [
    [goal.value, to],
    [source.value, from],
  ] as const) {
    const usable = await attempt(
      locator.hover({ ...call, timeout: remainingTime(call, since), trial: true }),
      (error) => explainRefusal(locator, target, call, error, 'click', 'the drag'),
    )
    if (!usable.ok) return usable
  }
  const rest = () => ({ ...call, timeout: remainingTime(call, since) })
  const { done: dragged, note } = await dragAndCheckEffect(page, () =>
    attempt(carry(page, source.value, goal.value, rest), (error) =>
      explainRefusal(goal.value, to, call, error, 'click', 'the drag'),
    ),
  )
  if (!dragged.ok) await page.mouse.up().catch(() => {})
  return map(dragged, () => note)
}

const STEPS = 8

async function carry(page: Page, source: Locator, goal: Locator, rest: () => Call): Promise<void> {
  await source.hover(rest())
  await pressAndHold(page, source, rest())
  await goal.scrollIntoViewIfNeeded(rest())
  const box = await goal.boundingBox(rest())
  if (!box) throw new Error('the drop target has no size')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y, { steps: STEPS })
  // Pages find out in a frame of their own what the mouse is over.
  await page.mainFrame().evaluate(twoFrames)
  await page.mouse.move(x, y)
  await page.mouse.up()
}

// Runs inside the page.
const twoFrames = (): Promise<unknown> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
