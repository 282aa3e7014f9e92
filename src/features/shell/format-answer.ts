// What a command prints of an answer, and its exit code. Both follow from the data of the answer.

import type { Failure } from '../../core/base/failure.ts'
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
      : exitCode === EXIT_CODES.success
        ? format === 'raw'
          ? rawTextOf(data[valueFields[toolName] ?? ''])
          : text
        : data['errorCode'] === 'SESSION_NOT_FOUND'
          ? describeMissingSession(session)
          : withVerbs(text, String(data['message']))
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

/** The text of a failure, whose message names the verbs instead of the tools. */
const withVerbs = (text: string, message: string): string =>
  text.replace(message, () =>
    message
      // The arguments of a tool are no words of a command.
      .replace(/(create_session) (\{.*\}|with the same arguments)/, '$1')
      .replace(/\b[a-z]+(_[a-z]+)+\b/g, (name) =>
        verbsOfTools.has(name) ? `footlight ${verbsOfTools.get(name)}` : name,
      ),
  )

function describeMissingSession(session: string): string {
  const name = session === DEFAULT_SESSION ? [] : ['-s', session]
  const open = joinCommand(['footlight', ...name, 'open', 'URL'], process.platform)
  return `SESSION_NOT_FOUND: There is no session ${formatSessionName(session)}. Open it with ${open}; footlight list shows the open ones.`
}
