import type { Image } from '../../base/image.ts'
import type { Page } from 'playwright'
import { isOwnBrowser, playwrightOptions } from '../playwright/engine.ts'
import { waitForTarget } from '../actions/wait-for-target.ts'
import { attempt, isTimeout } from '../playwright/errors.ts'
import { describeCut, takeWithinLimit, type BoundedPicture } from './long-pictures.ts'
import { takePictureAlone } from '../playwright/picture-queue.ts'
import {
  locate,
  explainTimeout,
  describeTarget,
  targetFailure,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import {
  readImageSize,
  describePlan,
  planImage,
  matchesPlan,
  IMAGE_LIMIT_BYTES,
  type ImagePlan,
} from '../../base/image-plan.ts'
import { map, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { ScreenshotOptions, ScreenshotImages } from '../../sessions/types/page-values.ts'
import type { Target } from '../../base/action.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import { drawParts } from '../in-page/generated.ts'

/** A screenshot of the viewport, of the whole page or of one element, in a size that models read well unless `maxWidth` sets another. */
export async function takeScreenshot(
  page: Page,
  options: ScreenshotOptions,
  deadline: Deadline,
): Promise<Outcome<ScreenshotImages>> {
  const capture = await captureScreenshot(page, options, deadline)
  return capture.ok ? fitImage(page, capture.value, options.maxWidth, deadline) : capture
}

/** Playwright's options that make two screenshots of the same page equal: CSS animations have ended, and the caret is hidden. */
export const STILL_OPTIONS = { animations: 'disabled', caret: 'hide', scale: 'css' } as const

/** The screenshot as the browser takes it. */
export async function captureScreenshot(
  page: Page,
  { format = 'png', fullPage = false, target }: ScreenshotOptions,
  deadline: Deadline,
  moreOptions: Partial<typeof STILL_OPTIONS> = {},
): Promise<Outcome<Image>> {
  const options = { type: format, ...moreOptions }
  const takePage = () => page.screenshot({ fullPage, ...options, ...playwrightOptions(deadline) })
  const capture = target
    ? await captureElement(page, target, options, deadline)
    : await attempt(
        takePictureAlone(page, () =>
          fullPage
            ? takeWithinLimit(page.locator(':root'), options, takePage)
            : takePage().then((bytes) => ({ bytes })),
        ),
        (error) => screenshotFailure(error, deadline),
      )
  return map(capture, ({ bytes, ...cut }) => ({
    bytes,
    mimeType: `image/${format}` as const,
    ...readImageSize(bytes),
    ...cut,
  }))
}

/** The image in a size that models read well, or as wide as `maxWidth`. */
export async function fitImage(
  page: Page,
  image: Image,
  maxWidth: number | undefined,
  deadline: Deadline,
): Promise<Outcome<ScreenshotImages>> {
  // Only another context can scale it.
  if (isOwnBrowser(page.context().browser())) return ok({ images: [image], notes: [] })
  const plan = planImage(image, maxWidth)
  const resizing = resizeImage(page, image, plan, imageLimitBytes(maxWidth))
  const resizeResult = await attempt(resizing, (error) => screenshotFailure(error, deadline))
  return map(resizeResult, (images) => {
    const planNote = maxWidth === undefined ? describePlan(image, plan) : undefined
    const [first] = images
    const formatNote = first && first.mimeType !== image.mimeType ? JPEG_NOTE : undefined
    const cutNote = image.cutFrom && describeCut(image.cutFrom, image)
    const notes = [cutNote, planNote, formatNote].filter((note) => note !== undefined)
    return { images, notes, ...(plan.total > 1 && { whole: image }) }
  })
}

/** The pictures with at most so many pixels, as JPEG. Those that were not drawn within `timeoutMs` are as they were; the last one is the
 * first to be drawn. */
export async function scaleImages(
  page: Page,
  images: readonly Image[],
  maximumPixels: number,
  timeoutMs: number,
): Promise<readonly Image[]> {
  if (isOwnBrowser(page.context().browser())) return images
  const scaled = [...images]
  const draw = async (blankPage: Page) => {
    for (const [index, image] of [...images.entries()].toReversed()) {
      const scale = Math.sqrt(maximumPixels / image.width / image.height)
      const plan = planImage(image, Math.floor(image.width * scale))
      const [small] = await drawImage(blankPage, image, plan, SMALL_JPEG)
      if (small) scaled[index] = small
    }
  }
  await settleWithin(timeoutMs, withBlankPage(page, draw))
  return [...scaled]
}

const JPEG_NOTE =
  'Returned as JPEG, because the PNG has more than 1 MB; pass format png and a maxWidth to get a PNG.'

async function captureElement(
  page: Page,
  target: Target,
  options: { readonly type: 'png' | 'jpeg' } & Partial<typeof STILL_OPTIONS>,
  deadline: Deadline,
): Promise<Outcome<BoundedPicture>> {
  const locatorResult = await locate(page, target)
  if (!locatorResult.ok) return locatorResult
  const { value: locator } = locatorResult
  const element = { locator, target, deadline }
  const waiting = waitForTarget(element, 'visible', async (limit) => {
    await locator.waitFor({ state: 'visible', ...playwrightOptions(limit) })
    const take = () => locator.screenshot({ ...options, ...playwrightOptions(limit) })
    return takePictureAlone(page, () => takeWithinLimit(locator, options, take))
  })
  return attempt(waiting, (error) =>
    isTimeout(error) ? elementTimeout(element, error) : targetFailure(error, target),
  )
}

async function elementTimeout(element: ResolvedTarget, error: Error): Promise<Failure> {
  const failure = await explainTimeout(element, error)
  return failure.code === 'TIMEOUT'
    ? { ...failure, waitedFor: `${describeTarget(element.target)} to be visible and stable` }
    : failure
}

const screenshotFailure = (error: Error, deadline: Deadline): Failure =>
  isTimeout(error)
    ? { code: 'TIMEOUT', waitedFor: 'the page to be painted', waited: deadline.timeout }
    : targetFailure(error, { ref: '' })

// --- internal ---

// Scales and cuts an image by a plan, and encodes it within its size limit. Every engine can draw, so no image library is needed: a blank
// page does it, in a context of its own, so that it is no tab of the session.
const SMALL_JPEG = { mimeType: 'image/jpeg', qualities: [0.5], maximumBytes: Infinity }
const JPEG_QUALITIES = [0.85, 0.7, 0.5, 0.3, 0.15]

/** The images of the plan. `maximumBytes` is the limit of their total size; a PNG above it becomes a JPEG. */
async function resizeImage(
  page: Page,
  image: Image,
  plan: ImagePlan,
  maximumBytes: number,
): Promise<Image[]> {
  if (matchesPlan(image, plan) && image.bytes.length <= maximumBytes) return [image]
  const { mimeType } = image
  return withBlankPage(page, (blankPage) =>
    drawImage(blankPage, image, plan, { mimeType, qualities: JPEG_QUALITIES, maximumBytes }),
  )
}

async function withBlankPage<T>(page: Page, use: (blankPage: Page) => Promise<T>): Promise<T> {
  const context = await page.context().browser()?.newContext()
  if (!context) throw new Error('the browser is gone')
  try {
    return await use(await context.newPage())
  } finally {
    await context.close().catch(() => {})
  }
}

async function drawImage(
  blankPage: Page,
  image: Image,
  { parts }: ImagePlan,
  encoding: Omit<Parameters<typeof drawParts>[0], 'source' | 'parts'>,
): Promise<Image[]> {
  const source = `data:${image.mimeType};base64,${Buffer.from(image.bytes).toString('base64')}`
  return (await blankPage.evaluate(drawParts, { source, parts: [...parts], ...encoding })).map(parseDataUrl)
}

/** The size limit of an image. There is none with `maxWidth`, because the caller chose the size. */
const imageLimitBytes = (maxWidth: number | undefined): number =>
  maxWidth === undefined ? IMAGE_LIMIT_BYTES : Infinity

function parseDataUrl(dataUrl: string): Image {
  const bytes = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
  const mimeType = dataUrl.startsWith('data:image/png') ? 'image/png' : 'image/jpeg'
  return { bytes, mimeType, ...readImageSize(bytes) }
}
