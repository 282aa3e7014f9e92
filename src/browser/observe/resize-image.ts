// Brings a picture to its plan and under its limit of bytes. Every engine can draw, so no image library is carried: a blank page does it,
// in a context of its own, so that it is no tab of the session.

import type { Page } from 'playwright'
import { matchesPlan, IMAGE_LIMIT_BYTES, type ImagePlan } from '../../core/evidence/image-plan.ts'
import { readImageSize } from '../../core/evidence/image-size.ts'
import { drawParts } from '../in-page/observe/draw-image.ts'
import type { Image } from '../../runtime/ports/page.ts'

const QUALITIES = [0.85, 0.7, 0.5, 0.3, 0.15]

/** The pictures of the plan. `maximumBytes` holds for all of them together; a PNG above it becomes a JPEG. */
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
    const scratch = await context.newPage()
    const source = `data:${image.mimeType};base64,${Buffer.from(image.bytes).toString('base64')}`
    const drawn = await scratch.evaluate(drawParts, {
      source,
      parts: [...plan.parts],
      mimeType: image.mimeType,
      qualities: QUALITIES,
      maximumBytes,
    })
    return drawn.map(imageOf)
  } finally {
    await context.close().catch(() => {})
  }
}

/** The limit of bytes where a caller gave `maxWidth`: none, because the size is what was asked for. */
export const imageLimitBytes = (maxWidth: number | undefined): number =>
  maxWidth === undefined ? IMAGE_LIMIT_BYTES : Infinity

function imageOf(address: string): Image {
  const bytes = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
  const mimeType = address.startsWith('data:image/png') ? 'image/png' : 'image/jpeg'
  return { bytes, mimeType, ...readImageSize(bytes) }
}
