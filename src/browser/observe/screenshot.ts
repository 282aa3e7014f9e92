import type { Page } from 'playwright'
import { attempt, isTimeout } from '../playwright/errors.ts'
import {
  locate,
  explainTimeout,
  describeTarget,
  targetFailure,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { resizeImage, imageLimitBytes } from './resize-image.ts'
import { readImageSize } from '../../core/evidence/image-size.ts'
import { describePlan, planImage } from '../../core/evidence/image-plan.ts'
import { map } from '../../core/result.ts'
import type { Call, Capture, ScreenshotOptions, Target } from '../../runtime/ports/page.ts'

/** A picture of the viewport, of the whole page or of one element, in the size that models read well unless `maxWidth` says another. */
export async function takeScreenshot(
  page: Page,
  options: ScreenshotOptions,
  call: Call,
): Promise<Outcome<Capture>> {
  const { format = 'png', fullPage = false, target, maxWidth } = options
  const settings = { type: format, ...call }
  const taken = target
    ? await ofElement(page, target, settings, call)
    : await attempt(page.screenshot({ fullPage, ...settings }), (error) => failed(error, call))
  if (!taken.ok) return taken
  const mimeType = `image/${format}` as const
  const image = { bytes: taken.value, mimeType, ...readImageSize(taken.value) }
  const plan = planImage(image, maxWidth)
  const drawing = resizeImage(page, image, plan, imageLimitBytes(maxWidth))
  const drawn = await attempt(drawing, (error) => failed(error, call))
  return map(drawn, (images) => {
    const scaled = maxWidth === undefined ? describePlan(image, plan) : undefined
    const [first] = images
    const changed = first && first.mimeType !== mimeType ? AS_JPEG : undefined
    const notes = [scaled, changed].filter((note) => note !== undefined)
    return { images, notes, ...(plan.total > 1 && { whole: image }) }
  })
}

const AS_JPEG =
  'Returned as JPEG, because the PNG has more than 1 MB; pass format png and a maxWidth to get a PNG.'

type Settings = { type: 'png' | 'jpeg'; timeout: number; signal: AbortSignal }

async function ofElement(
  page: Page,
  target: Target,
  settings: Settings,
  call: Call,
): Promise<Outcome<Buffer>> {
  const located = await locate(page, target)
  if (!located.ok) return located
  return attempt(located.value.screenshot(settings), (error) =>
    isTimeout(error) ? unshown({ locator: located.value, target, call }) : targetFailure(error, target),
  )
}

async function unshown(element: ResolvedTarget): Promise<Failure> {
  const missed = await explainTimeout(element)
  return missed.code === 'TIMEOUT'
    ? { ...missed, waitedFor: `${describeTarget(element.target)} to be visible and stable` }
    : missed
}

const failed = (error: Error, call: Call): Failure =>
  isTimeout(error)
    ? { code: 'TIMEOUT', waitedFor: 'the page to be painted', waited: call.timeout }
    : targetFailure(error, { ref: '' })
