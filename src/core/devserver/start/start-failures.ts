// The failures of a server that did not start or has exited.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { ServerStartFailed } from '../../base/failure-records.ts'
import type { Failure } from '../../base/failure.ts'
import { findErrorLines, findFailureOutput, limitOutput } from '../../base/text/error-lines.ts'
import { showPageText } from '../../base/text/invisible-characters.ts'
import { stripTerminalCodes } from '../../base/text/terminal-codes.ts'
import type { ServerHooks, ServerRequest } from '../../sessions/types/servers.ts'
import { findAnnouncedUrl, portOf } from '../dev-server.ts'
import type { ServerProcess } from '../process/child-process.ts'
import { describeHiddenPort, readActivity } from '../process/process-activity.ts'
import { findHeldPort, type HeldPort } from './describe-problems.ts'
import { findTakenPort, isTakenPort } from './failed-processes.ts'
import { findMissingPackage, findMissingPackages } from './missing-packages.ts'
import { describeSpawnError } from './run-command.ts'

type CommandRequest = Omit<ServerRequest, 'port'> & { readonly command: string | readonly string[] }

type StartRequest = CommandRequest & { readonly port: number | undefined; readonly isPortGiven: boolean }

const commandOf = ({ command }: Pick<CommandRequest, 'command'>): string =>
  typeof command === 'string' ? command : command.join(' ')

const outputOf = ({ lastLines, logs }: ServerProcess) => ({
  logs,
  stdout: lastLines.stdout.slice(-30).map(stripTerminalCodes),
  stderr: lastLines.stderr.slice(-50).map(stripTerminalCodes),
})

const OUTPUT_LIMITS = { most: 30, characters: 3000, more: '… more: read_server_logs' } as const
const uniqueLinesOf = (lines: readonly string[]) => [...new Set(lines)]
const toOutputLines = (lines: readonly string[]) =>
  lines.map((line) => ({ text: stripTerminalCodes(line), age: '' }))

/** Its error output: the errors on stdout, as build tools print them, and all of stderr; without duplicates, because it was requested several times. */
export const errorOutputOf = ({ lastLines }: ServerProcess): readonly string[] =>
  limitOutput(
    [
      ...findFailureOutput(toOutputLines(uniqueLinesOf(lastLines.stdout))),
      ...toOutputLines(uniqueLinesOf(lastLines.stderr)),
    ],
    OUTPUT_LIMITS,
  )

/** The lines of its output that describe an error. */
export const errorLinesOf = ({ lastLines }: ServerProcess): readonly string[] =>
  findErrorLines([...lastLines.stderr, ...lastLines.stdout].map(stripTerminalCodes))

export function describeExit(child: ServerProcess): string {
  const { code, signal } = child.exit() ?? { code: null, signal: null }
  return signal ? `ended by ${signal}` : `exited with code ${code}`
}

/** The failure for an allowed program whose path resolves to another file now. */
export const programMovedFailureOf = (command: CommandRequest['command'], text: string): Failure => ({
  code: 'SERVER_START_FAILED',
  reason: 'permission_denied',
  command: commandOf({ command }),
  text,
})

export async function exitFailureOf(
  child: ServerProcess,
  request: StartRequest,
  hooks: Pick<ServerHooks, 'sessionAt'>,
): Promise<Failure> {
  const { code = null, signal = null, error } = child.exit() ?? {}
  const command = commandOf(request)
  if (error) {
    const failure = describeSpawnError(error, { path: command, cwd: request.cwd })
    return { code: 'SERVER_START_FAILED', command, ...failure, ...npxCommandOf(failure.reason, request) }
  }
  const reason =
    code === 127
      ? 'command_not_found'
      : code === 126
        ? 'permission_denied'
        : code === 0 || signal
          ? 'exited'
          : 'non_zero_exit'
  const exit = { ...(code !== null && { exitCode: code }), ...(signal && { signal }) }
  const holder = await findHolder(child, request, hooks)
  const cause = holder ? `: ${holder.text}` : ''
  return {
    code: 'SERVER_START_FAILED',
    reason,
    command,
    text: `${command} ${describeExit(child)} before it was ready${cause}`,
    ...exit,
    ...npxCommandOf(reason, request),
    ...missingPackagesOf(reason, child, request),
    holder,
    ...outputOf(child),
  }
}

// Package scripts find what is installed in node_modules, a shell does not.
function npxCommandOf(
  reason: ServerStartFailed['reason'],
  request: CommandRequest,
): Pick<ServerStartFailed, 'npxCommand'> {
  const command = commandOf(request)
  const program = command.trim().split(/\s/)[0] ?? ''
  const isName = reason === 'command_not_found' && /^[\w@.-]+$/.test(program)
  const path = join(request.cwd ?? process.cwd(), 'node_modules/.bin', program)
  return isName && existsSync(path) ? { npxCommand: `npx ${command.trim()}` } : {}
}

const linesOf = ({ lastLines }: ServerProcess): readonly string[] =>
  [...lastLines.stdout, ...lastLines.stderr].map(stripTerminalCodes)

const NOT_FOUND = /\bnot found\b|cannot find (module|package)|could not (find|resolve)|not recognized as/i

function missingPackagesOf(
  reason: ServerStartFailed['reason'],
  child: ServerProcess,
  { cwd }: CommandRequest,
): Pick<ServerStartFailed, 'missingPackages'> {
  const lines = linesOf(child)
  const folder = cwd ?? process.cwd()
  const isNotFound = reason === 'command_not_found' || lines.some((line) => NOT_FOUND.test(line))
  const missingPackages =
    (isNotFound ? findMissingPackages(folder) : undefined) ?? findMissingPackage(folder, lines)
  return missingPackages ? { missingPackages } : {}
}

// Not every program names the port that was taken: then it is that of an address which it prints, or one that the caller has named.
async function findHolder(
  child: ServerProcess,
  request: StartRequest,
  hooks: Pick<ServerHooks, 'sessionAt'>,
): Promise<HeldPort | undefined> {
  const lines = linesOf(child)
  const refusals = lines.filter((line) => isTakenPort(line) || ALREADY_RUNNING.test(line))
  if (refusals.length === 0) return undefined
  const ports = [
    ...refusals.flatMap((line) => findTakenPort(line) ?? []),
    ...lines.flatMap((line) => findAnnouncedUrl(line) ?? []).map(portOf),
    ...(request.port === undefined ? [] : [request.port]),
    ...portsIn(commandOf(request)),
  ]
  const holders = await Promise.all([...new Set(ports)].map((port) => findHeldPort(port, hooks)))
  return holders.find((holder) => holder !== undefined)
}

const ALREADY_RUNNING = /\balready (?:running|started|listening)\b/i

const portsIn = (command: string): number[] => (command.match(/\b\d{4,5}\b/g) ?? []).map(Number)

/** The failure for a server without a usable response, as it is made once the server is stopped; `answers` describes its responses. */
export async function timeoutFailureOf(
  child: ServerProcess,
  request: StartRequest,
  waited: number,
  answers: readonly string[],
  hooks: Pick<ServerHooks, 'sessionAt'>,
): Promise<() => ServerStartFailed> {
  const { ports, listens } = readActivity(child.tree)
  const portsText = ports.length > 0 ? `it listens on ${ports.join(', ')}` : 'it opened no port'
  const urlText = request.readyUrl === undefined ? '' : ` at ${request.readyUrl}`
  const command = commandOf(request)
  const hidden = request.port === undefined ? '' : describeHiddenPort(child.tree.members(), request.port)
  const isTaken = request.isPortGiven && request.port !== undefined && listens(request.port) === false
  const holder = isTaken ? await findHeldPort(request.port, hooks) : undefined
  const endText = child.exit() ? `it ${describeExit(child)}` : ''
  return () => {
    const question = findQuestion(child)
    const questionText = question === undefined ? '' : `it asks ${showPageText(question, 'quoted')}`
    const details = [questionText, endText, holder?.text, portsText, ...answers, hidden].filter(Boolean)
    const text = `${command} was not ready${urlText} within ${waited} ms; ${details.join('; ')}`
    const facts = { question, holder }
    return {
      code: 'SERVER_START_FAILED',
      reason: 'timeout',
      command,
      text,
      waited,
      ports,
      ...facts,
      ...outputOf(child),
    }
  }
}

const QUESTION_LIMIT_LINES = 4
const QUESTION =
  /\?\s{0,3}[›>»:]?\s{0,3}([([][^)\]]{1,60}[)\]])?\s{0,3}[›>»:]?\s{0,3}$|[([](y\/n|yes\/no)[)\]]|\bpress (any key|enter|return)\b/i

/** What it asks on its terminal: what it prints while it is stopped may come after it. */
const findQuestion = ({ lastLines }: ServerProcess): string | undefined =>
  [lastLines.stdout, lastLines.stderr]
    .flatMap((lines) => lines.slice(-QUESTION_LIMIT_LINES))
    .map((line) => stripTerminalCodes(line).trim().slice(-300))
    .findLast((line) => QUESTION.test(line))
