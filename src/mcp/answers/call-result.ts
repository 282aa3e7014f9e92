// Results of tool calls in the form of MCP.

import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Image } from '../../runtime/ports/page/screenshots.ts'

// Several clients pass either the structured content or the content to their model, so a result with images has only the content, and all
// of its data as text.
export function resultOf(data: object, images: readonly Image[], text: string): CallToolResult {
  if (images.length > 0) return { content: [textBlockOf(JSON.stringify(data)), ...imageBlocksOf(images)] }
  return { content: [textBlockOf(text)], structuredContent: { ...data } }
}

export const textBlockOf = (text: string) => ({ type: 'text' as const, text })

export const imageBlocksOf = (images: readonly Image[]) =>
  images.map(({ bytes, mimeType }) => ({
    type: 'image' as const,
    mimeType,
    data: Buffer.from(bytes).toString('base64'),
  }))
