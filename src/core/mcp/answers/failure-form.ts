// The form of a failure for each client, because clients differ in what their model sees and what it costs. A client is identified by its
// name in `initialize`; only clients whose source code was read are listed.

import type { CallToolResult } from '@modelcontextprotocol/server'
import { INLINE_IMAGE_LIMIT_PIXELS } from '../../base/image-plan.ts'
import type { Image } from '../../base/image.ts'
import { estimateImageTokens, estimateTokens } from '../../base/token-estimate.ts'
import type { Evidence } from '../../tool/evidence.ts'
import { joinLines } from '../../tool/plain-lines.ts'

export interface FailureForm {
  /** Which images the answer contains besides their file. A large one may cost more than everything else. */
  readonly images: 'all' | 'small' | 'none'
  /** Where the record is: in the structured content and as text; in the structured content, with its message as text; or only as text. */
  readonly record: 'both' | 'structured' | 'text'
  /** Maximum estimated tokens of the answer. */
  readonly tokenLimit: number
  /** Whether the newest lines of stderr are there as they were gathered, whatever they cost. */
  readonly hasAllServerErrors: boolean
}

// Some clients drop the image of a failure, so only its file is named. The rest of 1,200 tokens covers the error of the estimate.
export const defaultFailureForm: FailureForm = {
  images: 'none',
  record: 'both',
  tokenLimit: 1080,
  hasAllServerErrors: false,
}

const clientForms: readonly (readonly [client: RegExp, form: Partial<FailureForm>])[] = [
  // VS Code: mcpLanguageModelToolContribution.ts adds every image of `content`, even with `isError`. Its editions differ in the name.
  [/^Visual Studio Code( - Insiders| - Exploration)?$/, { images: 'small' }],
  [/^Code - OSS$/, { images: 'small' }],
  // Codex: a model that calls tools directly gets the structured content instead of the content. In the code mode of the newer models a
  // program gets the whole result and prints it as text: an image would be base64, and the record would appear twice.
  [/^codex-mcp-client$/, { record: 'structured', tokenLimit: 1040 }],
  // Gemini CLI: DiscoveredMCPToolInvocation.execute formats a failure as the JSON of the whole result: an image is base64 text, structured
  // content repeats the text, and quotes are escaped twice. McpComplianceTransport.fixStructuredContent adds structured content to a text
  // that is JSON.
  [/^gemini-cli-mcp-client$/, { record: 'text', tokenLimit: 940 }],
]

export const failureFormFor = (clientName = ''): FailureForm => ({
  ...defaultFailureForm,
  ...clientForms.find(([client]) => client.test(clientName))?.[1],
})

/** Maximum pixels of the image of a failure. */
export const imageLimitPixelsOf = ({ images }: FailureForm): number =>
  images === 'none' ? Infinity : INLINE_IMAGE_LIMIT_PIXELS

// Rounding may have added a row and a column to it.
const isInlineImage = ({ width, height }: Image, { images }: FailureForm): boolean =>
  images === 'all' || (images === 'small' && (width - 1) * (height - 1) <= INLINE_IMAGE_LIMIT_PIXELS)

const STEP_IMAGE_LIMIT = 2

/** The images that the answer contains: of the calls of `steps` before the failure the newest ones, then that of the failure. */
export const inlineImagesOf = (
  stepImages: readonly Image[],
  image: Image | undefined,
  form: FailureForm,
): readonly Image[] => [
  ...stepImages.filter((one) => isInlineImage(one, form)).slice(-STEP_IMAGE_LIMIT),
  ...(image && isInlineImage(image, form) ? [image] : []),
]

// The images of a failure count too, but the text of its evidence may always use this much.
const MINIMUM_EVIDENCE_TOKENS = 300

/** Maximum tokens of the evidence in addition to these texts and images. */
export function evidenceLimitTokensOf(
  texts: readonly string[],
  images: readonly Image[],
  { tokenLimit }: FailureForm,
): number {
  const costs = [...texts.map(estimateTokens), ...images.map(estimateImageTokens)]
  return Math.max(
    MINIMUM_EVIDENCE_TOKENS,
    costs.reduce((remaining, cost) => remaining - cost, tokenLimit),
  )
}

/** The text beside a record that is only in the structured content; undefined for other forms. */
export function summaryOf(
  { record }: FailureForm,
  { errorCode, message }: { readonly errorCode: string; readonly message: string },
  evidence: Evidence | undefined,
): string | undefined {
  if (record !== 'structured') return undefined
  const imageNote = evidence?.screenshot ? ` Picture: ${evidence.screenshot.path}` : ''
  return joinLines([`${errorCode}: ${message}${imageNote}`])
}

/** The result with the record where the client reads it, and this text. */
export function formatFailure(
  failureRecord: object,
  images: readonly Image[],
  { record }: FailureForm,
  text: string,
): CallToolResult {
  if (record === 'text') return { content: [textBlockOf(text), ...imageBlocksOf(images)] }
  return resultOf(failureRecord, images, text)
}

// Results of tool calls in the form of MCP.
// Several clients pass either the structured content or the content to their model, so a result with images has only the content, and all
// of its data as text.
export function resultOf(data: object, images: readonly Image[], text: string): CallToolResult {
  if (images.length > 0) return { content: [textBlockOf(JSON.stringify(data)), ...imageBlocksOf(images)] }
  return { content: [textBlockOf(text)], structuredContent: { ...data } }
}

const textBlockOf = (text: string) => ({ type: 'text' as const, text })

const imageBlocksOf = (images: readonly Image[]) =>
  images.map(({ bytes, mimeType }) => ({
    type: 'image' as const,
    mimeType,
    data: Buffer.from(bytes).toString('base64'),
  }))
