import type { ImagePlan } from '../../../base/image-plan.ts'

interface DrawingInput {
  readonly source: string
  readonly parts: ImagePlan['parts'][number][]
  readonly mimeType: string
  readonly qualities: readonly number[]
  readonly maximumBytes: number
}

/** Draws the parts of an image and returns them as data URLs, as JPEG if a PNG exceeds the limit. */
export async function drawParts({
  source,
  parts,
  mimeType,
  qualities,
  maximumBytes,
}: DrawingInput): Promise<string[]> {
  const image = document.createElement('img')
  image.src = source
  await image.decode()
  const canvases = parts.map(({ top, sourceHeight, width, height }) => {
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const canvasContext = canvas.getContext('2d')
    if (!canvasContext) throw new Error('no canvas')
    canvasContext.imageSmoothingQuality = 'high'
    canvasContext.drawImage(image, 0, top, image.naturalWidth, sourceHeight, 0, 0, width, height)
    return canvas
  })
  const encode = (type: string, quality?: number) => canvases.map((canvas) => canvas.toDataURL(type, quality))
  const isSmall = (dataUrls: readonly string[]) =>
    dataUrls.reduce((sum, { length }) => sum + length * 0.75, 0) <= maximumBytes
  const png = mimeType === 'image/png' ? encode(mimeType) : []
  if (png.length > 0 && isSmall(png)) return png
  let jpeg: string[] = []
  for (const quality of qualities) {
    jpeg = encode('image/jpeg', quality)
    if (isSmall(jpeg)) break
  }
  return jpeg
}
