// How a test starts the server that a session used.

import type { WebServer } from './test-plan.ts'
import type { DevServer, ServerRequest } from '../dev-server.ts'

/** The `webServer` of a session's server, at the port that it had; undefined for a program of the server contract and for a server that was
 * running already. `cwd` is relative to the folder of the configuration. */
export function webServerOf(
  request: ServerRequest,
  server: Pick<DevServer, 'url' | 'variablePort' | 'mode'>,
  cwd: string,
): WebServer | undefined {
  const { command, env = {} } = request
  const { url, mode, variablePort } = server
  if (command === undefined || mode !== 'direct') return undefined
  return {
    command: typeof command === 'string' ? command : command.map(quoteArgument).join(' '),
    url: url.replace(/\/$/, ''),
    env: { ...env, ...(variablePort !== undefined && { PORT: String(variablePort) }) },
    ...(cwd !== '' && { cwd }),
  }
}

// --- internal ---

const quoteArgument = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`
