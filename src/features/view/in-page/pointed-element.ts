// Runs in Playwright's utility world: what a person points at, by the refs of the document's snapshots.

import type { Box, Point } from '../../../core/base/geometry.ts'
import type { ElementMatches } from '../../../core/browser/in-page/page/element-arguments.ts'
import { hitElement, shownParentOf } from '../../../core/browser/in-page/page/elements.ts'
import { readFrameOrigin } from '../../../core/browser/in-page/page/frame-origin.ts'
import type { AriaInjected } from '../../../core/browser/in-page/snapshot/aria-injected.ts'
import type { FrameOrigin } from '../../../core/snapshot/element-boxes.ts'

export interface PointedRef {
  readonly ref: string
  readonly box: Box
}

/** The element at a point and its ancestors that have a ref, the nearest first. */
export interface PointedRefs {
  readonly refs: readonly PointedRef[]
  /** Whether the first one is the element itself. */
  readonly isExact: boolean
  /** Of the document in the element, which is a frame. */
  readonly frame?: FrameOrigin
}

/** `none`: there is no element. `unknown`: no snapshot of the document was taken. */
export function findPointedRefs(
  { elements, injected }: ElementMatches,
  { x, y }: Point,
): PointedRefs | 'none' | 'unknown' {
  const { footlight: state } = injected as unknown as AriaInjected
  if (elements.length === 0) return 'none'
  if (!state) return 'unknown'
  const hit = hitElement(x, y)
  if (!hit) return 'none'
  // An element that replaces another one has its ref before it gets one of its own.
  state.redrawn.inheritRefs()
  const refs: PointedRef[] = []
  for (let element: Element | null = hit; element; element = shownParentOf(element)) {
    const ref = state.refs.get(element)?.ref
    if (ref === undefined) continue
    const { x, y, width, height } = element.getBoundingClientRect()
    refs.push({ ref, box: { x, y, width, height } })
  }
  const isFrame = /^i?frame$/.test(hit.localName)
  return { refs, isExact: state.refs.has(hit), ...(isFrame && { frame: readFrameOrigin(hit) }) }
}

/** The ref of the only element; undefined where no snapshot has it. */
export function readRef({ elements, injected }: ElementMatches): string | undefined {
  const { footlight: state } = injected as unknown as AriaInjected
  const [element] = elements
  return element && state?.refs.get(element as Element)?.ref
}
