import type { Page } from 'playwright'
import { locatorOf } from '../playwright/locator.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { ComparisonOptions } from '../../runtime/ports/page.ts'

const ORIGIN_TIMEOUT_MS = 1000

/** Where the top left pixel of a screenshot is in the viewport, in CSS pixels; that of the viewport if the page does not respond. */
export async function readImageOrigin(
  page: Page,
  { target, fullPage = false }: Pick<ComparisonOptions, 'target' | 'fullPage'>,
): Promise<{ readonly x: number; readonly y: number }> {
  if (!target && !fullPage) return VIEWPORT_ORIGIN
  const reading = page.evaluate(() => ({ x: window.scrollX, y: window.scrollY }))
  const [scroll, box] = await Promise.all([
    settleWithin(ORIGIN_TIMEOUT_MS, reading),
    target && settleWithin(ORIGIN_TIMEOUT_MS, readBox(page, target)),
  ])
  if (!scroll || scroll instanceof Error || box instanceof Error) return VIEWPORT_ORIGIN
  if (!target) return { x: -scroll.x, y: -scroll.y }
  // The image begins at a whole pixel of the document.
  return box
    ? { x: Math.floor(box.x + scroll.x) - scroll.x, y: Math.floor(box.y + scroll.y) - scroll.y }
    : VIEWPORT_ORIGIN
}

// --- internal ---

const VIEWPORT_ORIGIN = { x: 0, y: 0 }

async function readBox(page: Page, target: NonNullable<ComparisonOptions['target']>) {
  const locator = locatorOf(page, target)
  return locator.ok ? locator.value.boundingBox({ timeout: ORIGIN_TIMEOUT_MS }) : null
}
