// Runs a command of the shell inside the server: what its command line means as calls of tools, and what it prints of their answers.

import { readKeptFile } from '../../core/base/files/kept-files.ts'
import { wrapLines } from '../../core/cli/terminal/output.ts'
import { coreTools } from '../../core/cli/tools/catalogue.ts'
import { getSessionStatus } from '../../core/devserver/tools/server.ts'
import { resultTextOf } from '../../core/mcp/answers/result-text.ts'
import { formatSessionName } from '../../core/sessions/store/session-name.ts'
import { closeSession, listSessions } from '../../core/sessions/tools/session.ts'
import { steps } from '../../core/sessions/tools/steps.ts'
import { OMISSION_HINT } from '../../core/snapshot/outline.ts'
import { dataOf } from '../lib/calls/save-images.ts'
import type { ShellAnswer } from '../lib/socket/shell-answer.ts'
import { EXIT_CODES, type ShellCommandLine } from '../lib/socket/shell-message.ts'
import { type CommandAnswer, failedAnswer, formatAnswer, readAnswer } from './format-answer.ts'
import {
  type Opening,
  parseShellCommand,
  type ShellAction,
  type ShellCall,
  type ShellCommand,
} from './parse-shell-command.ts'
import type { ShellServer } from './shell-server.ts'

export async function runShellCommand(request: ShellCommandLine, server: ShellServer): Promise<ShellAnswer> {
  const command = parseShellCommand(request)
  if (!command.ok) return usageError(command.error)
  const answer = await runAction(command.value, {
    ...server,
    isOnlyExisting: request.isOnlyExisting === true,
  })
  return request.columns === undefined || command.value.format !== 'text'
    ? answer
    : { ...answer, text: wrapLines(answer.text, request.columns) }
}

// --- internal ---

const { createSession, snapshot } = coreTools

interface Shell extends ShellServer {
  readonly isOnlyExisting: boolean
}

const usageError = (message: string): ShellAnswer => ({
  text: `footlight: ${message}\n`,
  exitCode: EXIT_CODES.usage,
  stream: 'stderr',
})

async function runAction(command: ShellCommand, shell: Shell): Promise<ShellAnswer> {
  const { action } = command
  if (action.kind === 'help') {
    const { verbHelp } = await import('./verb-help.ts')
    return { text: `${verbHelp(action.verb)}\n`, exitCode: EXIT_CODES.success, stream: 'stdout' }
  }
  if (action.kind === 'closeAll') return formatAnswer(await closeAll(shell), command, closeSession.name)
  if (action.kind === 'call') {
    const answer = await runCall(action, command, shell)
    return formatAnswer(await judgeAnswer(answer, action), command, action.tool.name)
  }
  if (action.kind === 'steps') return runSteps(action, command, shell)
  const opening = await prepareOpening(action, command, shell)
  if ('problem' in opening) return usageError(opening.problem)
  return formatAnswer(await open(action, opening, command, shell), command, 'navigate')
}

const MARKDOWN_LIMIT_BYTES = 10_000_000

/** A success with the exit code of its verdict, with `--ci` as a pull request has it. */
async function judgeAnswer(
  answer: CommandAnswer,
  { judge, isCi }: Pick<Extract<ShellAction, { kind: 'call' }>, 'judge' | 'isCi'>,
): Promise<CommandAnswer> {
  const judgement = answer.exitCode === EXIT_CODES.success ? judge?.(answer.data) : undefined
  if (!judgement || !(isCi || judgement.isVerdict)) return answer
  const { exitCode, markdown } = judgement
  if (!isCi) return { ...answer, exitCode }
  const file = readKeptFile(markdown, MARKDOWN_LIMIT_BYTES)
  const text = file.ok && file.value ? file.value.toString('utf8') : answer.text
  return { ...answer, text: text.trimEnd(), exitCode }
}

async function runCall(
  call: ShellCall,
  { session, format }: ShellCommand,
  shell: Shell,
): Promise<CommandAnswer> {
  const { tool, input, saveAs } = call
  const isDefaultSize = tool === snapshot && !['maxChars', 'cursor', 'pattern'].some((name) => name in input)
  const fullInput = {
    ...('sessionId' in tool.input.entries && { sessionId: session }),
    ...(isDefaultSize && { maxChars: format === 'text' ? INLINE_SNAPSHOT_CHARS : WHOLE_SNAPSHOT_CHARS }),
    ...input,
  }
  const answer = await readAnswer(
    await shell.callTool(tool.name, fullInput),
    { tool, input: fullInput },
    shell,
  )
  const isOutline = isDefaultSize && answer.data['cursor'] !== undefined && format === 'text'
  if (isOutline) return addWholeSnapshot(answer, session, shell)
  return saveAs === undefined ? addPath(answer) : saveFile(answer, saveAs, shell)
}

/** The file that a command has written is named, also where its tool takes the path for an echo. */
function addPath(answer: CommandAnswer): CommandAnswer {
  const { path } = answer.data
  if (typeof path !== 'string' || answer.text.includes(path)) return answer
  return { ...answer, text: `${answer.text}\npath: ${path}`.trimStart() }
}

const INLINE_SNAPSHOT_CHARS = 4000
const WHOLE_SNAPSHOT_CHARS = 200_000

/** The answer with its file at the path that the caller wants. */
async function saveFile(answer: CommandAnswer, saveAs: string, { saveCopy }: Shell): Promise<CommandAnswer> {
  const { path: from } = answer.data
  if (typeof from !== 'string') return answer
  const path = await saveCopy(from, saveAs)
  if (!path.ok) return failedAnswer(path.error)
  const data = { ...answer.data, path: path.value }
  return { ...answer, data, text: answer.text.replace(from, () => path.value) }
}

/** The outline of a long page with a file that has all of it. */
async function addWholeSnapshot(
  outline: CommandAnswer,
  session: string,
  shell: Shell,
): Promise<CommandAnswer> {
  const parts: string[] = []
  for (let cursor: unknown = '0'; cursor !== undefined;) {
    const input = { sessionId: session, cursor, maxChars: WHOLE_SNAPSHOT_CHARS }
    const part = await readAnswer(
      await shell.callTool(snapshot.name, input),
      { tool: snapshot, input },
      shell,
    )
    if (part.exitCode !== EXIT_CODES.success) return part
    parts.push(String(part.data['snapshot']))
    cursor = part.data['cursor']
  }
  const whole = parts.join('')
  const { writeFile: write } = shell
  const file = await write('snapshot.txt', whole)
  if (!file.ok) return outline
  const lines = outline.text.replace(OMISSION_HINT, '').split('\n').slice(0, -1)
  const note = `all ${whole.split('\n').length} lines: ${file.value.path}; footlight find TEXT searches the page`
  return { ...outline, text: [...lines, note].join('\n') }
}

async function closeAll(shell: Shell): Promise<CommandAnswer> {
  const answers: CommandAnswer[] = []
  for (const { sessionId } of await readSessions(shell)) {
    const input = { sessionId }
    answers.push(
      await readAnswer(await shell.callTool(closeSession.name, input), { tool: closeSession, input }, shell),
    )
  }
  const failed = answers.find(({ exitCode }) => exitCode !== EXIT_CODES.success)
  const text = answers.map((answer) => answer.text).join('\n') || 'No session is open.'
  return {
    data: { closed: answers.map(({ data }) => data) },
    text,
    exitCode: failed?.exitCode ?? EXIT_CODES.success,
  }
}

interface SessionEntry {
  readonly sessionId: string
  readonly name: string
}

async function readSessions(shell: Shell): Promise<readonly SessionEntry[]> {
  const { sessions = [] } = dataOf(await shell.callTool(listSessions.name, {}))
  return sessions as readonly SessionEntry[]
}

/** Whether the session of the command is open, and the reason why the opening makes no sense if so. */
async function prepareOpening(
  { options, hasServer }: Opening,
  { session }: ShellCommand,
  shell: Shell,
): Promise<{ readonly isOpen: boolean } | { readonly problem: string }> {
  const sessions = await readSessions(shell)
  const isOpen = sessions.some(({ name, sessionId }) => name === session || sessionId === session)
  if (!isOpen || options.length === 0) return { isOpen }
  const name = formatSessionName(session)
  const advice = 'Close it first (footlight close), or open another one: footlight -s NAME'
  if (!hasServer)
    return {
      problem: `open: session ${name} is open, and ${options.join(', ')} is for a new one. ${advice} open URL`,
    }
  const { status } = dataOf(await shell.callTool(getSessionStatus.name, { sessionId: session }))
  return status === 'none'
    ? { problem: `up: session ${name} is open without a dev server. ${advice} up COMMAND` }
    : { isOpen }
}

/** The calls that open a session, before the one that opens its page. */
const creationOf = ({ create, load }: Opening, { isOpen }: { readonly isOpen: boolean }, shell: Shell) =>
  isOpen || shell.isOnlyExisting ? [] : [create, ...(load ? [load] : [])]

/** Opens the session unless it is open, and its page. */
async function open(
  opening: Opening,
  state: { readonly isOpen: boolean },
  command: ShellCommand,
  shell: Shell,
): Promise<CommandAnswer> {
  let created: CommandAnswer | undefined
  for (const call of creationOf(opening, state, shell)) {
    const answer = await runCall(call, command, shell)
    if (answer.exitCode !== EXIT_CODES.success) return answer
    created ??= answer
  }
  const page = await runCall(opening.navigate, command, shell)
  if (!created) return page
  return {
    data: page.exitCode === EXIT_CODES.success ? { ...page.data, session: created.data } : page.data,
    text: `${describeCreation(created, opening.create)}\n${page.text}`,
    exitCode: page.exitCode,
  }
}

/** What is new to the caller: the name of the session and the address of its server. */
function describeCreation({ data }: CommandAnswer, { input }: ShellCall): string {
  const { sessionId: _, expiresAt: __, name, url, message, ...rest } = data
  const server = url === undefined ? '' : `, its dev server at ${String(url)}`
  const own = `Session ${formatSessionName(String(name))} is open${server}.`
  const isExplained = 'restore' in input || 'attach' in input
  return resultTextOf(
    { data: { message: isExplained ? message : own, url, ...rest } },
    createSession.texts,
    input,
  )
}

async function runSteps(
  { opening, calls, input }: Extract<ShellAction, { kind: 'steps' }>,
  command: ShellCommand,
  shell: Shell,
): Promise<ShellAnswer> {
  const state = opening && (await prepareOpening(opening, command, shell))
  if (state && 'problem' in state) return usageError(`do: line 1: ${state.problem}`)
  const openingCalls = opening && state ? [...creationOf(opening, state, shell), opening.navigate] : []
  const allCalls = [...openingCalls, ...calls]
  const stepCalls = allCalls.map((call) => ({ tool: call.tool.name, ...call.input }))
  const answer = await runCall({ tool: steps, input: { calls: stepCalls, ...input } }, command, shell)
  return formatAnswer(answer, command, steps.name)
}
