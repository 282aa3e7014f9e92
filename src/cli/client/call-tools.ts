// Tools from the shell: each call's answer is one line of JSON on stdout. Several calls share one server, and so one session.

import process from 'node:process'
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { printMessage } from '../output.ts'
import { connectClient, dataOf, createOwnServerTransport, createHttpTransport } from './own-client.ts'
import { createFiles } from '../../runtime/files/session-files.ts'
import { err, ok, type Result } from '../../core/result.ts'

export interface Step {
  readonly tool: string
  readonly input: Record<string, unknown>
}

/** The calls in `words`: a tool's name, with or without its input as JSON after it. Errors are sentences. */
export function parseSteps(words: readonly string[]): Result<readonly Step[], string> {
  const steps: Step[] = []
  for (const word of words) {
    const previous = steps.at(-1)
    if (!word.startsWith('{')) {
      steps.push({ tool: word, input: {} })
      continue
    }
    const input = parseJson(word)
    if (!previous)
      return err('call: the tool name must precede its input, e.g. call navigate \'{"url":"…"}\'')
    if (!input) return err(`call: the input of ${previous.tool} is not JSON: ${word.slice(0, 200)}`)
    steps[steps.length - 1] = { tool: previous.tool, input }
  }
  return steps.length > 0
    ? ok(steps)
    : err('call: missing tool name, e.g. call navigate \'{"url":"…"}\'; footlight tools lists the tools')
}

/** Runs the calls one after the other, until one fails. Answers the exit code. */
export async function runSteps(
  steps: readonly Step[],
  raw: readonly string[],
  url: URL | undefined,
  outputDir: string,
): Promise<number> {
  const client = await connectClient(
    url ? createHttpTransport(url) : createOwnServerTransport([...raw, '--implicit-session']),
  )
  try {
    for (const { tool, input } of steps) {
      const hasFailed = await runStep(client, tool, input, outputDir)
      if (hasFailed) return 1
    }
    return 0
  } finally {
    await client.close()
  }
}

async function runStep(
  client: Client,
  tool: string,
  input: Step['input'],
  outputDir: string,
): Promise<boolean> {
  const onprogress = ({ message }: { message?: string | undefined }) => printMessage(`… ${message ?? ''}`)
  const options = { onprogress, timeout: 600_000, resetTimeoutOnProgress: true }
  const result = await client
    .callTool({ name: tool, arguments: input }, options)
    .catch((error: Error) => error)
  if (result instanceof Error) {
    printMessage(result.message)
    return true
  }
  process.stdout.write(`${JSON.stringify(dataOf(result))}\n`)
  await saveImages(result, outputDir)
  return result.isError === true
}

async function saveImages({ content }: CallToolResult, outputDir: string): Promise<void> {
  for (const block of content) {
    if (block.type !== 'image') continue
    const name = `picture.${block.mimeType.slice('image/'.length)}`
    const file = await createFiles(outputDir).folder('call').write(name, Buffer.from(block.data, 'base64'))
    if (file.ok) printMessage(`picture: ${file.value.path}`)
  }
}

function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
