// Scales and cuts an image by a plan, and encodes it within its size limit. Every engine can draw, so no image library is needed: a blank
// page does it, in a context of its own, so that it is no tab of the session.

import type { Page } from 'playwright'
import { matchesPlan, IMAGE_LIMIT_BYTES, type ImagePlan } from '../../core/evidence/image-plan.ts'
import { readImageSize } from '../../core/evidence/image-size.ts'
import { drawParts } from '../in-page/observe/draw-image.ts'
import type { Image } from '../../runtime/ports/page/screenshots.ts'

const JPEG_QUALITIES = [0.85, 0.7, 0.5, 0.3, 0.15]

/** The images of the plan. `maximumBytes` is the limit of their total size; a PNG above it becomes a JPEG. */
export async function resizeImage(
  page: Page,
  image: Image,
  plan: ImagePlan,
  maximumBytes: number,
): Promise<Image[]> {
  if (matchesPlan(image, plan) && image.bytes.length <= maximumBytes) return [image]
  const context = await page.context().browser()?.newContext()
  if (!context) throw new Error('the browser is gone')
  try {
    const blankPage = await context.newPage()
    const source = `data:${image.mimeType};base64,${Buffer.from(image.bytes).toString('base64')}`
    const dataUrls = await blankPage.evaluate(drawParts, {
      source,
      parts: [...plan.parts],
      mimeType: image.mimeType,
      qualities: JPEG_QUALITIES,
      maximumBytes,
    })
    return dataUrls.map(parseDataUrl)
  } finally {
    await context.close().catch(() => {})
  }
}

/** The size limit of an image. There is none with `maxWidth`, because the caller chose the size. */
export const imageLimitBytes = (maxWidth: number | undefined): number =>
  maxWidth === undefined ? IMAGE_LIMIT_BYTES : Infinity

function parseDataUrl(dataUrl: string): Image {
  const bytes = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
  const mimeType = dataUrl.startsWith('data:image/png') ? 'image/png' : 'image/jpeg'
  return { bytes, mimeType, ...readImageSize(bytes) }
}
