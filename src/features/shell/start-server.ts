// Starts the server that answers the shell of a work tree and agent.

import { spawn } from 'node:child_process'
import process from 'node:process'
import type { Readable } from 'node:stream'
import { err } from '../../core/base/result.ts'
import { parseSettings } from '../../core/cli/commands/parse-settings.ts'
import { switches } from '../../core/cli/options/command-options.ts'
import { toCamelCase } from '../../core/cli/options/flags.ts'
import { optionNames } from '../../core/cli/options/option-list.ts'
import { selfCommand } from '../../core/cli/terminal/start-command.ts'
import { coreTools } from '../../core/cli/tools/catalogue.ts'
import { startDetachedScript } from '../../core/devserver/process/detached-script.ts'
import { failureRecordOf } from '../../core/mcp/answers/failure-text.ts'
import { failureResult, successResult } from '../../core/mcp/answers/format-result.ts'
import { listSessions } from '../../core/sessions/tools/session.ts'
import type { ShellAnswer } from '../lib/socket/shell-answer.ts'
import { noServerAnswer, type ShellCommandLine } from '../lib/socket/shell-message.ts'
import { newSocketPath, type SocketPlace } from '../lib/socket/socket-folder.ts'
import type { CallingAgent, OwnerProcess } from './calling-agent.ts'
import { DEFAULT_SESSION } from './parse-shell-command.ts'
import { runShellCommand } from './run-shell-command.ts'
import type { ShellServer } from './shell-server.ts'
import { verbs } from './verbs.ts'

/** The hidden command of this program that serves the shell. */
const SHELL_SERVER_COMMAND = 'serve-shell'

export interface ShellServerStart extends SocketPlace {
  readonly path: string
  readonly owner?: OwnerProcess
}

/** Starts a server and waits until it listens. Returns the command without the options that the server has taken, or why there is none. */
export async function startServer(
  folder: string,
  place: SocketPlace,
  { owner }: CallingAgent,
  command: ShellCommandLine,
): Promise<ShellCommandLine | ShellAnswer> {
  const socket = newSocketPath(folder, place)
  if (typeof socket === 'string') return noServerAnswer(socket)
  const { path } = socket
  const { options, argv } = splitServerOptions(command.argv)
  parseSettings(options)
  const start: ShellServerStart = { ...place, path, owner }
  const problem = await spawnServer(start, options)
  return problem === undefined ? { ...command, argv } : noServerAnswer(problem)
}

// The executable ends with its parent, so this script stays as the parent. When the server has ended in whatever way, it removes what that left.
const PARENT_SCRIPT = `
trap '' HUP INT TERM
umask 077
socket=$1
cd -- "$2" || exit
shift 2
"$@" 2>"$socket.log"
cat -- "$socket.log"
rm -f -- "$socket" "$socket~" "$socket.log"
`

async function spawnServer(start: ShellServerStart, options: readonly string[]): Promise<string | undefined> {
  const { path, tree } = start
  const { command, args } = selfCommand([SHELL_SERVER_COMMAND, JSON.stringify(start), ...options])
  const [input, output] =
    process.platform === 'win32'
      ? [undefined, spawnOnWindows(command, args, tree)]
      : startDetachedScript(PARENT_SCRIPT, [path, tree, command, ...args], { hasOutput: true })
  const text = output ? await readUntilReady(output) : ''
  input?.destroy()
  output?.destroy()
  if (!text.startsWith(READY_LINE)) return `the server failed to start. ${text.trim()}`
  process.stderr.write(text.slice(READY_LINE.length))
  return undefined
}

function spawnOnWindows(command: string, args: readonly string[], cwd: string): Readable {
  const child = spawn(command, args, {
    detached: true,
    windowsHide: true,
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.on('error', () => {})
  child.unref()
  return child.stdout
}

/** What a server writes once it listens; after it may stand what the user has to know. */
export const READY_LINE = 'ready\n'

function readUntilReady(output: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    output.setEncoding('utf8')
    output.on('data', (chunk: string) => {
      text += chunk
      if (text.startsWith(READY_LINE)) resolve(text)
    })
    output.once('close', () => resolve(text))
  })
}

// Options of the server that no session has.
const sessionFields = new Set([...Object.keys(coreTools.createSession.input.entries), 'headed'])
const serverOptionNames: readonly string[] = optionNames.filter((name) => !sessionFields.has(name))

/** The options of the server among the words of a command, and the rest. */
function splitServerOptions(words: readonly string[]): { options: string[]; argv: string[] } {
  const [options, argv]: [string[], string[]] = [[], []]
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    const [, negation, name = '', value] = /^--(no-)?([\w-]+)(=.*)?$/s.exec(word) ?? []
    const option = toCamelCase(name)
    const isOption = serverOptionNames.includes(option)
    ;(isOption ? options : argv).push(word)
    const takesNext = isOption && value === undefined && negation === undefined && !isSwitch(option)
    if (takesNext && index + 1 < words.length) options.push(words[(index += 1)] ?? '')
  }
  return { options, argv }
}

const isSwitch = (name: string): boolean => (switches as readonly string[]).includes(name)

/** What is said where no server runs and the command starts none: that no session is open, what is wrong with the command, or what it can do
 * without one. */
export const runWithoutServer = (command: ShellCommandLine): Promise<ShellAnswer> =>
  runShellCommand(command, serverWithoutSessions)

const serverWithoutSessions: ShellServer = {
  async callTool(name, input) {
    if (name === listSessions.name)
      return successResult({ data: { sessions: [] } }, listSessions.texts, input)
    const verb = verbs.find(({ tools: [tool], runAlone }) => runAlone && tool.name === name)
    const { sessionId, ...fields } = input
    const outcome =
      verb?.runAlone && sessionId === DEFAULT_SESSION
        ? await verb.runAlone(fields)
        : err({ code: 'SESSION_NOT_FOUND' } as const)
    return outcome.ok
      ? successResult({ data: outcome.value }, verb?.tools[0].texts, input)
      : failureResult(failureRecordOf(outcome.error, Date.now()))
  },
  writeFile: async () => err({ code: 'SESSION_NOT_FOUND' }),
  saveCopy: async () => err({ code: 'SESSION_NOT_FOUND' }),
}
