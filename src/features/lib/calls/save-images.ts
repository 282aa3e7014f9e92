// The pictures of an answer as files: a command line has paths only.

import type { Outcome } from '../../../core/base/failure.ts'
import { ok } from '../../../core/base/result.ts'
import type { successResult } from '../../../core/mcp/answers/format-result.ts'
import { resultTextOf } from '../../../core/mcp/answers/result-text.ts'
import type { FieldTexts } from '../../../core/tool/field-texts.ts'

export type CallToolResult = ReturnType<typeof successResult>

type Data = Readonly<Record<string, unknown>>

/** What is printed of an answer: its data, or the text that a model reads. */
export interface PrintedAnswer {
  readonly data: Data
  readonly text: string
}

type WriteFile = (name: string, bytes: Uint8Array) => Promise<Outcome<{ readonly path: string }>>

/** The answer of a call with this `input` to a tool with these `texts`. Its data may name the file that has the picture, as that of a comparison does. */
export async function saveImages(
  result: CallToolResult,
  texts: FieldTexts,
  input: Data,
  write: WriteFile,
): Promise<Outcome<PrintedAnswer>> {
  const data = dataOf(result)
  const images = result.content.filter((block) => block.type === 'image')
  if (images.length === 0) return ok({ data, text: textOf(result) })
  const paths: string[] = []
  for (const { mimeType, data: base64 } of 'path' in data || 'created' in data ? [] : images) {
    const name = `screenshot.${mimeType.slice('image/'.length)}`
    const file = await write(name, Buffer.from(base64, 'base64'))
    if (!file.ok) return file
    paths.push(file.value.path)
  }
  const answer = { ...data, ...(paths.length === 1 ? { path: paths[0] } : paths.length > 1 && { paths }) }
  return ok({ data: answer, text: resultTextOf({ data: answer }, texts, input) })
}

export const textOf = ({ content }: CallToolResult): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')

/** The data of an answer; one with a picture has it as text alone. */
export function dataOf({ structuredContent, content: [first] }: CallToolResult): Data {
  if (structuredContent) return structuredContent as Data
  return first?.type === 'text' ? (JSON.parse(first.text) as Data) : {}
}
