// Where elements of frames are. Playwright does not know the zoom of a page around a frame: its point is beside the element then, and what
// it hits there is not checked where a frame is turned or scaled. So for such frames its geometry is replaced, where its server runs in
// this process.

import type { Page } from 'playwright'
import { readBorderQuad, readOriginOfFrame, readShownQuads } from '../in-page/generated.ts'
import { findFramePoint, placePoint, type FrameOrigin } from '../../snapshot/element-boxes.ts'
import { internalsOf } from './internals.ts'
import type { Box, Point } from '../../base/geometry.ts'

/** Replaces the geometry of the elements in frames of a page that are zoomed, scaled or turned. */
export function correctFrameGeometry(page: Page): void {
  const delegate = internalsOf<{ readonly delegate?: Delegate }>(page)?.delegate
  if (!delegate?.getContentQuads || !delegate.getBoundingBox || !delegate.getFrameElement) return
  const { getContentQuads, getBoundingBox } = delegate
  const replace = async <T>(
    handle: ServerElement,
    read: (origins: readonly FrameOrigin[]) => Promise<T>,
    original: () => Promise<T>,
  ): Promise<T> => {
    const origins = await readOrigins(handle, delegate).catch(() => undefined)
    if (!origins) return original()
    correctHitCheck(handle)
    return read(origins)
  }
  delegate.getContentQuads = (handle) =>
    replace(
      handle,
      async (origins) =>
        (await handle.evaluateInUtility(readShownQuads, {})).map((quad) => placeQuad(quad, origins)),
      () => getContentQuads.call(delegate, handle),
    )
  delegate.getBoundingBox = (handle) =>
    replace(
      handle,
      async (origins) => boxOf(placeQuad(await handle.evaluateInUtility(readBorderQuad, {}), origins)),
      () => getBoundingBox.call(delegate, handle),
    )
}

// --- internal ---

type Quad = readonly Point[]

interface ServerFrame {
  parentFrame(): ServerFrame | null
}

interface Progress {
  race<T>(work: Promise<T>): Promise<T>
}

interface Injected {
  expectHitTarget(point: Point, target: Element): HitTargetResult
}

type HitTargetResult = 'done' | { readonly hitTargetDescription: string }

interface ServerElement {
  readonly _frame: ServerFrame
  readonly _page: { readonly delegate: Delegate }
  evaluateInUtility<A, T>(work: (args: [Injected, Element, A]) => T, arg: A): Promise<T>
  dispose(): void
}

interface HitChecker {
  _checkFrameIsHitTarget(
    this: ServerElement,
    progress: Progress,
    point: Point,
  ): Promise<'error:notconnected' | { readonly framePoint?: Point | undefined } | HitTargetResult>
}

interface Delegate {
  getContentQuads(handle: ServerElement): Promise<readonly Quad[] | null>
  getBoundingBox(handle: ServerElement): Promise<Box | null>
  getFrameElement(frame: ServerFrame): Promise<ServerElement>
}

/** The places of the frames around an element, the innermost first; undefined if it is in none that is zoomed, scaled or turned. */
async function readOrigins(
  { _frame: innermost }: ServerElement,
  delegate: Delegate,
): Promise<readonly FrameOrigin[] | undefined> {
  const origins: FrameOrigin[] = []
  for (
    let frame = innermost, parent = frame.parentFrame();
    parent;
    frame = parent, parent = frame.parentFrame()
  ) {
    const element = await delegate.getFrameElement(frame)
    origins.push(await element.evaluateInUtility(readOriginOfFrame, {}))
    element.dispose()
  }
  const isChanged = ({ a, b, c, d }: FrameOrigin) => a !== 1 || b !== 0 || c !== 0 || d !== 1
  return origins.some(isChanged) ? origins : undefined
}

const placeQuad = (quad: Quad, origins: readonly FrameOrigin[]): Quad =>
  quad.map((point) => origins.reduce(placePoint, point))

function boxOf(quad: Quad): Box {
  const [xs, ys] = [quad.map(({ x }) => x), quad.map(({ y }) => y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

const correctedCheckers = new WeakSet<HitChecker>()

/** Lets Playwright check in each frame around the element that the point is on it. */
function correctHitCheck(handle: ServerElement): void {
  const checker = Object.getPrototypeOf(handle) as HitChecker
  const original = checker._checkFrameIsHitTarget
  if (correctedCheckers.has(checker) || typeof original !== 'function') return
  correctedCheckers.add(checker)
  checker._checkFrameIsHitTarget = async function (progress, point) {
    const { delegate } = this._page
    const origins = await progress.race(readOrigins(this, delegate)).catch(() => undefined)
    if (!origins) return original.call(this, progress, point)
    const frames: ServerFrame[] = []
    for (let frame = this._frame, parent = frame.parentFrame(); parent; parent = frame.parentFrame()) {
      frames.unshift(frame)
      frame = parent
    }
    let framePoint = point
    for (const [index, frame] of frames.entries()) {
      const element = await progress.race(delegate.getFrameElement(frame))
      const result = await progress.race(element.evaluateInUtility(checkHit, framePoint))
      element.dispose()
      if (result !== 'done') return result
      const origin = origins.at(-1 - index)
      if (origin) framePoint = findFramePoint(framePoint, origin)
    }
    return { framePoint }
  }
}

const checkHit = ([injected, element, point]: [Injected, Element, Point]) =>
  injected.expectHitTarget(point, element)
