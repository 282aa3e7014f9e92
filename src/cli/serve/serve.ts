// `footlight serve`: MCP over stdio or HTTP until stdin ends or a signal arrives.

import process from 'node:process'
import { createServices, type Services } from './create-services.ts'
import { createHttpReports } from './http-reports.ts'
import { createServerOptions, logInternalError } from './server-options.ts'
import { installShutdown } from './shutdown.ts'
import { startHttpServer } from './start-http-server.ts'
import { describeIgnoredOptions, findOptionConflict, isHttpTransport } from '../options/option-conflicts.ts'
import type { Settings } from '../options/options.ts'
import { exitWithUsageError, printMessage } from '../output.ts'
import { clip } from '../../core/text/clip.ts'
import type { Era } from '../../mcp/era.ts'
import { createServer } from '../../mcp/mcp-server.ts'
import type { ServerOptions } from '../../mcp/server-options.ts'
import { createListenToResources } from '../../mcp/resources/subscriptions.ts'
import { serveStdio } from '../../mcp/stdio.ts'
import type { Tool } from '../../tools/define/tool.ts'

const DEV_SERVER_SHUTDOWN_GRACE_MS = 1000
// The message may repeat what a client sent.
const LOGGED_ERROR_LIMIT_CHARS = 500

const WAITING_MESSAGE =
  'waiting for an MCP client on stdin; Ctrl+C ends it. footlight setup CLIENT adds Footlight to a client, footlight --help lists the commands'

// What the shutdown has to know of the HTTP server.
interface HttpListener {
  isDraining: boolean
  close: () => Promise<void>
}

export async function serve(settings: Settings, tools: readonly Tool[]): Promise<void> {
  const conflict = findOptionConflict(settings)
  if (conflict !== undefined) return exitWithUsageError(conflict)
  const services = createServices(settings)
  const { browsers, sessions, proxies, tests, temporary, log } = services
  const ignoredOptions = describeIgnoredOptions(settings)
  if (ignoredOptions !== undefined) log.warn(ignoredOptions)
  const listener: HttpListener = { isDraining: false, close: async () => {} }
  const shutdown = installShutdown(
    async () => {
      listener.isDraining = true
      await Promise.all([sessions.end(DEV_SERVER_SHUTDOWN_GRACE_MS), tests.end()])
      await Promise.all([browsers.end(), listener.close()])
      proxies.close()
    },
    () => temporary.remove(),
    (error) => logInternalError(log, error),
  )
  const options = createServerOptions(settings, tools, services)
  if (isHttpTransport(settings)) return serveHttp(settings, options, services, listener)
  await serveStandardStreams(options, services)
  return shutdown.end(0)
}

// --- internal ---

async function serveStandardStreams(options: ServerOptions, services: Services): Promise<void> {
  const owner = 'stdio'
  if (process.stdin.isTTY) printMessage(WAITING_MESSAGE)
  await serveStdio({
    createServer: (era) => createServer(options, owner, { era }),
    listenToResources: createListenToResources(services.sessions, owner),
    onError: logProtocolError(services),
    onFirstAnswer: services.browsers.prepare,
  })
}

async function serveHttp(
  settings: Settings,
  options: ServerOptions,
  services: Services,
  listener: HttpListener,
): Promise<void> {
  // Without authentication a request of the modern era has no sessions of its own that a call could leave out.
  const isAnonymous = (era: Era) => era === 'modern' && settings.auth === 'none'
  const optionsFor = (era: Era) => ({
    ...options,
    areCallsCounted: true,
    ...(isAnonymous(era) && { isSessionOptional: false }),
  })
  const startResult = await startHttpServer(settings, {
    createServer: (owner, client, era) => createServer(optionsFor(era), owner, { era, client }),
    listenToResources: (owner, ...listen) => createListenToResources(services.sessions, owner)(...listen),
    limiter: options.limiter,
    ...createHttpReports(services, () => listener.isDraining),
    onRequest: (event) => services.log.debug('request', event),
    onError: logProtocolError(services),
  })
  if (!startResult.ok) return exitWithUsageError(startResult.error)
  services.proxies.reservePort(startResult.value.port)
  listener.close = startResult.value.close
  services.browsers.prepare()
  process.stderr.write(`footlight: serving ${startResult.value.url}/mcp\n`)
}

const logProtocolError =
  ({ log }: Services) =>
  (error: Error): void =>
    log.warn('a message was not understood', { error: clip(error.message, LOGGED_ERROR_LIMIT_CHARS) })
