// The only place where the concrete meets the abstract: settings become browsers, a sessions and a server.

import { readFileSync } from 'node:fs'
import process from 'node:process'
import { gatesOf } from './host-rules.ts'
import { limiterOf, memoryLimitOf, serverLimits } from './limits.ts'
import { listen } from './listen.ts'
import { createLog, type Log } from './log.ts'
import type { Settings } from '../options/options.ts'
import { overHttp, problemOf } from '../options/option-conflicts.ts'
import { redactorsOf } from './redactors.ts'
import { installShutdown } from './shutdown.ts'
import { VERSION } from '../version.ts'
import { createBrowserPool } from '../../browser/process/browser-pool.ts'
import { parseSecrets, type Secrets } from '../../core/text/secret-placeholders.ts'
import { createServers } from '../../devserver/start/dev-servers.ts'
import { createMetrics } from '../../mcp/http/metrics.ts'
import { createNames } from '../../mcp/calls/tool-names.ts'
import { createServer, type ServerOptions } from '../../mcp/mcp-server.ts'
import { serveStdio } from '../../mcp/stdio.ts'
import { clock } from '../../runtime/clock.ts'
import { createSessionManager } from '../../runtime/sessions/session-manager.ts'
import { createFiles } from '../../runtime/files/session-files.ts'
import type { EgressProxies } from '../../runtime/ports/egress-proxy.ts'
import { createTemporaryFolder } from '../../runtime/files/temporary-folder.ts'
import type { Tool } from '../../tools/define/tool.ts'

// Milliseconds that a dev server gets to end by itself when everything ends.
const SHUTDOWN = 1000

export async function serve(settings: Settings, tools: readonly Tool[]): Promise<void> {
  const problem = problemOf(settings)
  if (problem !== undefined) return refuse(problem)
  const http = overHttp(settings)
  const secrets = readSecrets(settings.secrets)
  const redaction = redactorsOf(settings.reveal, secrets)
  const log = createLog(settings.logLevel, settings.logFormat, redaction.logRedactor.data)
  const outer = { ...process.env }
  const temporary = createTemporaryFolder()
  const servers = createServers({ folder: temporary.folder, outer, limits: serverLimits(settings, http) })
  const proxies = gatesOf(settings, http)
  const browsers = browsersOf(settings, proxies, log)
  const files = createFiles(settings.outputDir)
  const metrics = createMetrics()
  const sessions = createSessionManager(
    { browsers, servers, files, proxies, clock, ...redaction },
    {
      ...settings,
      ...memoryLimitOf(settings),
      handles: http && settings.auth === 'none',
      maxLifetime: settings.maxLifetime ?? Math.max(3_600_000, settings.sessionTimeout),
      onEvent: ({ event, ...fields }) => log.info(event, fields),
    },
  )
  const bug = (error: unknown, id?: string) =>
    log.error('internal error', {
      ...(id && { id }),
      stack: (error instanceof Error && error.stack) || String(error),
    })
  let draining = false
  let close = async (): Promise<void> => {}
  const ending = installShutdown(
    async () => {
      draining = true
      await sessions.end(SHUTDOWN)
      await Promise.all([browsers.end(), close()])
      proxies.close()
    },
    () => temporary.remove(),
    (error) => bug(error),
  )
  const options: ServerOptions = {
    version: VERSION,
    tools,
    sessions,
    files,
    names: createNames(tools, settings.names),
    implicitSession: settings.implicitSession,
    ...(settings.evidence === 'full' && { failureImages: 'all' as const }),
    askHosts: settings.askHosts,
    limiter: limiterOf(settings, http),
    secrets,
    onCall(event) {
      metrics.count(event)
      const { event: name, ...fields } = event
      log[levelOf(fields.errorCode)](name, fields)
    },
    onBug: (id, error) => bug(error, id),
  }
  const odd = (error: Error) => log.warn('a message was not understood', { error: error.message })
  if (!http) {
    const server = createServer(options, 'stdio')
    // The browser is started once the client has been answered, so that nothing stands between it and its first answer.
    server.oninitialized = () => {
      browsers.prepare()
      servers.guard()
    }
    await serveStdio(server, odd)
    return ending.end(0)
  }
  const started = performance.now()
  const vitals = () => ({
    sessionCount: sessions.count(),
    uptime: Math.round(performance.now() - started),
    memory: process.memoryUsage().rss,
  })
  const listening = await listen(settings, {
    create: (owner, client) => createServer(options, owner, client),
    limiter: options.limiter,
    health() {
      const { sessionCount, uptime, memory } = vitals()
      const ready = !draining && browsers.isUsable()
      const status = draining ? 'draining' : ready ? 'ok' : 'no browser'
      return { ok: ready, body: { status, uptime, activeSessions: sessionCount, memory } }
    },
    metrics() {
      const { sessionCount, uptime, memory } = vitals()
      return metrics.text({
        footlight_sessions: sessionCount,
        footlight_calls_open: sessions.calls(),
        footlight_uptime_seconds: uptime / 1000,
        footlight_browser_starts: browsers.startCount(),
        footlight_heap_bytes: process.memoryUsage().heapUsed,
        process_resident_memory_bytes: memory,
      })
    },
    onRequest: (event) => log.debug('request', event),
    onError: odd,
  })
  if (!listening.ok) return refuse(listening.error)
  proxies.reserve(listening.value.port)
  close = listening.value.close
  browsers.prepare()
  servers.guard()
  process.stderr.write(`footlight: serving ${listening.value.url}/mcp\n`)
}

// --- internal ---

function browsersOf(settings: Settings, proxies: EgressProxies, log: Log) {
  const display = hasDisplay()
  const headless = settings.headless || !display
  if (headless !== settings.headless) {
    log.warn('There is no display: browsers run headless (pass --headless to hide this warning)')
  }
  return createBrowserPool({
    browser: settings.browser,
    headless,
    hasDisplay: display,
    isolation: settings.isolation,
    warm: settings.warm ?? (headless ? 1 : 0),
    launchTimeout: settings.launchTimeout,
    recycleAfter: settings.recycleAfter,
    isProxied: proxies.always,
    egressProxies: proxies,
    ...((settings.connect ?? settings.cdpEndpoint) && { remote: settings }),
    onNotice: (text) => log.warn(text),
    ...(settings.executablePath !== undefined && { executablePath: settings.executablePath }),
  })
}

function readSecrets(path: string | undefined): Secrets {
  if (path === undefined) return new Map()
  const read = parseSecrets(readFileSync(path, 'utf8'))
  if ('values' in read) return read.values
  throw new Error(`--secrets ${path}: ${read.problem}`)
}

// Windows are the default; a machine without a display still serves.
function hasDisplay(): boolean {
  const { env, platform } = process
  return platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}

// As the seed has it: what the machine did wrong is an error, what took too long a warning, and what the caller did is information.
function levelOf(code: string | undefined): 'error' | 'warn' | 'info' {
  if (code === undefined) return 'info'
  if (/^(SERVER_|BROWSER_|PAGE_CRASHED|INTERNAL|RESOURCE_)/.test(code)) return 'error'
  return /^(TIMEOUT|PAGE_HUNG)$/.test(code) ? 'warn' : 'info'
}

function refuse(text: string): never {
  process.stderr.write(`footlight: ${text}\n`)
  process.exit(2)
}
