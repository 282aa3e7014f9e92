// An area of an image map has no box of its own in Chromium, so Playwright calls it hidden. The mouse clicks its middle on the image.

import { findAreaPoint } from '../in-page/actions/area-point.ts'
import { evaluateTarget, type ResolvedTarget } from '../playwright/locator.ts'
import type { Page } from 'playwright'
import type { ClickOptions } from '../../runtime/ports/page/page.ts'

/** Whether the target is an area that was clicked. Only refs of areas have a leading zero. */
export async function clickArea(
  page: Page,
  element: ResolvedTarget,
  { button = 'left', clickCount = 1 }: ClickOptions,
): Promise<boolean> {
  if (!('ref' in element.target) || !/e0\d+$/.test(element.target.ref)) return false
  const point = await evaluateTarget(element, findAreaPoint, undefined)
  if (point) await page.mouse.click(point.x, point.y, { button, clickCount })
  return point !== undefined
}
