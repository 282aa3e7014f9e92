// A server over HTTP: its options come in, and it listens until the server ends.

import { readFileSync } from 'node:fs'
import process from 'node:process'
import { err, ok, type Result } from '../../core/base/result.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import type { Settings } from '../../core/cli/options/options.ts'
import { findPart, type RunningServer } from '../../core/cli/serve/server-parts.ts'
import { exitWithUsageError } from '../../core/cli/terminal/output.ts'
import type { Era } from '../../core/mcp/calls/era.ts'
import { createServer } from '../../core/mcp/mcp-server.ts'
import { createListenToResources } from '../../core/mcp/subscriptions.ts'
import { type Authenticate, createBearerAuthentication, createOauthAuthentication } from './authentication.ts'
import type { HttpOptions, HttpServer } from './http-options.ts'
import { serveHttp } from './http-server.ts'
import type { Metrics } from './metrics.ts'
import { readinessOf } from './readiness.ts'

/** Calls whose session has ended are answered within it. */
const ANSWER_TIMEOUT_MS = 500

/** Listens as the options of the server say. */
export async function serveOverHttp(server: RunningServer, metrics: Metrics): Promise<void> {
  const { settings, services, options, onProtocolError } = server
  // Private addresses are blocked unless they are allowed.
  if (!findPart(services.features, 'proxies'))
    return exitWithUsageError('--http requires a build with host rules')
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
    ...createHttpReports(server, metrics),
    onRequest: (event) => services.log.debug('request', event),
    onError: onProtocolError,
  })
  if (!startResult.ok) return exitWithUsageError(startResult.error)
  const { url, port, waitForAnswers, close } = startResult.value
  services.proxies.reservePort(port)
  server.listener = {
    async close() {
      await settleWithin(ANSWER_TIMEOUT_MS, waitForAnswers())
      await close()
    },
  }
  services.browsers.prepare()
  process.stderr.write(`footlight: serving ${url}/mcp\n`)
}

// --- internal ---

// What /health and /metrics report.
function createHttpReports(
  { settings: { maxSessions }, services: { sessions, browsers }, isDraining }: RunningServer,
  metrics: Metrics,
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
