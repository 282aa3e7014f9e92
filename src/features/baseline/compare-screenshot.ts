// The answer of a comparison: the areas that changed with the elements in them, and an image of the difference.

import type { Page } from 'playwright'
import type { ElementName } from '../../core/base/action.ts'
import { type Failure, invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { Box, Point, Size } from '../../core/base/geometry.ts'
import { readImageSize } from '../../core/base/image-plan.ts'
import type { Image } from '../../core/base/image.ts'
import { err, map, ok } from '../../core/base/result.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { waitForPaint } from '../../core/browser/in-page/generated.ts'
import { readTree } from '../../core/browser/page/read-tree.ts'
import { evaluateInternally } from '../../core/browser/playwright/internals.ts'
import { locatorOf } from '../../core/browser/playwright/locator.ts'
import { captureScreenshot, fitImage, STILL_OPTIONS } from '../../core/browser/screenshot/screenshot.ts'
import type { ScreenshotImages, ScreenshotOptions } from '../../core/sessions/types/page-values.ts'
import type { Page as SessionPage } from '../../core/sessions/types/page.ts'
import type { AriaTree } from '../../core/sessions/types/snapshot.ts'
import { findChangedElements, placedElementsOf } from '../../core/snapshot/changed-elements.ts'
import { comparePictures, type PictureDifference } from './picture-difference.ts'

/** A still screenshot as PNG. `result` is missing if there was no baseline. */
export interface ScreenshotComparison {
  readonly image: Image
  /** What the caller sees: the difference, or without a baseline the screenshot. Nothing if the baseline matches. */
  readonly preview?: ScreenshotImages
  /** The image of the difference in its full size. */
  readonly difference?: Image
  readonly result?: ComparisonResult
}

/** `moreAreas` counts the areas that are not in `areas`. */
export interface ComparisonResult extends Pick<PictureDifference, 'changedShare' | 'matches' | 'moreAreas'> {
  readonly baselineSize: Size
  readonly areas: readonly AreaWithElements[]
}

/** A changed area in pixels of the image, and the elements that it belongs to. */
export interface AreaWithElements {
  readonly box: Box
  readonly elements: readonly ElementName[]
}

/** `baseline` has the bytes of an earlier PNG; `tolerance` is the share of pixels, from 0 to 1, that may differ. */
export interface ComparisonOptions extends Omit<ScreenshotOptions, 'format'> {
  readonly baseline?: Uint8Array
  readonly tolerance: number
  /** The distance of two colors, from 0 to 1, from which on a pixel has changed; that of Playwright's toHaveScreenshot without it. */
  readonly threshold?: number
  /** Areas of the picture that may differ. */
  readonly ignored?: readonly Box[]
}

/** Takes screenshots of the active tab until two in a row agree, and compares the last one with the baseline. Fails with TIMEOUT on a page that
 * keeps changing, with INVALID_PARAMETERS if the baseline is no PNG. */
export const compareScreenshot = (
  { parts }: SessionPage,
  options: ComparisonOptions,
  deadline: Deadline,
): Promise<Outcome<ScreenshotComparison>> =>
  parts.runOnTab((tab) => {
    const comparedTab = {
      page: tab.page,
      mask: parts.mask(tab, deadline),
      readTree: () => readTree(tab, { boxes: true }, deadline, parts),
    }
    return compareTab(comparedTab, options, deadline)
  })

// --- internal ---

/** What a comparison needs of a tab: `mask` runs work while secret fields are masked, `readTree` returns the redacted tree with boxes. */
interface ComparedTab {
  readonly page: Page
  mask<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>>
  readTree(): Promise<Outcome<AriaTree>>
}

async function compareTab(
  tab: ComparedTab,
  options: ComparisonOptions,
  deadline: Deadline,
): Promise<Outcome<ScreenshotComparison>> {
  const { baseline, maxWidth } = options
  // Each screenshot is masked by itself: a secret field may have been added after the one before.
  const capture = () =>
    tab.mask(async () => {
      await settleWithin(
        PAINT_TIMEOUT_MS,
        evaluateInternally(tab.page.locator('html'), waitForPaint, undefined),
      )
      return captureScreenshot(tab.page, options, deadline, STILL_OPTIONS)
    })
  const outcome = await captureAndCompare(capture, baseline, options, deadline)
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

type DifferenceLimits = Pick<ComparisonOptions, 'tolerance' | 'threshold' | 'ignored'>

const limitsOf = ({ tolerance, threshold, ignored }: DifferenceLimits) => ({ tolerance, threshold, ignored })

// A still screenshot and its difference to an earlier one.
/** `comparison` is missing without a baseline. */
interface StillScreenshot {
  readonly image: Image
  readonly comparison?: Comparison
}

/** An image that is the same file has no `difference`. */
interface Comparison extends Pick<ComparisonResult, 'baselineSize' | 'changedShare' | 'matches'> {
  readonly difference?: PictureDifference
}

/** The first screenshot if it matches the baseline, otherwise one that the next one agrees with. */
export async function captureAndCompare(
  capture: () => Promise<Outcome<Image>>,
  baseline: Uint8Array | undefined,
  limits: DifferenceLimits,
  deadline: Deadline,
): Promise<Outcome<StillScreenshot | Unstable>> {
  const first = await capture()
  if (!first.ok) return first
  const problem = findSizeProblem(first.value)
  if (problem) return err(problem)
  const takeStable = () => takeStableScreenshot(first.value, capture, limits, deadline)
  if (!baseline) return map(await takeStable(), (last) => ('bytes' in last ? { image: last } : last))
  if (isSameFile(first.value.bytes, baseline)) {
    const { width, height } = first.value
    const comparison = { baselineSize: { width, height }, changedShare: 0, matches: true }
    return ok({ image: first.value, comparison })
  }
  const firstResult = await compare(baseline, first.value, limits, deadline)
  if (!firstResult.ok || firstResult.value.comparison?.matches) return firstResult
  const stable = await takeStable()
  if (!stable.ok) return stable
  if (!('bytes' in stable.value)) return ok(stable.value)
  return isSameFile(first.value.bytes, stable.value.bytes)
    ? firstResult
    : compare(baseline, stable.value, limits, deadline)
}

/** A comparison holds the changed pixels and the three files in memory, and of the pixels a few rows. */
const COMPARISON_LIMIT_MEGAPIXELS = 25
const COMPARISON_LIMIT_PIXELS = COMPARISON_LIMIT_MEGAPIXELS * 1_000_000
/** No browser draws a wider picture. */
const WIDTH_LIMIT_PIXELS = 32_767
const BASELINE_FORM = `a PNG that is not interlaced, is at most ${WIDTH_LIMIT_PIXELS} pixels wide and has with the screenshot at most ${COMPARISON_LIMIT_MEGAPIXELS} million pixels`
const BASELINE_NEXT = 'Name another file or delete this one: the next call creates it.'

const findSizeProblem = ({ cutFrom, ...image }: Image): Failure | undefined => {
  const { width, height } = cutFrom ?? image
  return cutFrom || width * height > COMPARISON_LIMIT_PIXELS
    ? {
        code: 'RESOURCE_EXHAUSTED',
        resource: 'image',
        text: `the screenshot has ${width} × ${height} pixels, and at most ${COMPARISON_LIMIT_MEGAPIXELS} million are compared`,
        next: 'Compare the viewport or one element.',
      }
    : undefined
}

async function compare(
  baseline: Uint8Array,
  image: Image,
  limits: DifferenceLimits,
  deadline: Deadline,
): Promise<Outcome<StillScreenshot>> {
  const problem = findSizeProblem(image)
  if (problem) return err(problem)
  const baselineSize = readImageSize(baseline)
  // A picture with room for both is needed.
  const pixelCount = Math.max(baselineSize.width, image.width) * Math.max(baselineSize.height, image.height)
  if (pixelCount > COMPARISON_LIMIT_PIXELS || baselineSize.width > WIDTH_LIMIT_PIXELS)
    return err(
      invalidParameter(
        'baseline',
        BASELINE_FORM,
        `${baselineSize.width} × ${baselineSize.height} pixels`,
        BASELINE_NEXT,
      ),
    )
  const pair = { before: baseline, after: image.bytes, ...limitsOf(limits) }
  const result =
    baselineSize.width > 0 ? await comparePictures(pair, deadline.remaining()) : err('before' as const)
  if (!result.ok)
    return err(
      result.error === 'before'
        ? invalidParameter('baseline', BASELINE_FORM, 'a file that is none', BASELINE_NEXT)
        : { code: 'TIMEOUT', waitedFor: 'the screenshots to be compared', waited: deadline.timeout },
    )
  const { changedShare, matches } = result.value
  return ok({ image, comparison: { baselineSize, changedShare, matches, difference: result.value } })
}

/** Where the top left pixel of a screenshot is in the viewport, in CSS pixels; undefined if the page does not tell in time. */
async function readImageOrigin(
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

async function readBox(page: Page, target: NonNullable<ComparisonOptions['target']>, deadline: Deadline) {
  const locator = await locatorOf(page, target)
  return locator.ok ? locator.value.boundingBox({ timeout: deadline.remaining() }) : null
}

// Screenshots of a page that is still being painted differ, so one counts only when the next is equal.
/** A page that keeps changing; `last` is the difference of the last two screenshots, if they had the same size. */
interface Unstable {
  readonly last: PictureDifference | undefined
}

/** Takes screenshots after `first` until the share of pixels that differ between two in a row is at most `tolerance`. */
async function takeStableScreenshot(
  first: Image,
  capture: () => Promise<Outcome<Image>>,
  limits: DifferenceLimits,
  deadline: Deadline,
): Promise<Outcome<Image | Unstable>> {
  const limit = Math.max(deadline.timeout - STABLE_TIMEOUT_MS, deadline.timeout * REPORT_TIME_SHARE)
  let previous = first
  for (let attemptCount = 0; ; attemptCount += 1) {
    await waitFor(pauseOf(attemptCount), deadline.signal)
    const current = await capture()
    if (!current.ok || isSameFile(previous.bytes, current.value.bytes)) return current
    const isSameSize = previous.width === current.value.width && previous.height === current.value.height
    const pair = { before: previous.bytes, after: current.value.bytes, ...limitsOf(limits) }
    const difference = isSameSize ? await comparePictures(pair, deadline.remaining()) : undefined
    const last = difference?.ok ? difference.value : undefined
    if (last?.matches) return current
    if (deadline.remaining() - pauseOf(attemptCount + 1) < limit) return ok({ last })
    previous = current.value
  }
}

/** Encoding is deterministic, so equal pixels are mostly equal files. */
const isSameFile = (a: Uint8Array, b: Uint8Array): boolean =>
  Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(b)

/** The pauses between two screenshots of Playwright's toHaveScreenshot. */
const PAUSES_MS = [100, 250, 500]
const LAST_PAUSE_MS = 1000
const pauseOf = (attemptCount: number): number => PAUSES_MS[attemptCount] ?? LAST_PAUSE_MS
/** A page that still changes after this time is not about to stop. */
const STABLE_TIMEOUT_MS = 15_000
/** The share of a timeout that is left to report that the page keeps changing. */
const REPORT_TIME_SHARE = 0.25

const waitFor = (ms: number, signal: AbortSignal): Promise<unknown> =>
  settleWithin(ms, new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())))
