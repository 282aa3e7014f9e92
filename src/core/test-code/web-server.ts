// How a test starts the server that a session used.

import type { WebServer } from './test-plan.ts'
import type { DevServer, ServerRequest } from '../dev-server.ts'

/** Ports from here on are assigned by the system: a session that names none gets one of them. */
const ASSIGNED_PORT_MINIMUM = 32_768
const USUAL_PORT = 3000

/** The `webServer` of a session's server; undefined for a program of the server contract and for a server that was running already. `cwd`
 * is relative to the folder of the configuration. */
export function webServerOf(
  request: ServerRequest,
  server: Pick<DevServer, 'url' | 'port' | 'mode'>,
  cwd: string,
): WebServer | undefined {
  const { command, port: requestedPort, env = {} } = request
  if (command === undefined || server.mode !== 'direct') return undefined
  // A port that was assigned for the session means nothing on another day.
  const isAssigned = requestedPort === undefined && server.port >= ASSIGNED_PORT_MINIMUM
  const port = isAssigned ? USUAL_PORT : server.port
  const url = new URL(server.url)
  url.port = String(port)
  const usesVariable = isAssigned || requestedPort !== undefined
  return {
    command: typeof command === 'string' ? command : command.map(quoteArgument).join(' '),
    url: url.origin,
    env: { ...env, ...(usesVariable && { PORT: String(port) }) },
    ...(cwd !== '' && { cwd }),
  }
}

// --- internal ---

const quoteArgument = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`
