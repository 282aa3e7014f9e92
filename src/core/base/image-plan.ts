// How a screenshot is fitted to the limits of models and clients: scaled, or split into parts if scaling would make it unreadable.

import type { Size } from './geometry.ts'

/** A horizontal strip of an image: `sourceHeight` pixels from `top`, scaled to `width` × `height`. */
interface ImagePart extends Size {
  readonly top: number
  readonly sourceHeight: number
}

/** `total` is the number of parts of the whole image; `parts` are the first of them. */
export interface ImagePlan {
  readonly parts: readonly ImagePart[]
  readonly total: number
}

// Models scale larger images down, and clients reject larger files.
export const LONG_SIDE_LIMIT_PIXELS = 1568
export const IMAGE_LIMIT_BYTES = 1_000_000
/** The screenshot of a failure should not cost more tokens than its text. */
export const INLINE_IMAGE_LIMIT_PIXELS = 768 * 432
const PART_LIMIT = 4
// At a smaller scale text is no longer readable.
const READABLE_SCALE = 0.5

/** The plan for an image of this size. `maxWidth` replaces the limit of the long side. */
export function planImage({ width, height }: Size, maxWidth?: number): ImagePlan {
  if (maxWidth !== undefined) return planSinglePart({ width, height }, Math.min(1, maxWidth / width))
  const scale = Math.min(1, LONG_SIDE_LIMIT_PIXELS / Math.max(width, height))
  const widthScale = Math.min(1, LONG_SIDE_LIMIT_PIXELS / width)
  if (scale >= READABLE_SCALE || scale === widthScale) return planSinglePart({ width, height }, scale)
  const partHeight = Math.floor(LONG_SIDE_LIMIT_PIXELS / widthScale)
  const total = Math.ceil(height / partHeight)
  const parts = Array.from({ length: Math.min(total, PART_LIMIT) }, (_, index): ImagePart => {
    const top = index * partHeight
    const sourceHeight = Math.min(partHeight, height - top)
    return { top, sourceHeight, ...scaleSize({ width, height: sourceHeight }, widthScale) }
  })
  return { parts, total }
}

/** Whether an image already has the size of its plan. */
export const matchesPlan = ({ width, height }: Size, { parts: [first], total }: ImagePlan): boolean =>
  total === 1 && first?.width === width && first.height === height

/** Describes to the caller how the image was scaled or split; undefined if it was not. */
export function describePlan({ width, height }: Size, plan: ImagePlan): string | undefined {
  const [first] = plan.parts
  if (!first || matchesPlan({ width, height }, plan)) return undefined
  if (plan.total === 1)
    return `Scaled from ${width} × ${height} pixels to ${first.width} × ${first.height}; pass maxWidth ${width} to keep the size.`
  const bottomPixel = plan.parts.reduce((sum, part) => sum + part.sourceHeight, 0)
  const description = plan.parts.length < plan.total ? `the first ${plan.parts.length}` : `all`
  return `The image has ${width} × ${height} pixels and is split into ${plan.total} parts from top to bottom; this result has ${description}, down to pixel ${bottomPixel}.`
}

const planSinglePart = (size: Size, scale: number): ImagePlan => ({
  parts: [{ top: 0, sourceHeight: size.height, ...scaleSize(size, scale) }],
  total: 1,
})

const scaleSize = ({ width, height }: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
})

/** Width and height in pixels of a PNG or JPEG, read from its header; 0 × 0 for anything else. */
export function readImageSize(bytes: Uint8Array): Size {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length > 24 && view.getUint32(0) === 0x89504e47) {
    return { width: view.getUint32(16), height: view.getUint32(20) }
  }
  // A JPEG is a sequence of segments; one with a marker of SOF0…SOF15 (except DHT, JPG, DAC) has the size.
  for (let at = 2; at + 9 < bytes.length && view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1)
    const isFrameHeader = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrameHeader) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
  }
  return { width: 0, height: 0 }
}
