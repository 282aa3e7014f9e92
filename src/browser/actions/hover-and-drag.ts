// Hovering and dragging, with real mouse events.

import type { Locator, Page } from 'playwright'
import { dragAndCheckEffect } from './drag-effect.ts'
import { waitTwoFrames } from '../in-page/actions/wait-frames.ts'
import { attempt } from '../playwright/errors.ts'
import { pressAndHold } from './press-and-hold.ts'
import { explainRefusal } from './explain-refusal.ts'
import { fastHover } from './fast-click.ts'
import type { Tab } from '../tab/tab.ts'
import { locatorOf, remainingTime, locate } from '../playwright/locator.ts'
import type { Outcome } from '../../core/failure.ts'
import { map, ok } from '../../core/result.ts'
import type { Call, Target } from '../../runtime/ports/page.ts'

export async function hover(tab: Tab, target: Target, call: Call): Promise<Outcome<void>> {
  const resolved = locatorOf(tab.page, target)
  if (!resolved.ok) return resolved
  const element = { locator: resolved.value, target, call }
  const fast = await attempt(fastHover(tab, element), () => undefined)
  if (fast.ok && fast.value) return ok(undefined)
  const located = await locate(tab.page, target)
  if (!located.ok) return located
  return attempt(located.value.hover({ ...call }), (error) =>
    explainRefusal(element, error, 'click', 'the hover'),
  )
}

/** Presses on one element, moves in steps and releases on the other, so that pages which follow the mouse see it move. Returns a note where no effect was seen. */
export async function drag(page: Page, from: Target, to: Target, call: Call): Promise<Outcome<string>> {
  const since = performance.now()
  const [source, destination] = [await locate(page, from), await locate(page, to)]
  if (!source.ok) return source
  if (!destination.ok) return destination
  // Both are checked first: a mouse button that is down when something fails would stay down.
  for (const [locator, target] of [
    [destination.value, to],
    [source.value, from],
  ] as const) {
    const hovered = await attempt(
      locator.hover({ ...call, timeout: remainingTime(call, since), trial: true }),
      (error) => explainRefusal({ locator, target, call }, error, 'click', 'the drag'),
    )
    if (!hovered.ok) return hovered
  }
  const remainingCall = () => ({ ...call, timeout: remainingTime(call, since) })
  const { result: outcome, note } = await dragAndCheckEffect(page, () =>
    attempt(dragTo(page, source.value, destination.value, remainingCall), (error) =>
      explainRefusal({ locator: destination.value, target: to, call }, error, 'click', 'the drag'),
    ),
  )
  if (!outcome.ok) await page.mouse.up().catch(() => {})
  return map(outcome, () => note)
}

const MOVE_STEPS = 8
const SETTLE_MOVES = 3

async function dragTo(
  page: Page,
  source: Locator,
  destination: Locator,
  remainingCall: () => Call,
): Promise<void> {
  await source.hover(remainingCall())
  await pressAndHold(page, source, remainingCall())
  await destination.scrollIntoViewIfNeeded(remainingCall())
  const box = await destination.boundingBox(remainingCall())
  if (!box) throw new Error('what it was to be dragged onto has no size')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y, { steps: MOVE_STEPS })
  // Pages find out in a frame of their own what the mouse is over, and sorted lists ignore it for a while after each move of an item.
  for (let move = 0; move < SETTLE_MOVES; move += 1) {
    await page.mainFrame().evaluate(waitTwoFrames)
    await page.mouse.move(x, y)
  }
  await page.mouse.up()
}
