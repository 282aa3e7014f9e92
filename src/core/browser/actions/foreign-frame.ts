// Firefox makes the mouse events of a page in the process of that page, so that they reach no frame of another site: the frame element gets
// them, and no action says so. Here they are made in the process of the frame.

import process from 'node:process'
import type { Frame, Page } from 'playwright'
import { internalsOf } from '../playwright/internals.ts'
import { bidiSessionOf } from '../playwright/context-internals.ts'
import type { PlaywrightOptions } from '../playwright/engine.ts'
import { parseUrl } from '../../base/text/parse-url.ts'
import { evaluateTarget, type ResolvedTarget } from '../playwright/locator.ts'
import { elementAtPoint, findOwnPoint, isFrameAt, readFrameOrigin } from '../in-page/generated.ts'
import type { ClickOptions, Modifier, MouseButton } from '../../base/action.ts'
import { findFramePoint } from '../../snapshot/element-boxes.ts'
import { invalidParameter, type Failure } from '../../base/failure.ts'
import type { Point } from '../../base/geometry.ts'

interface FrameClick {
  readonly button: MouseButton
  readonly clickCount: number
  /** A key that is held in the page is not held in the frame. */
  readonly modifiers?: readonly Modifier[] | undefined
}

/** A mouse in the frame: its coordinates are those of the frame. */
interface FrameMouse {
  move(x: number, y: number): Promise<void>
  down(options: { button: MouseButton }): Promise<void>
  up(options: { button: MouseButton }): Promise<void>
  wheel(deltaX: number, deltaY: number): Promise<void>
  click(x: number, y: number, options: FrameClick): Promise<void>
}

export interface ForeignPlace {
  readonly mouse: FrameMouse
  readonly point: Point
}

const ROOT = { selector: 'html' }
const PAUSE = { type: 'pause' } as const
const KEYS = { Shift: '\uE008', Control: '\uE009', Alt: '\uE00A', Meta: '\uE03D' } as const

const keyOf = (modifier: Modifier): string =>
  KEYS[modifier === 'ControlOrMeta' ? (process.platform === 'darwin' ? 'Meta' : 'Control') : modifier]

const BUTTONS = { left: 0, middle: 1, right: 2 } as const

/** Clicks an element in a frame of another site; false if it is in none, or something is over it. */
export async function clickInForeignFrame(
  page: Page,
  target: ResolvedTarget,
  { button = 'left', clickCount = 1, modifiers = [], position }: ClickOptions,
  options: PlaywrightOptions,
): Promise<boolean> {
  const place = await findForeignPlace(page, target, options, position)
  await place?.mouse.click(place.point.x, place.point.y, { button, clickCount, modifiers })
  return place !== undefined
}

/** Moves the mouse to an element in a frame of another site; false as with a click. */
export async function hoverInForeignFrame(
  page: Page,
  target: ResolvedTarget,
  options: PlaywrightOptions,
): Promise<boolean> {
  const place = await findForeignPlace(page, target, options)
  await place?.mouse.move(place.point.x, place.point.y)
  return place !== undefined
}

/** Whether an element is in such a frame, of which the mouse of the page reaches nothing. */
export async function isInForeignFrame(page: Page, { locator }: ResolvedTarget): Promise<boolean> {
  const foreign = foreignFramesOf(page)
  const element = foreign.length > 0 ? await locator.elementHandle({ timeout: 1000 }).catch(() => null) : null
  const frame = await element?.ownerFrame()
  return frame !== undefined && frame !== null && foreign.includes(frame)
}

/** The failure of a drag there: it would take the mouse of the page through two processes. */
export const foreignDragFailure = (field: string, received: string): Failure =>
  invalidParameter(field, 'nothing in a frame of another site, where Firefox cannot drag', received)

/** The frame of another site that shows at a point of the page; undefined if there is none. */
export async function foreignPlaceAt(page: Page, pagePoint: Point): Promise<ForeignPlace | undefined> {
  const foreign = foreignFramesOf(page)
  if (foreign.length === 0) return undefined
  let [frame, point] = [page.mainFrame(), pagePoint]
  for (;;) {
    const element = (await frame.evaluateHandle(elementAtPoint, point)).asElement()
    const child = await element?.contentFrame()
    if (!element || !child) break
    point = findFramePoint(point, await element.evaluate(readFrameOrigin))
    frame = child
  }
  const mouse = foreign.includes(frame) ? mouseOf(page, frame) : undefined
  return mouse && { mouse, point }
}

// --- internal ---

function foreignFramesOf(page: Page): readonly Frame[] {
  if (!bidiSessionOf(page)?.send) return []
  return page.frames().filter((frame) => hostOf(frame) !== hostOf(page.mainFrame()))
}

async function findForeignPlace(
  page: Page,
  target: ResolvedTarget,
  options: PlaywrightOptions,
  position?: Point,
): Promise<ForeignPlace | undefined> {
  const foreign = foreignFramesOf(page)
  if (foreign.length === 0) return undefined
  const element = await target.locator.elementHandle(options)
  const frame = await element?.ownerFrame()
  const mouse = frame && foreign.includes(frame) ? mouseOf(page, frame) : undefined
  if (!element || !mouse) return undefined
  // Waits until it is visible and still. A trial of Playwright's would click the frame element.
  await element.scrollIntoViewIfNeeded(options)
  await element.waitForElementState('enabled', options)
  const point = await evaluateTarget(target, findOwnPoint, position ?? null)
  const box = await element.boundingBox()
  if (!point || !box) return undefined
  const { x, y } = position ?? { x: box.width / 2, y: box.height / 2 }
  const root = { locator: page.locator(ROOT.selector), target: ROOT }
  return (await evaluateTarget(root, isFrameAt, { x: box.x + x, y: box.y + y }))
    ? { mouse, point }
    : undefined
}

function mouseOf(page: Page, frame: Frame): FrameMouse | undefined {
  const session = bidiSessionOf(page)
  const context = internalsOf<{ _id?: string }>(frame)?._id
  if (!session?.send || context === undefined) return undefined
  let [x, y] = [0, 0]
  const perform = async (...actions: readonly object[]): Promise<void> =>
    void (await session.send?.('input.performActions', { context, actions }))
  const pointer = (actions: readonly object[]) =>
    ({ type: 'pointer', id: 'pw_mouse', parameters: { pointerType: 'mouse' }, actions }) as const
  const moveTo = (toX: number, toY: number) => {
    ;[x, y] = [toX, toY]
    return { type: 'pointerMove', x, y }
  }
  const down = (button: MouseButton) => ({ type: 'pointerDown', button: BUTTONS[button] })
  const up = (button: MouseButton) => ({ type: 'pointerUp', button: BUTTONS[button] })
  return {
    move: (toX, toY) => perform(pointer([moveTo(toX, toY)])),
    down: ({ button }) => perform(pointer([down(button)])),
    up: ({ button }) => perform(pointer([up(button)])),
    wheel: (deltaX, deltaY) =>
      perform({
        type: 'wheel',
        id: 'pw_mouse_wheel',
        actions: [{ type: 'scroll', x: Math.floor(x), y: Math.floor(y), deltaX, deltaY }],
      }),
    click(toX, toY, { button, clickCount, modifiers = [] }) {
      const presses = Array.from({ length: clickCount }, () => [down(button), up(button)]).flat()
      // The first step of each is at the same time, and so on.
      const clicks = [moveTo(toX, toY), ...presses]
      const keys = modifiers.map((modifier) => ({
        type: 'key',
        id: `held ${modifier}`,
        actions: [
          { type: 'keyDown', value: keyOf(modifier) },
          ...clicks.map(() => PAUSE),
          { type: 'keyUp', value: keyOf(modifier) },
        ],
      }))
      return perform(...keys, pointer([PAUSE, ...clicks]))
    },
  }
}

/** Of a frame without an address: that of the frame around it. */
function hostOf(frame: Frame): string {
  const parent = frame.parentFrame()
  const url = frame.url()
  return parent && !/^https?:/.test(url) ? hostOf(parent) : (parseUrl(url)?.hostname ?? '')
}
