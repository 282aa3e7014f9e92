import { fileFieldsOf } from '../files.ts'
import type { Outcome } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'
import type { Folder } from '../../runtime/ports/files.ts'
import type { Image, ScreenshotImages } from '../../runtime/ports/page/screenshots.ts'

const INLINE_IMAGE_LIMIT_BYTES = 3_000_000

export interface ScreenshotData {
  readonly width: number
  readonly height: number
  readonly path?: string
  readonly resource?: string
  readonly notes?: string[]
}

export interface ScreenshotAnswer<D = ScreenshotData> {
  readonly data: D
  readonly images?: readonly Image[]
}

/** Whether images are small enough for an answer, all together. */
export const isInline = (images: readonly Image[]): boolean =>
  images.reduce((sum, { bytes }) => sum + bytes.length, 0) <= INLINE_IMAGE_LIMIT_BYTES

/** The images inline, or a file if they are too large; a tall page has a file with the full image beside its first parts. */
export async function answerScreenshot(
  { images, whole, notes }: ScreenshotImages,
  folder: Folder,
): Promise<Outcome<ScreenshotAnswer>> {
  const fileImage = whole ?? (isInline(images) ? undefined : images[0])
  const size = images[0] ?? { width: 0, height: 0 }
  const dataOf = (allNotes: readonly string[]) => ({
    width: size.width,
    height: size.height,
    ...(allNotes.length > 0 && { notes: [...allNotes] }),
  })
  if (!fileImage) return ok({ data: dataOf(notes), images })
  const artifact = await folder.write(
    `screenshot.${fileImage.mimeType.slice('image/'.length)}`,
    fileImage.bytes,
  )
  // The answer has the parts, so a full disk is not a failure of the call.
  if (!artifact.ok) return isInline(images) ? ok({ data: dataOf(notes), images }) : artifact
  const data = dataOf([...notes, ...(whole ? ['The file has the full image.'] : [])])
  return ok({ data: { ...data, ...fileFieldsOf(artifact.value) }, ...(isInline(images) && { images }) })
}
