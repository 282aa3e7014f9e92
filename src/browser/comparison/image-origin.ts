import type { Page } from 'playwright'
import { locatorOf } from '../playwright/locator.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { ComparisonOptions } from '../../runtime/ports/page/screenshots.ts'

interface Point {
  readonly x: number
  readonly y: number
}

/** Where the top left pixel of a screenshot is in the viewport, in CSS pixels; undefined if the page does not tell in time. */
export async function readImageOrigin(
  page: Page,
  { target, fullPage = false }: Pick<ComparisonOptions, 'target' | 'fullPage'>,
  deadline: Deadline,
): Promise<Point | undefined> {
  if (!target && !fullPage) return { x: 0, y: 0 }
  const reading = Promise.all([
    page.evaluate(() => ({ x: window.scrollX, y: window.scrollY })),
    target && readBox(page, target, deadline),
  ])
  const result = await settleWithin(deadline.remaining(), reading)
  if (!result || result instanceof Error) return undefined
  const [scroll, box] = result
  if (!target) return { x: -scroll.x, y: -scroll.y }
  // The image begins at a whole pixel of the document.
  return box
    ? { x: Math.floor(box.x + scroll.x) - scroll.x, y: Math.floor(box.y + scroll.y) - scroll.y }
    : undefined
}

// --- internal ---

async function readBox(page: Page, target: NonNullable<ComparisonOptions['target']>, deadline: Deadline) {
  const locator = await locatorOf(page, target)
  return locator.ok ? locator.value.boundingBox({ timeout: deadline.remaining() }) : null
}
