// The calls in the words of a command line. All mistakes that can be seen without a server are found here, before anything starts.

import process from 'node:process'
import * as v from 'valibot'
import { allToolNames, describeUnknownTool, findTool } from './find-tool.ts'
import { joinCommand } from '../setup/quote-command.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { clip } from '../../core/text/clip.ts'
import { failureRecordOf } from '../../mcp/answers/failure-text.ts'
import { parseInput } from '../../mcp/calls/parse-input.ts'
import type { ToolNames } from '../../mcp/calls/tool-names.ts'

export interface ToolCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

const EXAMPLE = 'footlight call navigate url=https://example.org snapshot \'{"depth": 3}\''
const PAIR = /^([A-Za-z]\w*)=([^]*)$/
const WORD_LIMIT_CHARS = 200

const couldBeName = (word: string): boolean => /^[\w.-]+$/.test(word) && /\w/.test(word)

/** The calls in `words`: a tool's name, then its input as `key=value` or as JSON. `names` are the tools of the server, if they are known: only
 * then names and inputs are checked. Errors are sentences. */
export function parseCalls(
  words: readonly string[],
  names: ToolNames | undefined,
): Result<readonly ToolCall[], string> {
  const calls: ToolCall[] = []
  for (const word of words) {
    const previous = calls.at(-1)
    const isInput = word.startsWith('{') || PAIR.test(word)
    if (isInput && !previous) return err(`call: the name of a tool comes before its input: ${EXAMPLE}`)
    const fields = previous && readInput(previous.tool, word)
    if (isInput && !fields)
      return err(`call: the input of ${previous?.tool} is not JSON: ${clip(word, WORD_LIMIT_CHARS)}`)
    if (previous && fields) calls[calls.length - 1] = { ...previous, input: { ...previous.input, ...fields } }
    else if (names ? names.resolve(word, {}) : couldBeName(word)) calls.push({ tool: word, input: {} })
    else return err(`call: ${describeStrayWord(word, previous, names)}`)
  }
  if (calls.length === 0) return err(`call: the name of a tool is missing: ${EXAMPLE}`)
  const problem = names && calls.map((call) => findProblem(call, names)).find(Boolean)
  return problem ? err(`call: ${problem}`) : ok(calls)
}

// --- internal ---

/** The fields of a word that is input; undefined for other words. */
function readInput(tool: string, word: string): Record<string, unknown> | undefined {
  if (word.startsWith('{')) return parseJson(word) as Record<string, unknown> | undefined
  const [, key = '', text = ''] = PAIR.exec(word) ?? []
  return key === '' ? undefined : { [key]: readValue(tool, key, text) }
}

/** The text itself where the field takes it, else what it means as JSON: a number, true, a list. */
function readValue(tool: string, key: string, text: string): unknown {
  const value = parseJson(text)
  if (value === undefined || typeof value === 'string') return text
  const match = allToolNames.resolve(tool, { [key]: text })
  const [field = key] = Object.entries(match?.input ?? {}).find((entry) => entry[1] === text) ?? []
  const schema = match?.tool.input.entries[field]
  if (!schema || isAnyValue(schema)) return value
  const isStructured = typeof value === 'object' && value !== null
  const takesText = !isStructured && v.safeParse(schema, text).success
  return !takesText && v.safeParse(schema, value).success ? value : text
}

function isAnyValue(schema: v.GenericSchema & { readonly wrapped?: v.GenericSchema }): boolean {
  const { type } = schema.wrapped ?? schema
  return type === 'any' || type === 'unknown'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describeStrayWord(
  word: string,
  previous: ToolCall | undefined,
  names: ToolNames | undefined,
): string {
  const isName = couldBeName(word)
  const problem = `"${clip(word, WORD_LIMIT_CHARS)}" is no tool, no key=value and no JSON.`
  const field = previous && Object.keys(previous.input).length === 0 ? mainFieldOf(previous.tool) : undefined
  if (!previous || field === undefined || (isName && names?.findClosest(word) !== undefined))
    return isName && names ? describeUnknownTool(word, names) : `${problem} For example: ${EXAMPLE}`
  const line = joinCommand([previous.tool, `${field}=${word}`], process.platform)
  return `${problem} Did you mean ${clip(line, WORD_LIMIT_CHARS)}?`
}

/** The field that people mean when they name none. */
function mainFieldOf(name: string): string | undefined {
  const entries = findTool(name)?.input.entries ?? {}
  const required = Object.keys(entries).find((field) => entries[field]?.type !== 'optional')
  return required ?? ['selector', 'text'].find((field) => field in entries)
}

function findProblem({ tool, input }: ToolCall, names: ToolNames): string | undefined {
  const match = names.resolve(tool, input)
  const call = match && parseInput(match.tool, match.input, true)
  if (!call || call.ok) return undefined
  return `${tool}: ${failureRecordOf(call.error, 0).message} footlight tools ${tool} shows its fields.`
}
