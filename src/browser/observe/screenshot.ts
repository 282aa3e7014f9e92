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
import type { ScreenshotImages, ScreenshotOptions, Target } from '../../runtime/ports/page.ts'

/** A screenshot of the viewport, of the whole page or of one element, in a size that models read well unless `maxWidth` sets another. */
export async function takeScreenshot(
  page: Page,
  options: ScreenshotOptions,
  deadline: Deadline,
): Promise<Outcome<ScreenshotImages>> {
  const { format = 'png', fullPage = false, target, maxWidth } = options
  const capture = target
    ? await captureElement(page, target, format, deadline)
    : await attempt(page.screenshot({ fullPage, type: format, ...playwrightOptions(deadline) }), (error) =>
        screenshotFailure(error, deadline),
      )
  if (!capture.ok) return capture
  const mimeType = `image/${format}` as const
  const image = { bytes: capture.value, mimeType, ...readImageSize(capture.value) }
  // Only another context can scale it.
  if (isOwnBrowser(page.context().browser())) return ok({ images: [image], notes: [] })
  const plan = planImage(image, maxWidth)
  const resizing = resizeImage(page, image, plan, imageLimitBytes(maxWidth))
  const resizeResult = await attempt(resizing, (error) => screenshotFailure(error, deadline))
  return map(resizeResult, (images) => {
    const planNote = maxWidth === undefined ? describePlan(image, plan) : undefined
    const [first] = images
    const formatNote = first && first.mimeType !== mimeType ? JPEG_NOTE : undefined
    const notes = [planNote, formatNote].filter((note) => note !== undefined)
    return { images, notes, ...(plan.total > 1 && { whole: image }) }
  })
}

const JPEG_NOTE =
  'Returned as JPEG, because the PNG has more than 1 MB; pass format png and a maxWidth to get a PNG.'

async function captureElement(
  page: Page,
  target: Target,
  type: 'png' | 'jpeg',
  deadline: Deadline,
): Promise<Outcome<Buffer>> {
  const locatorResult = await locate(page, target)
  if (!locatorResult.ok) return locatorResult
  const { value: locator } = locatorResult
  const element = { locator, target, deadline }
  const waiting = waitForTarget(element, 'visible', (limit) =>
    locator.screenshot({ type, ...playwrightOptions(limit) }),
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
