// Touches the screen with one finger or two, by trusted events: the browser makes its own scrolling, zooming and clicks of them.

import type { Locator, Page } from 'playwright'
import type { Target } from '../../core/base/action.ts'
import { type Failure, invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { Point } from '../../core/base/geometry.ts'
import { err, ok } from '../../core/base/result.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { act } from '../../core/browser/actions/explain-refusal.ts'
import type { ViewportPoint } from '../../core/browser/in-page/actions/points.ts'
import { findVisiblePart, readViewportPoint, waitTwoFrames } from '../../core/browser/in-page/generated.ts'
import type { PageParts } from '../../core/browser/page/page-parts.ts'
import type { Performers } from '../../core/browser/page/performers.ts'
import type { CdpSession } from '../../core/browser/playwright/cdp-session.ts'
import { engineOfPage, playwrightOptions } from '../../core/browser/playwright/engine.ts'
import { attempt, browserError } from '../../core/browser/playwright/errors.ts'
import { evaluateTarget, locateTarget } from '../../core/browser/playwright/locator.ts'
import { awaitNavigation } from '../../core/browser/tab/page-activity.ts'
import type { Tab } from '../../core/browser/tab/tab.ts'

declare module '../../core/base/action.ts' {
  interface ActionTypes<E> {
    /** Touches an element or a point of the viewport; returns the tag and id of what is there. */
    touch: ActionType<
      { readonly tool: 'touch'; readonly place: Target | Point; readonly gesture: Touch },
      string
    >
  }
}

declare module '../../core/browser/page/performers.ts' {
  interface FeaturePerformers extends ReturnType<typeof createPerformers> {}
}

/** What fingers do; in CSS pixels. A pinch by more than 1 moves two of them apart. */
export type Touch =
  | { readonly kind: 'tap'; readonly count: number; readonly holdMs: number }
  | { readonly kind: 'swipe'; readonly deltaX: number; readonly deltaY: number; readonly holdMs: number }
  | { readonly kind: 'pinch'; readonly scale: number }

export const createPerformers = ({ runInFront }: Pick<PageParts, 'runInFront'>) =>
  ({
    touch: ({ place, gesture }, deadline) =>
      runInFront(
        'x' in place ? [] : [place],
        (tab) => awaitNavigation(tab, () => touch(tab, place, gesture, deadline)),
        () => '',
      ),
  }) satisfies Performers<'touch'>

// --- internal ---

/** Touches an element in the middle of what is shown of it, or a point of the viewport. Returns the tag and id of what is there. Fails with
 * INVALID_PARAMETERS on a device without a touch screen, and where a finger would leave the viewport. */
async function touch(
  tab: Tab,
  place: Target | Point,
  gesture: Touch,
  deadline: Deadline,
): Promise<Outcome<string>> {
  const { page } = tab
  const cdp = await tab.recovery.cdp
  const hasTouch = await attempt(page.evaluate(hasTouchScreen), browserError)
  if (!hasTouch.ok) return hasTouch
  if (!hasTouch.value || !cdp) return err(noTouchScreen(page))
  const spot =
    'x' in place ? ok({ point: place, halfWidth: Infinity }) : await findSpot(page, place, deadline)
  if (!spot.ok) return spot
  const { point } = spot.value
  const viewport = await attempt(
    evaluateTarget({ locator: page.locator(ROOT.selector), target: ROOT }, readViewportPoint, point),
    browserError,
  )
  if (!viewport.ok) return viewport
  const paths = pathsOf(gesture, spot.value, viewport.value)
  const outside = paths.flat().find((one) => !isInside(one, viewport.value))
  if (outside) return err(leavesViewport(gesture, outside, viewport.value))
  const outcome = await attempt(perform(page, cdp, gesture, paths), browserError)
  return outcome.ok ? ok(viewport.value.element) : outcome
}

const ROOT = { selector: ':root' }

const hasTouchScreen = (): boolean => navigator.maxTouchPoints > 0

function noTouchScreen(page: Page): Failure {
  const engine = engineOfPage(page)
  const hint =
    engine === 'chromium'
      ? 'create_session with device "iPhone 15" gives it one.'
      : 'Touch events need a session with browser chromium and a device.'
  return invalidParameter('action', 'a device with a touch screen', 'one without', hint)
}

/** The middle of what is shown of an element, and how many pixels there are to its left and right. */
interface Spot {
  readonly point: Point
  readonly halfWidth: number
}

async function findSpot(page: Page, target: Target, deadline: Deadline): Promise<Outcome<Spot>> {
  const element = await locateTarget(page, target, deadline)
  if (!element.ok) return element
  const { locator } = element.value
  // It scrolls, and waits until nothing covers the element.
  const tapped = await act(element.value, 'clickable', 'the touch', (options) =>
    locator.hover({ ...options, trial: true }),
  )
  if (!tapped.ok) return tapped
  return attempt(middleOf(locator, deadline), browserError)
}

async function middleOf(locator: Locator, deadline: Deadline): Promise<Spot> {
  const box = await locator.boundingBox(playwrightOptions(deadline))
  if (!box) throw new Error('the element has no size')
  const part = await locator.evaluate(findVisiblePart)
  const point = { x: box.x + part.x + part.width / 2, y: box.y + part.y + part.height / 2 }
  return { point, halfWidth: part.width / 2 - 1 }
}

/** Of a finger that leaves the screen the browser loses track. */
const isInside = ({ x, y }: Point, { width, height }: ViewportPoint): boolean =>
  x >= 0 && y >= 0 && x < width && y < height

function leavesViewport(gesture: Touch, { x, y }: Point, { width, height }: ViewportPoint): Failure {
  const isWide = x < 0 || x >= width
  const [axis, end, size] = isWide ? (['X', x, width] as const) : (['Y', y, height] as const)
  const field = gesture.kind === 'swipe' ? `delta${axis}` : axis.toLowerCase()
  const hint = `The viewport is ${width} × ${height} CSS pixels.`
  return invalidParameter(field, `a finger from 0 to ${size - 1}`, `one at ${Math.round(end)}`, hint)
}

const STEP_MS = 12
const STEP_PIXELS = 16
const STEP_MINIMUM = 6
const STEP_MAXIMUM = 40
const PINCH_RADIUS_PIXELS = 140

/** Where each finger is, step by step. */
function pathsOf(
  gesture: Touch,
  { point, halfWidth }: Spot,
  { width }: ViewportPoint,
): readonly (readonly Point[])[] {
  if (gesture.kind === 'tap') return [[point]]
  if (gesture.kind === 'swipe') {
    const { deltaX, deltaY } = gesture
    return [lineOf(point, { x: point.x + deltaX, y: point.y + deltaY })]
  }
  const { scale } = gesture
  const reach = Math.max(1, Math.min(halfWidth, point.x, width - 1 - point.x, PINCH_RADIUS_PIXELS))
  const [from, to] = scale >= 1 ? [reach / scale, reach] : [reach, reach * scale]
  const finger = (side: 1 | -1) =>
    lineOf({ x: point.x + side * from, y: point.y }, { x: point.x + side * to, y: point.y })
  return [finger(-1), finger(1)]
}

function lineOf(from: Point, to: Point): readonly Point[] {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const count = Math.min(STEP_MAXIMUM, Math.max(STEP_MINIMUM, Math.ceil(length / STEP_PIXELS)))
  return Array.from({ length: count + 1 }, (_, step) => ({
    x: from.x + ((to.x - from.x) * step) / count,
    y: from.y + ((to.y - from.y) * step) / count,
  }))
}

async function perform(
  page: Page,
  cdp: CdpSession,
  gesture: Touch,
  paths: readonly (readonly Point[])[],
): Promise<void> {
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', step?: number) =>
    cdp.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        step === undefined
          ? []
          : paths.map((path, id) => ({ ...(path[step] ?? { x: 0, y: 0 }), id, force: 1 })),
    })
  const count = gesture.kind === 'tap' ? gesture.count : 1
  const holdMs = gesture.kind === 'pinch' ? 0 : gesture.holdMs
  const steps = paths[0]?.length ?? 0
  try {
    for (let tap = 0; tap < count; tap += 1) {
      await send('touchStart', 0)
      if (holdMs > 0) await page.waitForTimeout(holdMs)
      // A finger does not wait for the page: it has the speed of one on a page that is slow as well.
      const moves: Promise<unknown>[] = []
      for (let step = 1; step < steps; step += 1) {
        moves.push(send('touchMove', step))
        await page.waitForTimeout(STEP_MS)
      }
      await Promise.all([...moves, send('touchEnd')])
    }
  } catch (error) {
    await send('touchCancel').catch(() => {})
    throw error
  }
  // The page scrolls in its next frames.
  await page
    .mainFrame()
    .evaluate(waitTwoFrames)
    .catch(() => {})
}
