// `footlight serve`: MCP over stdio or HTTP until stdin ends or a signal arrives.

import process from 'node:process'
import type { Log } from '../../base/system/log.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import { clip } from '../../base/text/clip.ts'
import type { ServerOptions } from '../../mcp/calls/server-options.ts'
import { createSuspendedCalls } from '../../mcp/calls/suspended-calls.ts'
import { createToolNames } from '../../mcp/calls/tool-names.ts'
import { createServer } from '../../mcp/mcp-server.ts'
import { serveStdio } from '../../mcp/stdio.ts'
import { createListenToResources } from '../../mcp/subscriptions.ts'
import type { Tool } from '../../tool/tool.ts'
import { callableTools } from '../options/choose-tools.ts'
import {
  accessOf,
  describeIgnoredOptions,
  findOptionConflict,
  hasHandles,
  isSessionOptional,
} from '../options/option-conflicts.ts'
import type { Settings } from '../options/options.ts'
import { VERSION } from '../options/version.ts'
import { exitWithUsageError, printMessage } from '../terminal/output.ts'
import { everyTool } from '../tools/catalogue.ts'
import { createServices } from './create-services.ts'
import { findPart, type OfferedView, type RunningServer, type Services, STDIO_OWNER } from './server-parts.ts'
import { installShutdown } from './shutdown.ts'

const DEV_SERVER_SHUTDOWN_GRACE_MS = 1000
// The message may repeat what a client sent.
const LOGGED_ERROR_LIMIT_CHARS = 500

const WAITING_MESSAGE =
  'waiting for an MCP client on stdin; Ctrl+C ends it. footlight setup CLIENT adds Footlight to a client, footlight --help lists the commands'

/** Serves until its clients are gone. */
export async function serve(settings: Settings, tools: readonly Tool[]): Promise<void> {
  const server = openServer(settings, tools)
  process.stderr.write(await viewLineOf(server))
  if (accessOf(settings)) return findPart(server.services.features, 'serveClients')?.(server)
  await serveStandardStreams(server)
  return server.end(0)
}

/** A server that nobody can reach yet. It ends at a signal. */
export function openServer(settings: Settings, tools: readonly Tool[]): RunningServer {
  const conflict = findOptionConflict(settings)
  if (conflict !== undefined) return exitWithUsageError(conflict)
  const services = createServices(settings)
  const { browsers, sessions, proxies, features, temporary, log } = services
  const ignoredOptions = describeIgnoredOptions(settings)
  if (ignoredOptions !== undefined) log.warn(ignoredOptions)
  let isDraining = false
  const view = findPart(features, 'createView')?.(services, () => server.socket?.path)
  const { end } = installShutdown({
    async drain() {
      const { drainTimeout = 0 } = accessOf(settings) ?? {}
      if (drainTimeout === 0) return
      isDraining = true
      await settleWithin(drainTimeout, sessions.drain())
    },
    async release() {
      isDraining = true
      view?.close()
      await Promise.all([
        sessions.end(DEV_SERVER_SHUTDOWN_GRACE_MS),
        services.endFeatures(),
        closeSocket(server),
      ])
      await Promise.all([browsers.end(), server.listener?.close()])
      proxies.close()
    },
    remove: () => temporary.remove(),
    onBug: (error) => logInternalError(log, error),
  })
  const server: RunningServer = {
    settings,
    services,
    options: createServerOptions(settings, tools, services, view),
    view,
    isDraining: () => isDraining,
    onProtocolError: (error) =>
      log.warn('a message was not understood', { error: clip(error.message, LOGGED_ERROR_LIMIT_CHARS) }),
    end,
  }
  return server
}

/** What is said of its view. */
export const viewLineOf = async ({ services, view }: RunningServer): Promise<string> =>
  findPart(services.features, 'announcesView') && view
    ? `footlight: view ${await view.createAddress()}\n`
    : ''

// --- internal ---

// It may be about to listen.
const closeSocket = ({ socket }: RunningServer): Promise<void> | undefined =>
  socket?.opening.then(({ close }) => close()).catch(() => {})

async function serveStandardStreams(server: RunningServer): Promise<void> {
  const { services, options, onProtocolError } = server
  if (process.stdin.isTTY) printMessage(WAITING_MESSAGE)
  await serveStdio({
    createServer: (era) => createServer(options, STDIO_OWNER, { era }),
    listenToResources: createListenToResources(services.sessions, STDIO_OWNER),
    onError: onProtocolError,
    onFirstAnswer() {
      services.browsers.prepare()
      void findPart(services.features, 'listenBeside')?.(server)
    },
  })
}

/** What every MCP server of this process is made with. */
const createServerOptions = (
  settings: Settings,
  tools: readonly Tool[],
  { sessions, files, proxies, features, featureContext, secrets, limiter, log }: Services,
  view: OfferedView | undefined,
): ServerOptions => ({
  version: VERSION,
  tools,
  sessions,
  files,
  ...featureContext,
  names: createToolNames(callableTools(settings.tools, tools), settings.names),
  everyTool,
  isSessionOptional: isSessionOptional(settings),
  showsSessionIds: hasHandles(settings),
  formChanges: {
    ...Object.assign({}, ...features.map(({ formChanges }) => formChanges)),
    ...(settings.names === 'e2e' && { hasAllServerErrors: true }),
  },
  askHosts: proxies.asksUser === true,
  limiter,
  apps: hasHandles(settings) || !view ? [] : [view.app],
  secrets,
  suspendedCalls: createSuspendedCalls(),
  onCall(event) {
    for (const { onCall } of features) onCall?.(event)
    const { event: name, ...fields } = event
    log[logLevelOf(fields.errorCode)](name, fields)
  },
  onBug: (id, error) => logInternalError(log, error, id),
})

const logInternalError = (log: Log, error: unknown, id?: string): void =>
  log.error('internal error', {
    ...(id && { id }),
    stack: (error instanceof Error && error.stack) || String(error),
  })

// A failure of the machine is an error, a timeout is a warning, and a mistake of the caller is information.
function logLevelOf(errorCode: string | undefined): 'error' | 'warn' | 'info' {
  if (errorCode === undefined) return 'info'
  if (/^(SERVER_|BROWSER_|PAGE_CRASHED|INTERNAL|RESOURCE_)/.test(errorCode)) return 'error'
  return /^(TIMEOUT|PAGE_HUNG)$/.test(errorCode) ? 'warn' : 'info'
}
