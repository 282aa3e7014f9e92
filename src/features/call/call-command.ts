// `footlight call`: tools from the shell. Several calls share one server, and so one session.

import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import process from 'node:process'
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import type { Outcome } from '../../core/base/failure.ts'
import type { Folder } from '../../core/base/files/files.ts'
import { createFiles } from '../../core/base/files/session-files.ts'
import { err, ok, type Result } from '../../core/base/result.ts'
import { clip } from '../../core/base/text/clip.ts'
import { parseJson } from '../../core/base/text/json.ts'
import { screenshot } from '../../core/browser/tools/screenshot.ts'
import { optionsIn, parseSettings, readArgs } from '../../core/cli/commands/parse-settings.ts'
import { allToolNames, describeUnknownTool, findTool } from '../../core/cli/commands/print-tools.ts'
import { callableTools } from '../../core/cli/options/choose-tools.ts'
import { type Flags, toCamelCase } from '../../core/cli/options/flags.ts'
import { findOptionConflict, withoutServing } from '../../core/cli/options/option-conflicts.ts'
import { optionNames } from '../../core/cli/options/option-list.ts'
import { VERSION } from '../../core/cli/options/version.ts'
import { fail, printLine, printMessage } from '../../core/cli/terminal/output.ts'
import { createProgressLine } from '../../core/cli/terminal/progress.ts'
import { joinCommand } from '../../core/cli/terminal/quote-command.ts'
import { everyTool } from '../../core/cli/tools/catalogue.ts'
import { failureRecordOf } from '../../core/mcp/answers/failure-text.ts'
import { failureResult } from '../../core/mcp/answers/format-result.ts'
import { createToolNames, type ToolNames } from '../../core/mcp/calls/tool-names.ts'
import type { Command } from '../../core/tool/command.ts'
import { describeProblem } from '../lib/calls/check-input.ts'
import { readFieldValue } from '../lib/calls/read-field.ts'
import { type PrintedAnswer, saveImages, textOf } from '../lib/calls/save-images.ts'
import {
  connectClient,
  createHttpTransport,
  createOwnServerTransport,
  describeNoServer,
} from './own-client.ts'

/** Runs the calls of a command line, one after the other, until one fails. Answers the exit code: 2 if nothing was run because of a mistake. */
export async function runCall(rawArgs: readonly string[], command: Command): Promise<number> {
  const flags = readArgs(command, rawArgs, Infinity)
  if (!flags.ok) return fail(describeFieldOption(rawArgs, command) ?? flags.error, 2)
  const { values, rest } = flags.value
  const server = values.get('server')
  if (server !== undefined && !/^https?:\/\/[^/]/.test(server))
    return fail(`call: --server: expected a URL such as http://127.0.0.1:3000/mcp, received ${server}`, 2)
  const raw = optionsIn(flags.value)
  const { settings, tools } = parseSettings(raw)
  const output: OutputOptions = {
    isText: isTextWanted(flags.value),
    folder: createFiles(settings.outputDir).folder('call'),
    isOwnServer: server === undefined,
  }
  if (server !== undefined) return callServer(new URL(server), rest, output)
  const calls = parseCalls(rest, createToolNames(callableTools(settings.tools, tools), settings.names))
  if (!calls.ok) return fail(calls.error, 2)
  const conflict = findOptionConflict(withoutServing(settings))
  if (conflict !== undefined) return fail(conflict, 2)
  const transport = createOwnServerTransport([...raw, '--implicit-session'])
  const client = await connectClient(transport).catch((error: Error) => error)
  if (client instanceof Error) return fail(`call: the server failed to start (${client.message})`)
  const exitCode = await runCalls(client, calls.value, output)
  if (process.stderr.isTTY && needsMoreCalls(calls.value, exitCode)) printMessage(SESSION_NOTE)
  return exitCode
}

const SESSION_NOTE =
  "this session has ended with the command, and so have its dev server and their files. Put the next calls into the same command: footlight call create_session 'command=npm run dev' navigate url=/ snapshot"

/** Whether the calls make sense only together with others: a session that is opened and not used, a test of no action. */
function needsMoreCalls(calls: readonly ToolCall[], exitCode: number): boolean {
  const [first, last] = [calls[0], calls.at(-1)].map((call) => call && findTool(call.tool)?.name)
  return exitCode === 0 ? last === 'create_session' : first === 'save_test'
}

async function callServer(url: URL, words: readonly string[], output: OutputOptions): Promise<number> {
  const client = await connectClient(createHttpTransport(url)).catch((error: Error) => error)
  if (client instanceof Error) return fail(`call: ${describeNoServer(url, client)}`)
  const calls = parseCalls(words, knownNamesOf(client))
  if (calls.ok) return runCalls(client, calls.value, output)
  await client.close()
  return fail(calls.error, 2)
}

/** The tools of a running server, if it is this program in this version. */
function knownNamesOf(client: Client): ToolNames | undefined {
  const { name, version } = client.getServerVersion() ?? {}
  return name === 'footlight' && version === VERSION ? allToolNames : undefined
}

async function runCalls(client: Client, calls: readonly ToolCall[], output: OutputOptions): Promise<number> {
  try {
    for (const { tool, input } of calls) {
      const progress = createProgressLine(process.stderr, () => performance.now())
      const onprogress = ({ message = '' }: { message?: string | undefined }) => progress.show(message)
      const options = { onprogress, timeout: 600_000, resetTimeoutOnProgress: true }
      const result = await client
        .callTool({ name: tool, arguments: input }, options)
        .catch((error: Error) => error)
      progress.clear()
      if (result instanceof Error) return fail(`call: ${tool}: ${result.message}`)
      if (await printAnswer(result, input, output)) return 1
    }
    return 0
  } finally {
    await client.close()
  }
}

function isTextWanted({ values }: Flags): boolean {
  const [json, text] = ['json', 'text'].map((name) => values.get(name))
  if (json !== undefined) return json === 'false'
  return text === undefined ? process.stdout.isTTY : text === 'true'
}

/** What to write instead of the input of a tool as an option; undefined if there is none. */
function describeFieldOption(rawArgs: readonly string[], { args }: Command): string | undefined {
  const fields = new Set(everyTool.flatMap(({ input }) => Object.keys(input.entries)))
  const known = [...optionNames, ...Object.keys(args)]
  const field = rawArgs
    .map((arg) => toCamelCase(/^--([\w-]+)/.exec(arg)?.[1] ?? ''))
    .find((name) => fields.has(name) && !known.includes(name))
  if (field === undefined) return undefined
  return `call: --${field} is no option. Write ${field}=… after the name of the tool; --server URL calls a running server`
}

// What `footlight call` prints of an answer. Files that would end with its server are kept in the output directory.
type Data = Readonly<Record<string, unknown>>

interface OutputOptions {
  /** Whether it is the text that a model reads, or else a line of JSON. */
  readonly isText: boolean
  readonly folder: Folder
  /** Whether the server, with its temporary files, ends with the calls. */
  readonly isOwnServer: boolean
}

/** Prints the answer to a call and says whether it failed, also because its files could not be written. */
async function printAnswer(result: CallToolResult, input: Data, options: OutputOptions): Promise<boolean> {
  const answer = await keepFiles(result, input, options)
  if (answer.ok) {
    printLine(options.isText ? answer.value.text : JSON.stringify(answer.value.data))
    return result.isError === true
  }
  const failure = failureResult(failureRecordOf(answer.error, Date.now()))
  printLine(options.isText ? textOf(failure) : JSON.stringify(failure.structuredContent))
  return true
}

async function keepFiles(
  result: CallToolResult,
  input: Data,
  { folder, isOwnServer }: OutputOptions,
): Promise<Outcome<PrintedAnswer>> {
  const answer = await saveImages(result, screenshot.texts ?? {}, input, folder.write)
  if (!answer.ok || !isOwnServer || !result.isError) return answer
  return ok(await saveLogs(logPathsOf(answer.value.data), answer.value, folder))
}

/** The log files of a dev server that failed to start. */
function logPathsOf({ details }: Data): readonly string[] {
  const { logs = {} } = (details ?? {}) as { logs?: object }
  return Object.values(logs).filter((path) => typeof path === 'string')
}

async function saveLogs(
  paths: readonly string[],
  { data, text }: PrintedAnswer,
  folder: Folder,
): Promise<PrintedAnswer> {
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

// The calls in the words of a command line. All mistakes that can be seen without a server are found here, before anything starts.
interface ToolCall {
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

/** The fields of a word that is input; undefined for other words. */
function readInput(tool: string, word: string): Record<string, unknown> | undefined {
  if (word.startsWith('{')) return parseJson(word) as Record<string, unknown> | undefined
  const [, key = '', text = ''] = PAIR.exec(word) ?? []
  return key === '' ? undefined : { [key]: readValue(tool, key, text) }
}

function readValue(tool: string, key: string, text: string): unknown {
  const match = allToolNames.resolve(tool, { [key]: text })
  const [field = key] = Object.entries(match?.input ?? {}).find((entry) => entry[1] === text) ?? []
  return readFieldValue(match?.tool.input.entries[field], text)
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
  const problem = match && describeProblem(match.tool, match.input)
  return problem && `${tool}: ${problem} footlight tools ${tool} shows its fields.`
}
