// The element that a person points at, as an agent names it. Its ref is that of the snapshots: where one is missing, a snapshot is taken that
// nobody sees.

import type { Locator, Page } from 'playwright'
import type { ElementName } from '../../core/base/action.ts'
import type { Box, Point } from '../../core/base/geometry.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { attempt } from '../../core/browser/playwright/errors.ts'
import { evaluateInternally } from '../../core/browser/playwright/internals.ts'
import { sessionRefOf } from '../../core/browser/playwright/session-refs.ts'
import { takeUnseenTree } from '../../core/browser/snapshot/aria-snapshot.ts'
import type { ElementOrigin } from '../../core/sessions/types/sources.ts'
import { nameElements } from '../../core/snapshot/changed-elements.ts'
import { findFramePoint, type FrameOrigin, placeBox } from '../../core/snapshot/element-boxes.ts'
import { readOriginAtPoint } from '../sources/element-origin.ts'
import { findPointedRefs } from './in-page/generated.ts'
import type { PointedRef, PointedRefs } from './in-page/pointed-element.ts'

export interface ElementAtPoint extends ElementName {
  readonly box: Box
  readonly origin?: ElementOrigin
}

type FindElementAt = (page: Page, point: Point, ms: number) => Promise<ElementAtPoint | undefined>

interface ReadElements {
  readonly page: Page
  /** By their refs; undefined for one that is not in the tree. */
  readonly elements: Map<string, ElementName | undefined>
  readonly at: number
}

const READ_AGE_MS = 1000
const FRAME_TIMEOUT_MS = 500
const FRAME_DEPTH = 10

export function createElementFinder(clock = () => performance.now()): FindElementAt {
  let read: ReadElements | undefined

  async function readElements(page: Page): Promise<ReadElements> {
    const tree = await takeUnseenTree(page)
    return { page, elements: new Map(nameElements(tree ?? [])), at: clock() }
  }

  const isRead = (page: Page, ref: string | undefined): boolean =>
    ref !== undefined &&
    read?.page === page &&
    clock() - read.at < READ_AGE_MS &&
    read.elements.has(sessionRefOf(page, ref))

  async function find(page: Page, point: Point, ms: number): Promise<ElementAtPoint | undefined> {
    const root = page.locator(':root')
    const known = await findPointed(page, root, point)
    if (known === 'none') return undefined
    const isKnown = known !== 'unknown' && known.isExact && isRead(page, known.refs[0]?.ref)
    if (!isKnown) read = await readElements(page)
    const pointed = isKnown ? known : await findPointed(page, root, point, true)
    if (typeof pointed === 'string') return undefined
    const origin = await attempt(readOriginAtPoint(pointed.root, pointed.point, ms), (error) => error)
    for (const { ref: pageRef, box } of pointed.refs) {
      const ref = sessionRefOf(page, pageRef)
      const name = read?.elements.get(ref)
      if (name) return { ...name, box, ...(origin.ok && origin.value && { origin: origin.value }) }
      read?.elements.set(ref, undefined)
    }
    return undefined
  }

  return async (page, point, ms) => {
    const element = await settleWithin(ms, find(page, point, ms))
    return element instanceof Error ? undefined : element
  }
}

// --- internal ---

/** What is pointed at in the innermost frame, with boxes in the viewport of the page. */
interface Pointed extends Pick<PointedRefs, 'refs' | 'isExact'> {
  /** Of the document of the element, with the point there. */
  readonly root: Locator
  readonly point: Point
}

/** `unknown`: a document has to be read before. After that, one that could not be read is represented by its frame. */
async function findPointed(
  page: Page,
  root: Locator,
  point: Point,
  wasRead = false,
  depth = 0,
): Promise<Pointed | 'none' | 'unknown'> {
  const answer = await evaluateInternally(root, findPointedRefs, point)
  const result = answer?.result ?? 'none'
  if (typeof result === 'string') return result
  const { refs, isExact, frame } = result
  const outer = { refs, isExact, root, point }
  const [frameElement] = refs
  if (!frame || depth > FRAME_DEPTH) return outer
  const unread = wasRead ? outer : 'unknown'
  if (!isExact || !frameElement) return unread
  const innerRoot = page.locator(`aria-ref=${frameElement.ref} >> internal:control=enter-frame >> :root`)
  const innerPoint = findFramePoint(point, frame)
  const inner = await settleWithin(
    FRAME_TIMEOUT_MS,
    findPointed(page, innerRoot, innerPoint, wasRead, depth + 1),
  )
  if (inner === 'unknown') return unread
  if (!inner || inner instanceof Error || inner === 'none') return outer
  return { ...inner, refs: [...inner.refs.map((one) => placeRef(one, frame)), ...refs] }
}

const placeRef = ({ ref, box }: PointedRef, frame: FrameOrigin): PointedRef => ({
  ref,
  box: placeBox(box, frame),
})
