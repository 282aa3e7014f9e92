// Scales and cuts an image by a plan, and encodes it within its size limit. Every engine can draw, so no image library is needed: a blank
// page does it, in a context of its own, so that it is no tab of the session.

import type { Page } from 'playwright'
import { isPlanned, IMAGE_LIMIT_BYTES, type ImagePlan } from '../../core/evidence/image-plan.ts'
import { imageSize } from '../../core/evidence/image-size.ts'
import type { Image } from '../../runtime/ports/page.ts'

const JPEG_QUALITIES = [0.85, 0.7, 0.5, 0.3, 0.15]

/** The images of the plan. `maximumBytes` is the limit of their total size; a PNG above it becomes a JPEG. */
export async function resizeImage(
  page: Page,
  image: Image,
  plan: ImagePlan,
  maximumBytes: number,
): Promise<Image[]> {
  if (isPlanned(image, plan) && image.bytes.length <= maximumBytes) return [image]
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
  return { bytes, mimeType, ...imageSize(bytes) }
}

interface Drawing {
  readonly source: string
  readonly parts: ImagePlan['parts'][number][]
  readonly mimeType: string
  readonly qualities: readonly number[]
  readonly maximumBytes: number
}

// Runs inside the page.
async function drawParts({ source, parts, mimeType, qualities, maximumBytes }: Drawing): Promise<string[]> {
  const picture = document.createElement('img')
  picture.src = source
  await picture.decode()
  const canvases = parts.map(({ top, sourceHeight, width, height }) => {
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const brush = canvas.getContext('2d')
    if (!brush) throw new Error('no canvas')
    brush.imageSmoothingQuality = 'high'
    brush.drawImage(picture, 0, top, picture.naturalWidth, sourceHeight, 0, 0, width, height)
    return canvas
  })
  const encode = (type: string, quality?: number) => canvases.map((canvas) => canvas.toDataURL(type, quality))
  const isSmall = (addresses: readonly string[]) =>
    addresses.reduce((sum, { length }) => sum + length * 0.75, 0) <= maximumBytes
  const png = mimeType === 'image/png' ? encode(mimeType) : []
  if (png.length > 0 && isSmall(png)) return png
  let jpeg: string[] = []
  for (const quality of qualities) {
    jpeg = encode('image/jpeg', quality)
    if (isSmall(jpeg)) break
  }
  return jpeg
}
