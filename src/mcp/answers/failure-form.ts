// The form of a failure for each client: what of it a model sees, and what it costs, depends on the client. Each is known
// by the name that it gives in `initialize`, and only those whose source shows it are listed.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { imageBlocksOf, resultOf } from './call-result.ts'
import { INLINE_IMAGE_LIMIT_PIXELS } from '../../core/evidence/image-plan.ts'
import { estimateTokens, estimateImageTokens } from '../../core/evidence/token-estimate.ts'
import type { Evidence } from '../../runtime/ports/session-manager.ts'
import type { Image } from '../../runtime/ports/page.ts'

export interface FailureForm {
  /** Which pictures are part of the answer, beside their file: one of a large page may cost more than all else. */
  readonly images: 'all' | 'small' | 'none'
  /** Where the record is: in the structured content and as text; only there, with its sentence as text; or only in a text, which is no
   * JSON. */
  readonly record: 'both' | 'structured' | 'text'
  /** What the answer may cost. */
  readonly tokenLimit: number
}

// Some clients drop the picture of a failure, so it is named only. Tokens are estimated; the rest of 1,200 is for what that misses.
export const defaultFailureForm: FailureForm = { images: 'none', record: 'both', tokenLimit: 1080 }

const clientForms: readonly (readonly [client: RegExp, form: Partial<FailureForm>])[] = [
  // VS Code: mcpLanguageModelToolContribution.ts adds every image of `content`, whatever `isError` says. Its editions differ in the name.
  [/^Visual Studio Code( - Insiders| - Exploration)?$/, { images: 'small' }],
  [/^Code - OSS$/, { images: 'small' }],
  // Codex: where a model calls tools by itself it gets the structured content instead of the content. In the code mode of the newer models
  // a program gets the whole result, and what it prints of that is text: a picture would be base64, and the same record come twice.
  [/^codex-mcp-client$/, { record: 'structured', tokenLimit: 1040 }],
  // Gemini CLI: DiscoveredMCPToolInvocation.execute words a failure as the JSON of the whole result, where a picture is base64 text,
  // structured content comes beside the same text, and quotes are quoted twice. McpComplianceTransport.fixStructuredContent adds
  // structured content to a text that is JSON.
  [/^gemini-cli-mcp-client$/, { record: 'text', tokenLimit: 940 }],
]

export const failureFormFor = (clientName = ''): FailureForm => ({
  ...defaultFailureForm,
  ...clientForms.find(([client]) => client.test(clientName))?.[1],
})

/** How many pixels a picture of a failure should have at most. */
export const imageLimitPixelsOf = ({ images }: FailureForm): number =>
  images === 'none' ? Infinity : INLINE_IMAGE_LIMIT_PIXELS

/** Whether a picture is part of the answer. Rounding may have added a row and a column to it. */
export const isInlineImage = ({ width, height }: Image, { images }: FailureForm): boolean =>
  images === 'all' || (images === 'small' && (width - 1) * (height - 1) <= INLINE_IMAGE_LIMIT_PIXELS)

// The pictures of a failure count too, but the text of its evidence has some room in any case.
const MINIMUM_EVIDENCE_TOKENS = 300

/** How many tokens the evidence may cost beside these texts and pictures. */
export function evidenceLimitTokensOf(
  texts: readonly string[],
  images: readonly Image[],
  { tokenLimit }: FailureForm,
): number {
  const taken = [...texts.map(estimateTokens), ...images.map(estimateImageTokens)]
  return Math.max(
    MINIMUM_EVIDENCE_TOKENS,
    taken.reduce((left, cost) => left - cost, tokenLimit),
  )
}

/** What stands as text beside a record that is structured content alone: what a person would read of it. */
export function summaryOf(
  { record }: FailureForm,
  { errorCode, message }: { readonly errorCode: string; readonly message: string },
  evidence: Evidence | undefined,
): string | undefined {
  if (record !== 'structured') return undefined
  const picture = evidence?.screenshot ? ` Picture: ${evidence.screenshot.path}` : ''
  return `${errorCode}: ${message}${picture}`
}

/** The result with the record where the client looks for it; `words` are the text where that is not the record. */
export function formatFailure(
  told: object,
  images: readonly Image[],
  { record }: FailureForm,
  words: string | undefined,
): CallToolResult {
  const result = resultOf({ ...told }, images)
  const text = record === 'text' ? `Failed: ${JSON.stringify(told)}` : words
  if (text === undefined || (record === 'structured' && images.length > 0)) return result
  const content = [{ type: 'text' as const, text }, ...imageBlocksOf(images)]
  return record === 'text' ? { content } : { ...result, content }
}
