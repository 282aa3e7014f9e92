// Where Playwright clicks an element whose middle is not it: a row, an arc, a checkbox under its own drawing.

import { labelOf, readClickPlace } from '../in-page/generated.ts'
import { evaluateTarget, type ResolvedTarget } from '../playwright/locator.ts'
import type { ElementHandle } from 'playwright'
import type { Point } from '../../base/geometry.ts'

/** What to click instead of the middle of the element: a point of it or of its label. */
export interface ClickPlace {
  readonly label?: ElementHandle<Element>
  readonly position: Point
  /** The control within it that takes the click. */
  readonly inner?: string
  /** It moves without an end. */
  readonly isEndless?: boolean
}

/** Undefined if the middle is right, or if no point reaches the element now. */
export async function findClickPlace(element: ResolvedTarget): Promise<ClickPlace | undefined> {
  const place = await evaluateTarget(element, readClickPlace, undefined).catch(() => undefined)
  if (!place) return undefined
  const { labelIndex, x, y, ...rest } = place
  const position = { x, y }
  if (labelIndex === undefined) return { position, ...rest }
  const handle = await element.locator.evaluateHandle(labelOf, labelIndex)
  const label = handle.asElement()
  return label ? { label, position, ...rest } : undefined
}
