import type { Image } from '../../base/image.ts'
import * as v from 'valibot'
import type { Outcome } from '../../base/failure.ts'
import { ok } from '../../base/result.ts'
import type { Folder } from '../../base/files/files.ts'
import type { ScreenshotImages, ScreenshotOptions } from '../../sessions/types/page-values.ts'
import { definePageTool } from '../../sessions/tools/define-session-tool.ts'
import { omit } from '../../tool/field-texts.ts'
import { optionalTarget, targetFields } from '../../tool/target.ts'
import { fileFieldsOf } from '../../tool/file-fields.ts'

export const screenshot = definePageTool({
  name: 'screenshot',
  title: 'Screenshot',
  description: 'Image of the viewport, full page or an element.',
  effect: 'reads',
  showsImage: true,
  timeoutKind: 'navigation',
  input: {
    ...targetFields,
    fullPage: v.optional(v.boolean()),
    format: v.optional(v.picklist(['png', 'jpeg'])),
    maxWidth: v.optional(v.pipe(v.number(), v.integer(), v.minValue(16), v.maxValue(10_000))),
  },
  output: {
    width: v.number(),
    height: v.number(),
    path: v.optional(v.string()),
    resource: v.optional(v.string()),
    notes: v.optional(v.array(v.string())),
  },
  texts: {
    width: (width: number, { height }) => [`${width} × ${String(height)}`],
    height: omit,
  },
  async run({ selector, ref, ...options }, page, deadline, { session }) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const request = { ...options, target: target.value } as ScreenshotOptions
    const capture = await page.screenshot(request, deadline)
    return capture.ok ? answerScreenshot(capture.value, session.folder) : capture
  },
})

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
