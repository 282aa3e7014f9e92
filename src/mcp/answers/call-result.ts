// The result of a call as the protocol has it.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Image } from '../../runtime/ports/page.ts'

// Several clients give their model either the structured content or the content: with a picture there must be only one to choose.
export function resultOf(data: object, images: readonly Image[]): CallToolResult {
  const content = [{ type: 'text' as const, text: JSON.stringify(data) }, ...imageBlocksOf(images)]
  return images.length > 0 ? { content } : { content, structuredContent: { ...data } }
}

export const imageBlocksOf = (images: readonly Image[]) =>
  images.map(({ bytes, mimeType }) => ({
    type: 'image' as const,
    mimeType,
    data: Buffer.from(bytes).toString('base64'),
  }))
