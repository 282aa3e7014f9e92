// Results of tool calls in the form of MCP.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Image } from '../../runtime/ports/page.ts'

// Several clients pass either the structured content or the content to their model, so a result with images has only the content.
export function resultOf(data: object, images: readonly Image[]): CallToolResult {
  const content = [{ type: 'text' as const, text: resultTextOf(data) }, ...imageBlocksOf(images)]
  return images.length > 0 ? { content } : { content, structuredContent: { ...data } }
}

/** What a model reads of a successful result. */
export const resultTextOf = (data: object): string => JSON.stringify(data)

export const imageBlocksOf = (images: readonly Image[]) =>
  images.map(({ bytes, mimeType }) => ({
    type: 'image' as const,
    mimeType,
    data: Buffer.from(bytes).toString('base64'),
  }))
