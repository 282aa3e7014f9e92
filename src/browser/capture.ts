import type { Locator, Page } from 'playwright'
import { attempt, isTimeout } from './failures.ts'
import { locate, missedIn, nameOf, targetFailure } from './target.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { imageSize } from '../core/image.ts'
import { ok } from '../core/result.ts'
import type { Call, Image, ScreenshotOptions, Target } from '../runtime/ports/page.ts'

/** A picture of the viewport, of the whole page or of one element, never wider than `maxWidth` pixels. */
export async function screenshot(
  page: Page,
  options: ScreenshotOptions,
  call: Call,
): Promise<Outcome<Image>> {
  const { format = 'png', fullPage = false, target, maxWidth } = options
  const settings = { type: format, ...call }
  const taken = target
    ? await ofElement(page, target, settings, call)
    : await attempt(page.screenshot({ fullPage, ...settings }), (error) => failed(error, call))
  if (!taken.ok) return taken
  const mimeType = `image/${format}` as const
  const image = { bytes: taken.value, mimeType, ...imageSize(taken.value) }
  if (maxWidth === undefined || image.width <= maxWidth) return ok(image)
  return attempt(narrow(page, image, maxWidth), (error) => failed(error, call))
}

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
    isTimeout(error) ? unshown(located.value, target, call) : targetFailure(error, target),
  )
}

async function unshown(locator: Locator, target: Target, call: Call): Promise<Failure> {
  const missed = await missedIn(locator, target, call)
  return missed.code === 'TIMEOUT'
    ? { ...missed, waitedFor: `${nameOf(target)} to be visible and still` }
    : missed
}

const failed = (error: Error, call: Call): Failure =>
  isTimeout(error)
    ? { code: 'TIMEOUT', waitedFor: 'the page to be painted', waited: call.timeout }
    : targetFailure(error, { ref: '' })

// Every engine can draw a smaller picture, so no image library is carried: a blank page does it, in a context of its own, so that it
// is no tab of the session.
async function narrow(page: Page, image: Image, maxWidth: number): Promise<Image> {
  const context = await page.context().browser()?.newContext()
  if (!context) throw new Error('the browser is gone')
  try {
    const scratch = await context.newPage()
    const source = `data:${image.mimeType};base64,${Buffer.from(image.bytes).toString('base64')}`
    const drawn = await scratch.evaluate(drawNarrow, { source, maxWidth, mimeType: image.mimeType })
    const bytes = Buffer.from(drawn.slice(drawn.indexOf(',') + 1), 'base64')
    return { bytes, mimeType: image.mimeType, ...imageSize(bytes) }
  } finally {
    await context.close().catch(() => {})
  }
}

// Runs inside the page.
async function drawNarrow({
  source,
  maxWidth,
  mimeType,
}: {
  source: string
  maxWidth: number
  mimeType: string
}) {
  const picture = document.createElement('img')
  picture.src = source
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = maxWidth
  canvas.height = Math.max(1, Math.round((picture.naturalHeight * maxWidth) / picture.naturalWidth))
  const brush = canvas.getContext('2d')
  if (!brush) throw new Error('no canvas')
  brush.imageSmoothingQuality = 'high'
  brush.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL(mimeType, 0.8)
}
