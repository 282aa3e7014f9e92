// What a command prints of an answer, and its exit code. Both follow from the data of the answer.

import type { Failure } from '../../core/base/failure.ts'
import { toKebabCase } from '../../core/cli/options/option-names.ts'
import { joinCommand } from '../../core/cli/terminal/quote-command.ts'
import { failureRecordOf } from '../../core/mcp/answers/failure-text.ts'
import { failureResult } from '../../core/mcp/answers/format-result.ts'
import { formatSessionName } from '../../core/sessions/store/session-name.ts'
import {
  type CallToolResult,
  dataOf,
  type PrintedAnswer,
  saveImages,
  textOf,
} from '../lib/calls/save-images.ts'
import type { ShellAnswer } from '../lib/socket/shell-answer.ts'
import { EXIT_CODES } from '../lib/socket/shell-message.ts'
import { DEFAULT_SESSION, type ShellCall, type ShellCommand } from './parse-shell-command.ts'
import type { ShellServer } from './shell-server.ts'
import { verbs } from './verbs.ts'

type Data = Readonly<Record<string, unknown>>

export interface CommandAnswer extends PrintedAnswer {
  readonly exitCode: number
}

/** The answer of a call, with its pictures as files. */
export async function readAnswer(
  result: CallToolResult,
  { tool, input }: ShellCall,
  { writeFile }: Pick<ShellServer, 'writeFile'>,
): Promise<CommandAnswer> {
  const answer = await saveImages(result, tool.texts ?? {}, input, writeFile)
  if (answer.ok)
    return {
      ...answer.value,
      exitCode: result.isError === true ? exitCodeOf(answer.value.data) : EXIT_CODES.success,
    }
  return failedAnswer(answer.error)
}

/** The answer of a command that failed after its call. */
export function failedAnswer(failure: Failure): CommandAnswer {
  const result = failureResult(failureRecordOf(failure, Date.now()))
  return { data: dataOf(result), text: textOf(result), exitCode: EXIT_CODES.failure }
}

/** `toolName` is the tool whose value `--raw` prints. */
export function formatAnswer(
  { data, text, exitCode }: CommandAnswer,
  { format, session }: Pick<ShellCommand, 'format' | 'session'>,
  toolName: string,
): ShellAnswer {
  const printed =
    format === 'json'
      ? JSON.stringify(data)
      : data['errorCode'] === undefined
        ? format === 'raw'
          ? rawTextOf(data[valueFields[toolName] ?? ''])
          : textTools.has(toolName)
            ? text
            : inShellWords(text)
        : data['errorCode'] === 'SESSION_NOT_FOUND'
          ? describeMissingSession(session)
          : inShellWords(text)
  return { text: printed === '' ? '' : `${printed}\n`, exitCode, stream: 'stdout' }
}

// --- internal ---

/** The field of a tool that is its value. */
const valueFields: Readonly<Record<string, string>> = {
  compare: 'steps',
  console_messages: 'entries',
  dom_snapshot: 'nodes',
  evaluate: 'result',
  exists: 'exists',
  get_content: 'content',
  get_session_status: 'status',
  list_sessions: 'sessions',
  mock: 'mocks',
  network_requests: 'entries',
  pdf: 'path',
  read_server_logs: 'text',
  report: 'path',
  save_test: 'path',
  screenshot: 'path',
  select: 'selected',
  snapshot: 'snapshot',
  steps: 'steps',
  storage_state: 'state',
  tabs: 'tabs',
  timeline: 'entries',
  trace: 'path',
  video: 'path',
}

/** Tools whose value is text that others have written, as it stands. */
const textTools: ReadonlySet<string> = new Set(['evaluate', 'get_content', 'read_server_logs'])

/** A text as it is, a list in lines, everything else as JSON. */
function rawTextOf(value: unknown): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map(rawTextOf).join('\n')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Failures that say by `details.reason` that a deadline was why. */
const timedCodes: ReadonlySet<unknown> = new Set([
  'NAVIGATION_FAILED',
  'SERVER_START_FAILED',
  'TEST_RUN_FAILED',
])

function exitCodeOf({ errorCode, details }: Data): number {
  if (errorCode === 'SESSION_NOT_FOUND' || errorCode === 'SESSION_EXPIRED') return EXIT_CODES.noSession
  const isTimeout = timedCodes.has(errorCode) && (details as Data | undefined)?.['reason'] === 'timeout'
  return isTimeout || errorCode === 'TIMEOUT' || errorCode === 'PAGE_HUNG'
    ? EXIT_CODES.timeout
    : EXIT_CODES.failure
}

/** Tools by the verbs that call them; a name of one word is a verb itself. */
const verbsOfTools: ReadonlyMap<string, string> = new Map(
  verbs.map(({ tools: [tool], names: [verb = ''] }) => [tool.name, verb] as const).toReversed(),
)

/** The text with the verbs in place of the tools, and options in place of fields. What a page says is indented or quoted, and stays. */
const inShellWords = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      /^\s/.test(line)
        ? line
        : line.replace(CREATION_INPUT, '$1').replace(/"(?:[^"\\]|\\.)*"|[^"]+|"/g, replaceTools),
    )
    .join('\n')

/** The arguments of a tool are no words of a command. */
const CREATION_INPUT = /(create_session) (\{.*\}|with the same arguments)/

const replaceTools = (part: string): string =>
  part.startsWith('"')
    ? part
    : part
        .replace(/\b(Call )?([a-z]+(?:_[a-z]+)+)\b(?!:)/g, (name, call, tool) => {
          const verb = verbsOfTools.get(tool)
          return verb === undefined ? name : `${call ? 'Run ' : ''}footlight ${verb}`
        })
        .replace(/\bpass ([a-z]+(?:[A-Z][a-z]+)*)\b/g, (_, field) => `pass --${toKebabCase(field)}`)

function describeMissingSession(session: string): string {
  const name = session === DEFAULT_SESSION ? [] : ['-s', session]
  const open = joinCommand(['footlight', ...name, 'open', 'URL'], process.platform)
  return `SESSION_NOT_FOUND: There is no session ${formatSessionName(session)}. Open it with ${open}; footlight list shows the open ones.`
}
