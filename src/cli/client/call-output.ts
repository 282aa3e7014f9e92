// What `footlight call` prints of an answer. Files that would end with its server are kept in the output directory.

import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { dataOf } from './own-client.ts'
import { printLine } from '../output.ts'
import { ok } from '../../core/result.ts'
import type { Outcome } from '../../core/failure.ts'
import { failureRecordOf } from '../../mcp/answers/failure-text.ts'
import { failureResult } from '../../mcp/answers/format-result.ts'
import { resultTextOf } from '../../mcp/answers/result-text.ts'
import type { Folder } from '../../runtime/ports/files.ts'

type Data = Readonly<Record<string, unknown>>

export interface OutputOptions {
  /** Whether it is the text that a model reads, or else a line of JSON. */
  readonly isText: boolean
  readonly folder: Folder
  /** Whether the server, with its temporary files, ends with the calls. */
  readonly isOwnServer: boolean
}

/** Prints the answer to a call and says whether it failed, also because its files could not be written. */
export async function printAnswer(
  result: CallToolResult,
  input: Data,
  options: OutputOptions,
): Promise<boolean> {
  const answer = await keepFiles(result, input, options)
  if (answer.ok) {
    printLine(options.isText ? answer.value.text : JSON.stringify(answer.value.data))
    return result.isError === true
  }
  const failure = failureResult(failureRecordOf(answer.error, Date.now()))
  printLine(options.isText ? textOf(failure) : JSON.stringify(failure.structuredContent))
  return true
}

// --- internal ---

interface Answer {
  readonly data: Data
  readonly text: string
}

const textOf = ({ content }: CallToolResult): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')

async function keepFiles(
  result: CallToolResult,
  input: Data,
  { folder, isOwnServer }: OutputOptions,
): Promise<Outcome<Answer>> {
  const data = dataOf(result)
  const images = result.content.filter((block) => block.type === 'image')
  if (images.length > 0) return saveImages(images, data, input, folder)
  const logs = isOwnServer && result.isError ? logPathsOf(data) : []
  return ok(await saveLogs(logs, { data, text: textOf(result) }, folder))
}

// The answer may name a file that has the image, as that of a comparison does.
async function saveImages(
  images: readonly { readonly mimeType: string; readonly data: string }[],
  data: Data,
  input: Data,
  folder: Folder,
): Promise<Outcome<Answer>> {
  const paths: string[] = []
  for (const { mimeType, data: base64 } of 'path' in data || 'created' in data ? [] : images) {
    const name = `screenshot.${mimeType.slice('image/'.length)}`
    const file = await folder.write(name, Buffer.from(base64, 'base64'))
    if (!file.ok) return file
    paths.push(file.value.path)
  }
  const answer = { ...data, ...(paths.length === 1 ? { path: paths[0] } : paths.length > 1 && { paths }) }
  return ok({ data: answer, text: resultTextOf({ data: answer }, input) })
}

/** The log files of a dev server that failed to start. */
function logPathsOf({ details }: Data): readonly string[] {
  const { logs = {} } = (details ?? {}) as { logs?: object }
  return Object.values(logs).filter((path) => typeof path === 'string')
}

async function saveLogs(paths: readonly string[], { data, text }: Answer, folder: Folder): Promise<Answer> {
  let answer = { json: JSON.stringify(data), text }
  for (const path of paths) {
    const log = await readFile(path).catch(() => undefined)
    const file = log && (await folder.write(basename(path), log))
    if (!file?.ok) continue
    const { path: copy } = file.value
    answer = {
      json: answer.json.replaceAll(JSON.stringify(path), () => JSON.stringify(copy)),
      text: answer.text.replaceAll(path, () => copy),
    }
  }
  return { data: JSON.parse(answer.json) as Data, text: answer.text }
}
