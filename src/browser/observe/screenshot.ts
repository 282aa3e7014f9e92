import type { Page } from 'playwright'
import { isOwnBrowser } from '../attach/own-browser.ts'
import { waitForTarget } from '../actions/wait-for-target.ts'
import { attempt, isTimeout } from '../playwright/errors.ts'
import {
  locate,
  explainTimeout,
  describeTarget,
  targetFailure,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/playwright-options.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { resizeImage, imageLimitBytes } from './resize-image.ts'
import { readImageSize } from '../../core/evidence/image-size.ts'
import { describePlan, planImage } from '../../core/evidence/image-plan.ts'
import { map, ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Target } from '../../runtime/ports/page/target.ts'
import type { ScreenshotOptions } from '../../runtime/ports/page/screenshots.ts'
import type { Image, ScreenshotImages } from '../../runtime/ports/page/screenshots.ts'

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
  const capture = target
    ? await captureElement(page, target, options, deadline)
    : await attempt(page.screenshot({ fullPage, ...options, ...playwrightOptions(deadline) }), (error) =>
        screenshotFailure(error, deadline),
      )
  return map(capture, (bytes) => ({ bytes, mimeType: `image/${format}` as const, ...readImageSize(bytes) }))
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
    const notes = [planNote, formatNote].filter((note) => note !== undefined)
    return { images, notes, ...(plan.total > 1 && { whole: image }) }
  })
}

const JPEG_NOTE =
  'Returned as JPEG, because the PNG has more than 1 MB; pass format png and a maxWidth to get a PNG.'

async function captureElement(
  page: Page,
  target: Target,
  options: { readonly type: 'png' | 'jpeg' } & Partial<typeof STILL_OPTIONS>,
  deadline: Deadline,
): Promise<Outcome<Buffer>> {
  const locatorResult = await locate(page, target)
  if (!locatorResult.ok) return locatorResult
  const { value: locator } = locatorResult
  const element = { locator, target, deadline }
  const waiting = waitForTarget(element, 'visible', (limit) =>
    locator.screenshot({ ...options, ...playwrightOptions(limit) }),
  )
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
