// Which clients show their model a picture that comes with a failing call. Others drop it, or hand it over as base64 text that costs
// tens of thousands of tokens (Gemini CLI), so only those whose source shows that they pass it on are listed; each by the name that it
// gives in `initialize`. Everybody else gets the path and the resource of the picture.

import { INLINE_IMAGE_PIXELS } from '../core/picture-plan.ts'
import type { Image } from '../runtime/ports/page.ts'

const clients: readonly RegExp[] = [
  // VS Code: mcpLanguageModelToolContribution.ts adds every image of `content`, whatever `isError` says. Its editions differ in the name.
  /^Visual Studio Code( - Insiders| - Exploration)?$/,
  /^Code - OSS$/,
  // Codex: CallToolResult.as_function_call_output_payload converts the images of `content`, whatever `is_error` says, unless there is
  // structured content; an answer of ours with an image has none.
  /^codex-mcp-client$/,
]

/** Which pictures of failures are part of an answer, beside their file: one of a large page may cost more than all else. */
export type FailureImages = 'all' | 'small' | 'none'

export const failureImagesFor = (clientName: string | undefined): FailureImages =>
  clientName !== undefined && clients.some((client) => client.test(clientName)) ? 'small' : 'none'

/** How many pixels a picture of a failure should have at most, so that it is one of `images`. */
export const pixelsFor = (images: FailureImages): number =>
  images === 'none' ? Infinity : INLINE_IMAGE_PIXELS

/** Rounding may have added a row and a column. */
export const isShown = ({ width, height }: Image, images: FailureImages): boolean =>
  images === 'all' || (images === 'small' && (width - 1) * (height - 1) <= INLINE_IMAGE_PIXELS)
