// The only place where the concrete meets the abstract: settings become browsers, a desk and a server.

import { readFileSync } from 'node:fs'
import process from 'node:process'
import { createLog } from './log.ts'
import type { Settings } from './options.ts'
import { installShutdown } from './shutdown.ts'
import { VERSION } from './version.ts'
import { parseRules, type Rule } from '../core/hosts.ts'
import { createRedactor, revealing } from '../core/redact.ts'
import { parseSecrets, type Secrets } from '../core/secrets.ts'
import { createBrowsers } from '../browser/browsers.ts'
import { createLimiter } from '../mcp/limiter.ts'
import { createNames } from '../mcp/names.ts'
import { createServer } from '../mcp/server.ts'
import { serveStdio } from '../mcp/stdio.ts'
import { createServers } from '../devserver/servers.ts'
import { clock } from '../runtime/clock.ts'
import { createGates } from '../runtime/gate/gates.ts'
import { createDesk } from '../runtime/desk.ts'
import { createFiles } from '../runtime/files.ts'
import { createScratch } from '../runtime/scratch.ts'
import type { Tool } from '../tools/tool.ts'

// Milliseconds that a dev server gets to end by itself when everything ends.
const SHUTDOWN = 1000

export async function serve(settings: Settings, tools: readonly Tool[]): Promise<void> {
  const secrets = readSecrets(settings.secrets)
  const redactor = settings.reveal ? revealing : createRedactor()
  redactor.taint([...secrets.values()])
  const log = createLog(settings.logLevel, settings.logFormat, redactor.data)
  const outer = { ...process.env }
  const scratch = createScratch()
  const servers = createServers({
    folder: scratch.folder,
    outer,
    commands: settings.serverCommand?.split(':'),
  })
  const gates = createGates({
    list: settings.allowedHosts === undefined ? undefined : rulesIn(settings.allowedHosts),
    guarded: false,
    open: settings.privateHosts === 'allow',
  })
  const display = hasDisplay()
  const headless = settings.headless || !display
  if (headless !== settings.headless) {
    log.warn('There is no display, so browsers run headless (--headless says so without this line)')
  }
  const browsers = createBrowsers({
    browser: settings.browser,
    headless,
    display,
    isolation: settings.isolation,
    warm: settings.warm ?? (headless ? 1 : 0),
    launchTimeout: settings.launchTimeout,
    guarded: gates.always,
    notice: (text) => log.warn(text),
    ...(settings.executablePath !== undefined && { executablePath: settings.executablePath }),
  })
  const files = createFiles(settings.outputDir)
  const desk = createDesk(
    { browsers, servers, files, gates, redactor, clock },
    {
      ...settings,
      maxLifetime: settings.maxLifetime ?? Math.max(3_600_000, settings.sessionTimeout),
      onEvent: ({ event, ...fields }) => log.info(event, fields),
    },
  )
  const bug = (error: unknown, id?: string) =>
    log.error('internal error', {
      ...(id && { id }),
      stack: error instanceof Error ? error.stack : String(error),
    })
  const ending = installShutdown(
    async () => {
      await desk.end(SHUTDOWN)
      await browsers.end()
    },
    () => scratch.remove(),
    (error) => bug(error),
  )
  const server = createServer(
    {
      version: VERSION,
      tools,
      desk,
      files,
      names: createNames(tools, settings.names),
      implicitSession: settings.implicitSession,
      askHosts: settings.askHosts,
      limiter: createLimiter(settings.rateLimit, settings.sessionRateLimit, () => performance.now()),
      secrets,
      onCall: ({ event, ...fields }) => log[levelOf(fields.errorCode)](event, fields),
      onBug: (id, error) => bug(error, id),
    },
    'stdio',
  )
  // The browser is started once the client has been answered, so that nothing stands between it and its first answer.
  server.oninitialized = () => browsers.prepare()
  await serveStdio(server, (error) => log.warn('a message was not understood', { error: error.message }))
  await ending.end(0)
}

function readSecrets(path: string | undefined): Secrets {
  if (path === undefined) return new Map()
  const read = parseSecrets(readFileSync(path, 'utf8'))
  if ('values' in read) return read.values
  throw new Error(`--secrets ${path}: ${read.problem}`)
}

// Checked when the settings were read.
function rulesIn(text: string): readonly Rule[] {
  const rules = parseRules(text)
  return rules.ok ? rules.value : []
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
