// The failures of a server that did not start or has exited.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { ServerProcess } from '../process/child-process.ts'
import { describeHiddenPort, readActivity } from '../process/process-activity.ts'
import { describeSpawnError } from './run-command.ts'
import { limitOutput, findErrorLines, findFailureOutput } from '../../core/evidence/error-lines.ts'
import type { Failure } from '../../core/failure.ts'
import type { ServerStartFailed } from '../../core/failure-records.ts'
import type { ServerRequest } from '../../core/dev-server.ts'
import { stripTerminalCodes } from '../../core/text/terminal-codes.ts'

type CommandRequest = ServerRequest & { readonly command: string | readonly string[] }

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

/** The failure for a server that exited before it was ready. */
export function exitFailureOf(child: ServerProcess, request: CommandRequest): Failure {
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
  return {
    code: 'SERVER_START_FAILED',
    reason,
    command,
    text: `${command} ${describeExit(child)} before it was ready`,
    ...exit,
    ...npxCommandOf(reason, request),
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

/** The failure for a server without a usable response; `answers` describes its responses. */
export function timeoutFailureOf(
  child: ServerProcess,
  request: CommandRequest & { readonly port: number },
  waited: number,
  answers: readonly string[],
): ServerStartFailed {
  const { ports } = readActivity(child.tree)
  const portsText = ports.length > 0 ? `it listens on ${ports.join(', ')}` : 'it opened no port'
  const urlText = request.readyUrl === undefined ? '' : ` at ${request.readyUrl}`
  const command = commandOf(request)
  const hidden = describeHiddenPort(child.tree.members(), request.port)
  const details = [portsText, ...answers, hidden].filter(Boolean).join('; ')
  const text = `${command} was not ready${urlText} within ${waited} ms; ${details}`
  return { code: 'SERVER_START_FAILED', reason: 'timeout', command, text, waited, ports, ...outputOf(child) }
}
