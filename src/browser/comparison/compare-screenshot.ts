// The answer of a comparison: the areas that changed with the elements in them, and an image of the difference.

import type { Page } from 'playwright'
import { captureAndCompare } from './capture-and-compare.ts'
import { readImageOrigin } from './image-origin.ts'
import type { PictureDifference } from './picture-difference.ts'
import { waitForPaint } from '../in-page/dom/next-paint.ts'
import { captureScreenshot, fitImage, STILL_OPTIONS } from '../observe/screenshot.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { findChangedElements, placedElementsOf } from '../../core/comparison/changed-elements.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { AriaTree } from '../../core/snapshot/snapshot-lines.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { ComparisonOptions } from '../../runtime/ports/page/screenshots.ts'
import type { AreaWithElements, ScreenshotComparison } from '../../runtime/ports/page/screenshots.ts'

/** What a comparison needs of a tab: `mask` runs work while secret fields are masked, `readTree` returns the redacted tree with boxes. */
interface ComparedTab {
  readonly page: Page
  mask<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>>
  readTree(): Promise<Outcome<AriaTree>>
}

/** Compares a still screenshot with the baseline of the options. Fails with TIMEOUT if the page keeps changing. */
export async function compareScreenshot(
  tab: ComparedTab,
  options: ComparisonOptions,
  deadline: Deadline,
): Promise<Outcome<ScreenshotComparison>> {
  const { baseline, tolerance, maxWidth } = options
  // Each screenshot is masked by itself: a secret field may have been added after the one before.
  const capture = () =>
    tab.mask(async () => {
      await settleWithin(
        PAINT_TIMEOUT_MS,
        evaluateInternally(tab.page.locator('html'), waitForPaint, undefined),
      )
      return captureScreenshot(tab.page, options, deadline, STILL_OPTIONS)
    })
  const outcome = await captureAndCompare(capture, baseline, tolerance, deadline)
  if (!outcome.ok) return outcome
  if ('last' in outcome.value) {
    const { areas } = await describeAreas(tab, options, outcome.value.last, deadline)
    const waited = deadline.timeout - deadline.remaining()
    return err({ code: 'TIMEOUT', waitedFor: STABLE_PAGE, waited, observed: areas.map(observationOf) })
  }
  const { image, comparison } = outcome.value
  if (!comparison)
    return map(await fitImage(tab.page, image, maxWidth, deadline), (preview) => ({ image, preview }))
  const { difference, ...result } = comparison
  if (difference && !result.matches) {
    const [areas, preview] = await Promise.all([
      describeAreas(tab, options, difference, deadline),
      drawDifference(tab.page, difference, maxWidth, deadline),
    ])
    return map(preview, (images) => ({ image, ...images, result: { ...result, ...areas } }))
  }
  return ok({ image, result: { ...result, areas: [], moreAreas: 0 } })
}

// --- internal ---

/** A page in the background may not be painted at all. */
const PAINT_TIMEOUT_MS = 1000
const STABLE_PAGE =
  'two screenshots in a row that agree (pass a tolerance, or a selector of a part that does not keep changing)'

async function drawDifference(
  page: Page,
  { width, height, picture: bytes = new Uint8Array() }: PictureDifference,
  maxWidth: number | undefined,
  deadline: Deadline,
): Promise<Outcome<Pick<ScreenshotComparison, 'difference' | 'preview'>>> {
  const difference = { bytes, mimeType: 'image/png', width, height } as const
  return map(await fitImage(page, difference, maxWidth, deadline), (preview) => ({ difference, preview }))
}

/** The largest areas, without elements if the page does not tell where they are. */
async function describeAreas(
  { page, readTree }: ComparedTab,
  options: ComparisonOptions,
  difference: PictureDifference | undefined,
  deadline: Deadline,
): Promise<{ areas: readonly AreaWithElements[]; moreAreas: number }> {
  const { areas = [], moreAreas = 0 } = difference ?? {}
  const [tree, origin] = await Promise.all([readTree(), readImageOrigin(page, options, deadline)])
  const elements = tree.ok ? placedElementsOf(tree.value) : []
  return {
    areas: areas.map(({ box }) => ({
      box,
      elements: origin
        ? findChangedElements({ ...box, x: box.x + origin.x, y: box.y + origin.y }, elements)
        : [],
    })),
    moreAreas,
  }
}

const observationOf = ({ box: { x, y, width, height }, elements: [element] }: AreaWithElements): string =>
  `${width} × ${height} pixels at ${x},${y} change${element ? `, in ${element.role} ${JSON.stringify(element.name)} (${element.ref})` : ''}`
