// What a command of the shell and the server on a private socket say to each other: a line that names both ends, then lines of MCP. A
// command is a `tools/call` whose `_meta` has the words of its line, so that only the server has to know what they mean.

import { formatJsonLine, type JsonLine } from '../../../core/base/system/json-lines.ts'
import { isRecord } from '../../../core/base/text/json.ts'
import type { ShellAnswer } from './shell-answer.ts'

export interface ShellCommandLine {
  /** Without the name of the program. */
  readonly argv: readonly string[]
  /** The folder in which it was given. */
  readonly cwd: string
  /** What was piped in, for the verbs that read it. */
  readonly stdin?: string
  /** Width of the terminal; undefined in a pipe. */
  readonly columns?: number
  /** Whether to answer only for a session that is open, because the caller looks through several servers for it. */
  readonly isOnlyExisting?: boolean
}

export const EXIT_CODES = {
  success: 0,
  failure: 1,
  usage: 2,
  noSession: 3,
  noServer: 4,
  timeout: 124,
} as const

/** The session that the first words of a command line name, and the words after them: a verb and what follows it. */
export function splitSessionOption(argv: readonly string[]): {
  /** Undefined without the option, empty without its value. */
  readonly session: string | undefined
  readonly words: readonly string[]
} {
  const [first = '', second = ''] = argv
  const [, joinedName] = /^(?:-s|--session)=(.*)$/s.exec(first) ?? []
  if (joinedName !== undefined) return { session: joinedName, words: argv.slice(1) }
  return /^(-s|--session)$/.test(first)
    ? { session: second, words: argv.slice(2) }
    : { session: undefined, words: argv }
}

/** What is said instead of an answer where no server gives one. */
export const noServerAnswer = (text: string): ShellAnswer => ({
  text: `footlight: ${text}\n`,
  exitCode: EXIT_CODES.noServer,
  stream: 'stderr',
})

export const HELLO_LIMIT_BYTES = 100
const HELLO = /^footlight\/1 (\S+)$/

export const helloOf = (version: string): string => `footlight/1 ${version}\n`

/** The version of the client that begins with this line; undefined if it is none of ours, as a request of a web page. */
export const versionOfHello = (line: string): string | undefined => HELLO.exec(line)?.[1]

/** The method of a message by which the view of another server asks for something. */
export const VIEW_METHOD = 'footlight/view'

const COMMAND_KEY = 'footlight/command'
const ANSWER_KEY = 'footlight/answer'

export function formatCommand(command: ShellCommandLine, version: string): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'footlight-shell', version },
    'io.modelcontextprotocol/clientCapabilities': {},
    progressToken: 1,
    [COMMAND_KEY]: command,
  }
  const params = { name: 'shell', arguments: {}, _meta }
  return formatJsonLine({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
}

export function commandOfMessage(
  message: object,
): { readonly id: string | number; readonly command: ShellCommandLine } | undefined {
  const { id, method, params } = message as {
    readonly id?: string | number
    readonly method?: string
    readonly params?: { readonly _meta?: { readonly [COMMAND_KEY]?: ShellCommandLine } }
  }
  const command = params?._meta?.[COMMAND_KEY]
  return method === 'tools/call' && id !== undefined && command ? { id, command } : undefined
}

/** The result of a command. */
export const formatAnswer = (answer: ShellAnswer): object => ({
  content: [{ type: 'text', text: answer.text }],
  ...(answer.exitCode !== 0 && { isError: true }),
  _meta: { [ANSWER_KEY]: answer },
})

/** What a line of the server says: the answer, the progress of the command, or why there is no answer. */
export function parseAnswer(
  line: JsonLine,
): ShellAnswer | { readonly progress: string } | { readonly error: string } {
  const message = 'value' in line ? recordOf(line.value) : undefined
  if (!message) return { error: 'the server said something that is no answer' }
  const answer = recordOf(recordOf(recordOf(message['result'])?.['_meta'])?.[ANSWER_KEY])
  if (answer) {
    const { text, exitCode, stream } = answer
    return typeof text === 'string' &&
      Number.isInteger(exitCode) &&
      (stream === 'stdout' || stream === 'stderr')
      ? (answer as unknown as ShellAnswer)
      : { error: 'the server gave an answer of another form' }
  }
  if (message['error'] !== undefined) return { error: textOf(recordOf(message['error'])?.['message']) }
  return { progress: textOf(recordOf(message['params'])?.['message']) }
}

/** What asks the server whether it still answers. */
export const pingLine = formatJsonLine({ jsonrpc: '2.0', id: 'alive', method: 'ping' })

const recordOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  isRecord(value) ? value : undefined

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
