// The images of the calls of `steps` before one failed: not every client shows the images of a failure, so they are saved as files.

import * as v from 'valibot'
import { defineSessionTool } from '../define/define-tool.ts'
import type { ToolContext } from '../define/tool.ts'
import { ok } from '../../core/result.ts'
import type { Image } from '../../runtime/ports/page/screenshots.ts'
import type { ToolResult } from '../../runtime/ports/tool-call.ts'

/** An image of a call; `index` is that of the call. */
export interface StepImage {
  readonly index: number
  readonly image: Image
}

const SAVED_IMAGE_LIMIT = 8

/** The images of a call; none if its result names the file that has them. */
export const imagesOfStep = ({ data, images = [] }: ToolResult, index: number): readonly StepImage[] =>
  'path' in data ? [] : images.map((image) => ({ index, image }))

/** The lines of the calls with the paths of their images. Only the newest images are saved, none if the session is closed. */
export async function addImagePaths(
  lines: readonly string[],
  images: readonly StepImage[],
  sessionKey: string | undefined,
  context: ToolContext,
): Promise<readonly string[]> {
  const newest = images.slice(-SAVED_IMAGE_LIMIT)
  if (newest.length === 0) return lines
  const input = { images: newest, ...(sessionKey !== undefined && { sessionId: sessionKey }) }
  const call = saveImages.bind(input, true)
  const outcome = call.ok ? await call.value.run(context) : undefined
  if (!outcome?.ok) return lines
  const { paths } = outcome.value.data as { readonly paths: readonly (string | undefined)[] }
  return lines.map((line, index) => {
    const own = paths.filter((path, at) => path !== undefined && newest[at]?.index === index)
    return own.length === 0 ? line : `${line} (image: ${own.join(', ')})`
  })
}

// --- internal ---

const saveImages = defineSessionTool({
  name: 'steps',
  title: '',
  description: '',
  effect: 'reads',
  input: { images: v.array(v.custom<StepImage>((image) => typeof image === 'object')) },
  output: { paths: v.array(v.optional(v.string())) },
  async run({ images }, { folder }) {
    const paths: (string | undefined)[] = []
    for (const { image } of images) {
      const artifact = await folder.write(`screenshot.${image.mimeType.slice('image/'.length)}`, image.bytes)
      paths.push(artifact.ok ? artifact.value.path : undefined)
    }
    return ok({ data: { paths } })
  },
})
