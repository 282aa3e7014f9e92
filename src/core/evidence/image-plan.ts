// How a picture is brought to what models read well and clients let through: scaled, or cut where scaling would make it unreadable.

export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** A horizontal strip of a picture, from `top` and `sourceHeight` high, drawn with `width` and `height`. */
export interface ImagePart extends ImageSize {
  readonly top: number
  readonly sourceHeight: number
}

/** `total` is how many parts the whole picture has; `parts` are the first of them. */
export interface ImagePlan {
  readonly parts: readonly ImagePart[]
  readonly total: number
}

// What models see without scaling it down once more, and what clients let through.
export const LONG_SIDE_LIMIT_PIXELS = 1568
export const IMAGE_LIMIT_BYTES = 1_000_000
/** A picture that comes with the words of a failure should cost no more than they do. */
export const INLINE_IMAGE_LIMIT_PIXELS = 768 * 432
const PART_LIMIT = 4
// Text that is smaller than this can no longer be read.
const READABLE_SCALE = 0.5

/** The plan for a picture of this size. `maxWidth` replaces the limit of the long side. */
export function planImage({ width, height }: ImageSize, maxWidth?: number): ImagePlan {
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

/** Whether a picture is already as its plan wants it. */
export const matchesPlan = ({ width, height }: ImageSize, { parts: [first], total }: ImagePlan): boolean =>
  total === 1 && first?.width === width && first.height === height

/** What a caller should know of a picture that is not what was taken; undefined where it is. */
export function describePlan({ width, height }: ImageSize, plan: ImagePlan): string | undefined {
  const [first] = plan.parts
  if (!first || matchesPlan({ width, height }, plan)) return undefined
  if (plan.total === 1)
    return `Scaled from ${width} × ${height} pixels to ${first.width} × ${first.height}; pass maxWidth ${width} to keep the size.`
  const bottomPixel = plan.parts.reduce((sum, part) => sum + part.sourceHeight, 0)
  const description = plan.parts.length < plan.total ? `the first ${plan.parts.length}` : `all`
  return `The image has ${width} × ${height} pixels and is split into ${plan.total} parts from top to bottom; this result has ${description}, down to pixel ${bottomPixel}.`
}

// --- internal ---

const planSinglePart = (size: ImageSize, scale: number): ImagePlan => ({
  parts: [{ top: 0, sourceHeight: size.height, ...scaleSize(size, scale) }],
  total: 1,
})

const scaleSize = ({ width, height }: ImageSize, scale: number): ImageSize => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
})
