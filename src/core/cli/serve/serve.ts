// `footlight serve`: MCP over stdio or HTTP until stdin ends or a signal arrives.

import { readFileSync } from 'node:fs'
import process from 'node:process'
import type { Authenticate } from '../../../features/http/authentication.ts'
import type { HttpOptions, HttpServer } from '../../../features/http/http-options.ts'
import { readinessOf } from '../../../features/http/readiness.ts'
import { findWorkTree, newSocketPath, openSocketFolder } from '../../../features/lib/socket/socket-folder.ts'
import { findCallingAgent } from '../../../features/shell/calling-agent.ts'
import {
  endWithOwner,
  isSecondServer,
  listenForShell,
  type ShellSocket,
} from '../../../features/shell/serve-shell.ts'
import { READY_LINE, type ShellServerStart } from '../../../features/shell/start-server.ts'
import { createViewApp, createViewStarter } from '../../../features/view/view-starter.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Log } from '../../base/system/log.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import { clip } from '../../base/text/clip.ts'
import type { Era } from '../../mcp/calls/era.ts'
import type { ServerOptions } from '../../mcp/calls/server-options.ts'
import { createSuspendedCalls } from '../../mcp/calls/suspended-calls.ts'
import { createToolNames } from '../../mcp/calls/tool-names.ts'
import { createServer } from '../../mcp/mcp-server.ts'
import { serveStdio } from '../../mcp/stdio.ts'
import { createListenToResources } from '../../mcp/subscriptions.ts'
import type { Tool } from '../../tool/tool.ts'
import {
  describeIgnoredOptions,
  findOptionConflict,
  hasHandles,
  isHttpTransport,
  isSessionOptional,
} from '../options/option-conflicts.ts'
import type { Settings } from '../options/options.ts'
import { VERSION } from '../options/version.ts'
import { exitWithUsageError, printMessage } from '../terminal/output.ts'
import { everyTool } from '../tools/catalogue.ts'
import { createServices, type Services } from './create-services.ts'
import { installShutdown } from './shutdown.ts'

const DEV_SERVER_SHUTDOWN_GRACE_MS = 1000
// The message may repeat what a client sent.
const LOGGED_ERROR_LIMIT_CHARS = 500

const WAITING_MESSAGE =
  'waiting for an MCP client on stdin; Ctrl+C ends it. footlight setup CLIENT adds Footlight to a client, footlight --help lists the commands'

// What the shutdown has to know of the HTTP server.
interface HttpListener {
  isDraining: boolean
  server?: HttpServer
}

/** Calls whose session has ended are answered within it. */
const ANSWER_TIMEOUT_MS = 500

/** Serves until its clients are gone. `shell` is where a server listens that only the shell uses. */
export async function serve(
  settings: Settings,
  tools: readonly Tool[],
  shell?: ShellServerStart,
): Promise<void> {
  const conflict = findOptionConflict(settings)
  if (conflict !== undefined) return exitWithUsageError(conflict)
  const services = createServices(settings)
  // A server that is killed before its first browser would leave its temporary folder.
  if (shell) services.servers.guard()
  const { browsers, sessions, proxies, temporary, log } = services
  const ignoredOptions = describeIgnoredOptions(settings)
  if (ignoredOptions !== undefined) log.warn(ignoredOptions)
  const listener: HttpListener = { isDraining: false }
  let [socket, socketPath]: [Promise<ShellSocket> | undefined, string | undefined] = [undefined, undefined]
  const view = createViewStarter(services, () => socketPath)
  const shutdown = installShutdown({
    async drain() {
      if (settings.drainTimeout === 0 || !isHttpTransport(settings)) return
      listener.isDraining = true
      await settleWithin(settings.drainTimeout, sessions.drain())
    },
    async release() {
      listener.isDraining = true
      view.close()
      await Promise.all([
        sessions.end(DEV_SERVER_SHUTDOWN_GRACE_MS),
        services.endFeatures(),
        closeSocket(socket),
      ])
      await Promise.all([browsers.end(), closeListener(listener)])
      proxies.close()
    },
    remove: () => temporary.remove(),
    onBug: (error) => logInternalError(log, error),
  })
  const options = createServerOptions(settings, tools, services)
  const viewLine = settings.view ? `footlight: view ${await view.createAddress()}\n` : ''
  if (!shell) process.stderr.write(viewLine)
  if (isHttpTransport(settings)) return serveHttp(settings, options, services, listener)
  const end = () => void shutdown.end(0)
  const listen = (start: ShellServerStart) => {
    socketPath = start.path
    return (socket = listenForShell(start, options, services, {
      owner: STDIO_OWNER,
      end,
      isShellOnly: shell !== undefined,
      view,
    }))
  }
  if (shell) return serveShell(shell, listen, services, { end, viewLine })
  await serveStandardStreams(options, services, settings.socket ? listen : undefined)
  return shutdown.end(0)
}

// --- internal ---

// It may be about to listen.
const closeSocket = (socket: Promise<ShellSocket> | undefined): Promise<void> | undefined =>
  socket?.then(({ close }) => close()).catch(() => {})

/** The owner of the sessions of a server that has one user. */
const STDIO_OWNER = 'stdio'

type ListenForShell = (start: ShellServerStart) => Promise<ShellSocket>

async function serveStandardStreams(
  options: ServerOptions,
  services: Services,
  listen: ListenForShell | undefined,
): Promise<void> {
  if (process.stdin.isTTY) printMessage(WAITING_MESSAGE)
  await serveStdio({
    createServer: (era) => createServer(options, STDIO_OWNER, { era }),
    listenToResources: createListenToResources(services.sessions, STDIO_OWNER),
    onError: logProtocolError(services),
    onFirstAnswer() {
      services.browsers.prepare()
      if (listen) void listenBesideStdio(listen, services)
    },
  })
}

// Without a socket everything but the shell works.
async function listenBesideStdio(listen: ListenForShell, { servers, log }: Services): Promise<void> {
  const { key } = await findCallingAgent(undefined)
  const place = { tree: findWorkTree(process.cwd()), agent: key }
  const folder = openSocketFolder()
  const socket = typeof folder === 'string' ? folder : newSocketPath(folder.folder, place)
  if (typeof socket === 'string') return log.info('the shell cannot use this server', { reason: socket })
  servers.guardSocket(socket.path)
  await listen({ ...place, path: socket.path }).catch((error: Error) =>
    log.info('the shell cannot use this server', { reason: error.message }),
  )
}

async function serveShell(
  start: ShellServerStart,
  listen: ListenForShell,
  services: Services,
  { end, viewLine }: { readonly end: () => void; readonly viewLine: string },
): Promise<void> {
  const { idleMs } = await listen(start)
  if (await isSecondServer(start)) end()
  else {
    endWithOwner(start, idleMs, end)
    services.browsers.prepare()
  }
  process.stdout.on('error', () => {})
  process.stdout.write(READY_LINE + viewLine)
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
    ...createHttpReports(services, settings.maxSessions, () => listener.isDraining),
    onRequest: (event) => services.log.debug('request', event),
    onError: logProtocolError(services),
  })
  if (!startResult.ok) return exitWithUsageError(startResult.error)
  services.proxies.reservePort(startResult.value.port)
  listener.server = startResult.value
  services.browsers.prepare()
  process.stderr.write(`footlight: serving ${startResult.value.url}/mcp\n`)
}

async function closeListener({ server }: HttpListener): Promise<void> {
  if (!server) return
  await settleWithin(ANSWER_TIMEOUT_MS, server.waitForAnswers())
  await server.close()
}

const logProtocolError =
  ({ log }: Services) =>
  (error: Error): void =>
    log.warn('a message was not understood', { error: clip(error.message, LOGGED_ERROR_LIMIT_CHARS) })

// What /health and /metrics report.
function createHttpReports(
  { sessions, browsers, metrics }: Services,
  maxSessions: number,
  isDraining: () => boolean,
): Pick<HttpOptions, 'health' | 'metrics'> {
  const startedAt = performance.now()
  const measure = () => ({
    sessionCount: sessions.count(),
    uptimeMs: Math.round(performance.now() - startedAt),
    memoryBytes: process.memoryUsage().rss,
  })
  return {
    health() {
      const { sessionCount, uptimeMs, memoryBytes } = measure()
      const { ok, status, reason } = readinessOf({
        isDraining: isDraining(),
        hasBrowser: browsers.isUsable(),
        active: sessionCount,
        limit: maxSessions,
      })
      return {
        ok,
        reason,
        body: { status, uptime: uptimeMs, activeSessions: sessionCount, maxSessions, memory: memoryBytes },
      }
    },
    metrics() {
      const { sessionCount, uptimeMs, memoryBytes } = measure()
      return metrics.text({
        footlight_sessions: sessionCount,
        footlight_calls_open: sessions.calls(),
        footlight_uptime_seconds: uptimeMs / 1000,
        footlight_browser_starts: browsers.startCount(),
        footlight_heap_bytes: process.memoryUsage().heapUsed,
        process_resident_memory_bytes: memoryBytes,
      })
    },
  }
}

/** What every MCP server of this process is made with. */
const createServerOptions = (
  settings: Settings,
  tools: readonly Tool[],
  { sessions, files, featureContext, secrets, limiter, metrics, log }: Services,
): ServerOptions => ({
  version: VERSION,
  tools,
  sessions,
  files,
  ...featureContext,
  names: createToolNames(tools, settings.names),
  everyTool,
  isSessionOptional: isSessionOptional(settings),
  showsSessionIds: hasHandles(settings),
  formChanges: {
    ...(settings.evidence === 'full' && { images: 'all' }),
    ...(settings.names === 'e2e' && { hasAllServerErrors: true }),
  },
  askHosts: settings.askHosts,
  limiter,
  apps: hasHandles(settings) ? [] : [createViewApp(sessions.viewsOf)],
  secrets,
  suspendedCalls: createSuspendedCalls(),
  onCall(event) {
    metrics.count(event)
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

type Handlers = Omit<HttpOptions, 'host' | 'port' | 'publicUrl' | 'issuer' | 'authenticate' | 'origins'>

const DEFAULT_PORT = 3000
const TOKEN_MINIMUM_CHARS = 16

/** Listens as the HTTP options say. The error is a message for the user. */
async function startHttpServer(settings: Settings, handlers: Handlers): Promise<Result<HttpServer, string>> {
  const { host, http, publicUrl, issuer, auth } = settings
  const fallbackPort = Number(process.env['PORT'] ?? '') || DEFAULT_PORT
  const port = typeof http === 'number' ? http : fallbackPort
  const authenticate = await createAuthenticate(settings)
  if (!authenticate.ok) return authenticate
  const { serveHttp } = await import('../../../features/http/http-server.ts')
  try {
    const server = await serveHttp({
      ...handlers,
      host,
      port,
      publicUrl,
      issuer: auth === 'oauth' ? issuer : undefined,
      authenticate: authenticate.value,
      origins: settings.allowedOrigins?.split(/[\s,]+/).filter(Boolean) ?? [],
    })
    return ok(server)
  } catch (error) {
    return err(
      `--http: ${host}:${port} failed to listen (${error instanceof Error ? error.message : String(error)})`,
    )
  }
}

async function createAuthenticate(settings: Settings): Promise<Result<Authenticate | undefined, string>> {
  const { auth, tokenFile, issuer = '', audience = '', jwks } = settings
  if (auth === 'none') return ok(undefined)
  const { createBearerAuthentication, createOauthAuthentication } =
    await import('../../../features/http/authentication.ts')
  try {
    if (auth === 'bearer') {
      const token =
        tokenFile === undefined ? process.env['FOOTLIGHT_TOKEN'] : readFileSync(tokenFile, 'utf8').trim()
      return token && token.length >= TOKEN_MINIMUM_CHARS
        ? ok(createBearerAuthentication(token))
        : err('--auth bearer: the token must have at least 16 characters')
    }
    const isFile = jwks !== undefined && !/^https?:/.test(jwks)
    const keys = isFile ? (JSON.parse(readFileSync(jwks, 'utf8')) as { keys: object[] }) : jwks
    return ok(createOauthAuthentication({ issuer, audience, jwks: keys }))
  } catch (error) {
    return err(`--auth ${auth}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
