// Firefox makes the mouse events of a page in the process of that page, so that they reach no frame of another site: the frame element gets
// them, and a click says nothing of it. Here such a click is made in the process of the frame.

import type { Frame, Page } from 'playwright'
import { internalsOf } from '../playwright/internals.ts'
import { bidiSessionOf } from '../playwright/context-internals.ts'
import type { PlaywrightOptions } from '../playwright/engine.ts'
import { parseUrl } from '../../base/text/parse-url.ts'
import { evaluateTarget, type ResolvedTarget } from '../playwright/locator.ts'
import { findOwnMiddle, isFrameAt } from '../in-page/generated.ts'

interface MouseClick {
  readonly button?: 'left' | 'middle' | 'right'
  readonly clickCount?: number
}

const ROOT = { selector: 'html' }
const BUTTONS = { left: 0, middle: 1, right: 2 } as const

/** Clicks the middle of an element in a frame of another site; false if it is in none, or something is over it. */
export async function clickInForeignFrame(
  page: Page,
  target: ResolvedTarget,
  { button = 'left', clickCount = 1 }: MouseClick,
  options: PlaywrightOptions,
): Promise<boolean> {
  const { locator } = target
  const session = bidiSessionOf(page)
  const foreign = page.frames().filter((frame) => hostOf(frame) !== hostOf(page.mainFrame()))
  if (!session?.send || foreign.length === 0) return false
  const element = await locator.elementHandle(options)
  const frame = await element?.ownerFrame()
  const context = frame && foreign.includes(frame) ? internalsOf<{ _id?: string }>(frame)?._id : undefined
  if (!element || context === undefined) return false
  // Waits until it is visible and still. A trial of Playwright's would click the frame element.
  await element.scrollIntoViewIfNeeded(options)
  await element.waitForElementState('enabled', options)
  const point = await evaluateTarget(target, findOwnMiddle, undefined)
  const box = await element.boundingBox()
  if (!point || !box) return false
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  if (!(await evaluateTarget({ locator: page.locator(ROOT.selector), target: ROOT }, isFrameAt, middle)))
    return false
  const press = [
    { type: 'pointerDown', button: BUTTONS[button] },
    { type: 'pointerUp', button: BUTTONS[button] },
  ]
  const actions = [
    { type: 'pointerMove', ...point },
    ...Array.from({ length: clickCount }, () => press).flat(),
  ]
  const pointer = { type: 'pointer', id: 'pw_mouse', parameters: { pointerType: 'mouse' }, actions }
  await session.send('input.performActions', { context, actions: [pointer] })
  return true
}

// --- internal ---

/** Of a frame without an address: that of the frame around it. */
function hostOf(frame: Frame): string {
  const parent = frame.parentFrame()
  const url = frame.url()
  return parent && !/^https?:/.test(url) ? hostOf(parent) : (parseUrl(url)?.hostname ?? '')
}
