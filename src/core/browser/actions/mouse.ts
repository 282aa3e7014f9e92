// Moves, presses and turns the mouse at coordinates of the viewport, for pages without elements, such as a canvas or a map.

import type { Page, Locator } from 'playwright'
import { foreignDragFailure, foreignPlaceAt, type ForeignPlace } from './foreign-frame.ts'
import { dragAndCheckEffect, checkClick } from './click-check.ts'
import {
  completeDoubleClick,
  elementAtPoint,
  readViewportPoint,
  waitTwoFrames,
  watchDoubleClick,
  watchTimers,
} from '../in-page/generated.ts'
import type { ViewportPoint } from '../in-page/actions/points.ts'
import { engineOfPage, playwrightOptions } from '../playwright/engine.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import { evaluateTarget } from '../playwright/locator.ts'
import { invalidParameter, type Failure, type Outcome } from '../../base/failure.ts'
import { err, map } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { MouseAction, MouseButton, MouseResult } from '../../base/action.ts'

/** Moves, presses or turns the mouse at a point of the viewport; a point outside of it is INVALID_PARAMETERS. */
export async function runMouseAction(
  page: Page,
  action: MouseAction,
  deadline: Deadline,
): Promise<Outcome<MouseResult>> {
  const viewport = await attempt(evaluateTarget(rootOf(page), readViewportPoint, action.point), browserError)
  if (!viewport.ok) return viewport
  const outside = findOutside(action, viewport.value)
  if (outside) return err(outside)
  const { element } = viewport.value
  const foreign = await attempt(foreignPlaceAt(page, action.point), browserError)
  if (!foreign.ok) return foreign
  if (foreign.value && action.kind === 'drag') return err(foreignDragFailure('action', 'drag'))
  const performing = () => attempt(perform(page, action, element, deadline, foreign.value), browserError)
  const note = await (action.kind === 'click'
    ? checkClick(page, action.clickCount, performing)
    : performing())
  return map(note, (text) => ({ element, note: text }))
}

const ROOT = { selector: ':root' }
const rootOf = (page: Page) => ({ locator: page.locator(ROOT.selector), target: ROOT })

function findOutside(action: MouseAction, { width, height }: ViewportPoint): Failure | undefined {
  const { point } = action
  const coordinates: [field: string, value: number, size: number][] = [
    ['x', point.x, width],
    ['y', point.y, height],
    ...(action.kind === 'drag'
      ? ([
          ['toX', action.to.x, width],
          ['toY', action.to.y, height],
        ] as [string, number, number][])
      : []),
  ]
  const outside = coordinates.find(([, value, size]) => !(value >= 0 && value < size))
  if (!outside) return undefined
  const [field, value, size] = outside
  const hint = `The viewport is ${width} × ${height} CSS pixels: scroll the page, or enlarge the viewport with emulate.`
  return invalidParameter(field, `a coordinate from 0 to ${size - 1}`, String(value), hint)
}

async function perform(
  page: Page,
  action: MouseAction,
  element: string,
  deadline: Deadline,
  foreign: ForeignPlace | undefined,
): Promise<string> {
  const { keyboard } = page
  const { modifiers = [] } = action
  const { mouse, point } = foreign ?? { mouse: page.mouse, point: action.point }
  try {
    for (const modifier of modifiers) await keyboard.down(modifier)
    if (action.kind === 'drag') return await drag(page, action, element, deadline)
    if (action.kind === 'click' && foreign) await mouse.click(point.x, point.y, action)
    else if (action.kind === 'click') await click(page, action)
    else await mouse.move(point.x, point.y)
    if (action.kind === 'down') await mouse.down({ button: action.button })
    if (action.kind === 'up') await mouse.up({ button: action.button })
    if (action.kind === 'wheel') {
      await mouse.wheel(action.deltaX, action.deltaY)
      // The page scrolls in its next frames.
      await page.mainFrame().evaluate(waitTwoFrames)
    }
    return ''
  } finally {
    for (const modifier of modifiers) await keyboard.up(modifier).catch(() => {})
  }
}

async function click(page: Page, { button, clickCount, point }: Extract<MouseAction, { kind: 'click' }>) {
  const completeClick = clickCount > 1 ? await watchMissingDoubleClick(page, point) : undefined
  await page.mouse.click(point.x, point.y, { button, clickCount })
  await completeClick?.()
}

/** Watches a double click at a point, unless it is in a frame. Stock Firefox treats its clicks as single clicks: the function that it returns
 * dispatches the event. */
export async function watchMissingDoubleClick(
  page: Page,
  point: MouseAction['point'],
): Promise<(() => Promise<void>) | undefined> {
  if (engineOfPage(page) !== 'firefox') return undefined
  const target = (await page.evaluateHandle(elementAtPoint, point)).asElement()
  const watch = await target?.evaluateHandle(watchDoubleClick)
  // The clicks may have started a navigation; then there is nothing to dispatch.
  return () => watch?.evaluate(completeDoubleClick).catch(() => {}) ?? Promise.resolve()
}

async function drag(
  page: Page,
  { point, to, button }: Extract<MouseAction, { kind: 'drag' }>,
  element: string,
  deadline: Deadline,
): Promise<string> {
  const { note } = await dragAndCheckEffect(page, async () => {
    await page.mouse.move(point.x, point.y)
    await dragMouse(page, rootOf(page).locator, deadline, async () => to, button)
  })
  // What a script draws, or a frame shows, is not a change of the elements of this document.
  return /^(canvas|i?frame|embed|object)\b/.test(element) ? '' : note
}

const MOVE_STEP_COUNT = 8
const FINAL_MOVE_COUNT = 3

/** Presses the mouse button over the element to drag, where the mouse is, moves it to the destination in steps, and releases it. Libraries
 * that start a drag after a long press set a timer on mousedown, and cancel when the mouse moves before it fires: so the timers that the
 * press has started are waited for. */
export async function dragMouse(
  page: Page,
  source: Locator,
  deadline: Deadline,
  findDestination: () => Promise<MouseAction['point']>,
  button: MouseButton = 'left',
): Promise<void> {
  const { mouse } = page
  const waitForTimers = await source.evaluateHandle(watchTimers, undefined, playwrightOptions(deadline))
  try {
    await mouse.down({ button })
    await waitForTimers.evaluate((wait) => wait()).catch(() => {})
    await waitForTimers.dispose().catch(() => {})
    const { x, y } = await findDestination()
    await mouse.move(x, y, { steps: MOVE_STEP_COUNT })
    // Pages determine in their own frame what the mouse is over, and sortable lists ignore it for a while after each move of an item.
    for (let move = 0; move < FINAL_MOVE_COUNT; move += 1) {
      await page.mainFrame().evaluate(waitTwoFrames)
      await mouse.move(x, y)
    }
  } finally {
    await mouse.up({ button })
  }
}
