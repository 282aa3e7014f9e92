// How a failure is told to each client: what of it a model gets to see, and what it costs there, depends on the client. Each is known
// by the name that it gives in `initialize`, and only those whose source shows it are listed.

import { INLINE_IMAGE_PIXELS } from '../core/picture-plan.ts'
import type { Image } from '../runtime/ports/page.ts'

export interface FailureForm {
  /** Which pictures are part of the answer, beside their file: one of a large page may cost more than all else. */
  readonly images: 'all' | 'small' | 'none'
  /** What the record is as: text, and structured content too; or only a text that is no JSON. */
  readonly record: 'structured' | 'text'
  /** What the answer may cost. */
  readonly tokens: number
}

// Some clients drop the picture of a failure, so it is named only. Tokens are estimated; the rest of 1,200 is for what that misses.
export const usualForm: FailureForm = { images: 'none', record: 'structured', tokens: 1080 }

const forms: readonly (readonly [client: RegExp, form: Partial<FailureForm>])[] = [
  // VS Code: mcpLanguageModelToolContribution.ts adds every image of `content`, whatever `isError` says. Its editions differ in the name.
  [/^Visual Studio Code( - Insiders| - Exploration)?$/, { images: 'small' }],
  [/^Code - OSS$/, { images: 'small' }],
  // Codex: CallToolResult.as_function_call_output_payload converts the images of `content`, whatever `is_error` says, unless there is
  // structured content; an answer of ours with an image has none.
  [/^codex-mcp-client$/, { images: 'small' }],
  // Gemini CLI: DiscoveredMCPToolInvocation.execute words a failure as the JSON of the whole result, where a picture is base64 text,
  // structured content comes beside the same text, and quotes are quoted twice. McpComplianceTransport.fixStructuredContent adds
  // structured content to a text that is JSON.
  [/^gemini-cli-mcp-client$/, { record: 'text', tokens: 940 }],
]

export const failureFormFor = (clientName = ''): FailureForm => ({
  ...usualForm,
  ...forms.find(([client]) => client.test(clientName))?.[1],
})

/** How many pixels a picture of a failure should have at most. */
export const pixelsFor = ({ images }: FailureForm): number =>
  images === 'none' ? Infinity : INLINE_IMAGE_PIXELS

/** Whether a picture is part of the answer. Rounding may have added a row and a column to it. */
export const isShown = ({ width, height }: Image, { images }: FailureForm): boolean =>
  images === 'all' || (images === 'small' && (width - 1) * (height - 1) <= INLINE_IMAGE_PIXELS)
