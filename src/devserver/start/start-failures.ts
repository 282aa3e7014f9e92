// Why a server of our own did not come up, or how it ended, in the words of the contract.

import type { Child } from '../process/child-process.ts'
import { notStarted } from './run-command.ts'
import { portsOf } from '../process/process-tree.ts'
import type { Place } from './server-place.ts'
import { boundLines, errorLinesIn, failuresIn } from '../../core/evidence/error-lines.ts'
import type { Failure, ServerStartFailed } from '../../core/failure.ts'
import type { ServerRequest } from '../../core/dev-server.ts'
import { plainLine } from '../../core/text/terminal-codes.ts'

type Request = ServerRequest & { readonly command: string | readonly string[] }

const commandOf = ({ command }: Pick<Request, 'command'>): string =>
  typeof command === 'string' ? command : command.join(' ')

const printed = ({ last, logs }: Child) => ({
  logs,
  stdout: last.stdout.slice(-30).map(plainLine),
  stderr: last.stderr.slice(-50).map(plainLine),
})

const OUTPUT = { most: 30, characters: 3000, more: '… more: read_server_logs' } as const
const unique = (lines: readonly string[]) => [...new Set(lines)]
const shown = (lines: readonly string[]) => lines.map((line) => ({ text: plainLine(line), age: '' }))

/** What it printed of errors: on stdout, as build tools do, and all of stderr; each line once, because it was asked several times. */
export const printedErrors = ({ last }: Child): readonly string[] =>
  boundLines([...failuresIn(shown(unique(last.stdout))), ...shown(unique(last.stderr))], OUTPUT)

/** The lines that it printed that name the cause of an error. */
export const printedCauses = ({ last }: Child): readonly string[] =>
  errorLinesIn([...last.stderr, ...last.stdout].map(plainLine))

export function endOf(child: Child): string {
  const { code, signal } = child.ended() ?? { code: null, signal: null }
  return signal ? `ended by ${signal}` : `exited with code ${code}`
}

/** It was judged before, and is another by now. */
export const notAllowedNow = (command: Request['command'], text: string): Failure => ({
  code: 'SERVER_START_FAILED',
  reason: 'permission_denied',
  command: commandOf({ command }),
  text,
})

/** It ended before it was ready. */
export function exited(child: Child, request: Request): Failure {
  const { code = null, signal = null, error } = child.ended() ?? {}
  const command = commandOf(request)
  if (error)
    return { code: 'SERVER_START_FAILED', command, ...notStarted(error, { path: command, cwd: request.cwd }) }
  const shell = typeof request.command === 'string'
  const reason =
    shell && code === 127
      ? 'command_not_found'
      : shell && code === 126
        ? 'permission_denied'
        : code === 0 || signal
          ? 'exited'
          : 'non_zero_exit'
  const exit = { ...(code !== null && { exitCode: code }), ...(signal && { signal }) }
  return {
    code: 'SERVER_START_FAILED',
    reason,
    command,
    text: `${command} ${endOf(child)} before it was ready`,
    ...exit,
    ...printed(child),
  }
}

/** It lives but does not answer as it should; `seen` are the answers that it gave. */
export function startTimeout(
  child: Child,
  request: Request,
  { tag }: Place,
  waited: number,
  seen: readonly string[],
): ServerStartFailed {
  const ports = portsOf(tag, child.pid)
  const opened = ports.length > 0 ? `it listens on ${ports.join(', ')}` : 'it opened no port'
  const asked = request.readyUrl === undefined ? '' : ` at ${request.readyUrl}`
  const command = commandOf(request)
  const text = `${command} was not ready${asked} within ${waited} ms; ${[opened, ...seen].join('; ')}`
  return { code: 'SERVER_START_FAILED', reason: 'timeout', command, text, waited, ports, ...printed(child) }
}
