// Everything a server consists of, made from the settings: the only place where ports get their implementations.

import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import process from 'node:process'
import { createFileRetention, type RetainFiles, RETENTION_LIMITS } from '../../base/files/retain-files.ts'
import { createFiles } from '../../base/files/session-files.ts'
import { createTemporaryFolder } from '../../base/files/temporary-folder.ts'
import { findWorkspaceFolder } from '../../base/files/workspace-roots.ts'
import { createRedactor, revealingRedactor } from '../../base/redaction/redactor.ts'
import { parseSecrets, type Secrets } from '../../base/redaction/secret-placeholders.ts'
import type { Log } from '../../base/system/log.ts'
import { clock } from '../../base/system/timer.ts'
import { type BrowserPool, createBrowserPool } from '../../browser/process/browser-pool.ts'
import type { BrowserPoolOptions } from '../../browser/process/pool-options.ts'
import { SUPERVISOR_COMMAND } from '../../devserver/dev-server.ts'
import type { ProgramLimits } from '../../devserver/process/allowed-programs.ts'
import { createServers } from '../../devserver/start/dev-servers.ts'
import { reportedFailureOf } from '../../mcp/answers/format-result.ts'
import { createRateLimiter, type RateLimiter } from '../../mcp/calls/rate-limiter.ts'
import { readMachineMemory } from '../../sessions/memory-limit.ts'
import { createRefNumbers } from '../../sessions/ref-numbers.ts'
import { createSessionManager } from '../../sessions/session-manager.ts'
import { createTokenShapeLibrary } from '../../sessions/session-redactor.ts'
import type { EgressProxies } from '../../sessions/types/egress-proxy.ts'
import type { RedactorPorts } from '../../sessions/types/owned-session.ts'
import type { MemoryLimit, SessionManagerOptions } from '../../sessions/types/session-options.ts'
import { createLastSnapshot } from '../../snapshot/last-snapshot.ts'
import type { ServerStart } from '../../tool/feature.ts'
import { isSelected } from '../options/choose-tools.ts'
import { factsOf, hasHandles, userProxyOf } from '../options/option-conflicts.ts'
import type { Access, Settings } from '../options/options.ts'
import { describeUnknownVariables } from '../options/settings.ts'
import { selfCommand } from '../terminal/start-command.ts'
import { featureParts } from '../tools/catalogue.ts'
import { createLog } from './create-log.ts'
import { hasDisplay } from './display.ts'
import { type FeatureContext, findPart, type ServerParts, type Services } from './server-parts.ts'

const DEFAULT_MAX_LIFETIME_MS = 3_600_000
const DEFAULT_HTTP_CALLS_PER_MINUTE = 100
const DEFAULT_HTTP_SESSIONS_PER_MINUTE = 10

/** Throws where the file of `--secrets` cannot be read, or a URI in it. */
export function createServices(settings: Settings): Services {
  const facts = factsOf(settings)
  const { access } = facts
  const declaredSecrets = readSecrets(settings.secrets)
  const redactors = createRedactors(settings.reveal, declaredSecrets)
  const learnDeclared = (value: string) => redactors.redactor.learn('declared', [value])
  const secrets = findPart(featureParts, 'readSecrets')?.(declaredSecrets, learnDeclared) ?? declaredSecrets
  const log = createLog(settings.logLevel, settings.logFormat, redactors.logRedactor.redactData)
  describeUnknownVariables(process.env).forEach((text) => log.warn(text))
  // Without what the temporary folder sets.
  const parentEnv = { ...process.env }
  const temporary = createTemporaryFolder()
  const own = selfCommand([SUPERVISOR_COMMAND])
  const servers = createServers({
    folder: temporary.folder,
    parentEnv,
    limits: serverLimits(settings, access),
    outputFolder: settings.outputDir,
    supervisor: process.platform === 'win32' ? [own.command, ...own.args] : undefined,
    features: featureParts,
  })
  const { features, ...featureServices } = startFeatures({
    settings,
    ...facts,
    isListed: (tool) => isSelected(tool, settings.tools),
    limits: serverLimits(settings, access),
    createContext: servers.createContext,
    secrets,
    learn: (values) => redactors.redactor.learn('typed', values),
    log,
  })
  const proxies = findPart(features, 'proxies') ?? proxiesWithoutRules(settings)
  const browsers = createBrowsers(settings, { proxies, log, onStart: servers.guard, features })
  const files = createFiles(settings.outputDir)
  const states = findPart(features, 'states')
  const retainFiles = fileRetentionOf(access)
  const ports = { browsers, servers, files, retainFiles, proxies, states, clock, nextRef: createRefNumbers() }
  const sessions = createSessionManager(
    { ...ports, ...redactors, createLastSnapshot, describeFailure: reportedFailureOf, features },
    sessionOptionsOf(settings, log),
  )
  const limiter = createCallLimiter(settings, access)
  const parts = { browsers, servers, proxies, files, features, ...featureServices, sessions }
  return { ...parts, secrets, limiter, temporary, log }
}

/** In megabytes; a quarter of the machine's memory by default. */
export function memoryLimitOf({ memoryLimit }: Settings): MemoryLimit {
  if (memoryLimit !== undefined) return { memoryLimit }
  const memoryTotal = Math.round(readMachineMemory() / 1e6)
  return { memoryLimit: Math.round(memoryTotal / 4), memoryTotal }
}

// --- internal ---

const sessionOptionsOf = (settings: Settings, log: Log): SessionManagerOptions => ({
  ...settings,
  ...memoryLimitOf(settings),
  handles: hasHandles(settings),
  maxLifetime: settings.maxLifetime ?? Math.max(DEFAULT_MAX_LIFETIME_MS, settings.sessionTimeout),
  onEvent: ({ event, ...fields }) =>
    event === 'person_needed'
      ? log.warn('the agent asks for a person; footlight view shows the session', fields)
      : log.info(event, fields),
})

/** Where others reach the server. Those that cannot be told apart are one client, as for states. */
function fileRetentionOf(access: Access | undefined): RetainFiles | undefined {
  if (!access) return undefined
  const retainFiles = createFileRetention(RETENTION_LIMITS)
  return (owner, folder) => retainFiles(access.isAnonymous ? '' : owner, folder)
}

function readSecrets(path: string | undefined): Secrets {
  if (path === undefined) return new Map()
  const secretsResult = parseSecrets(readSecretsFile(path))
  if ('values' in secretsResult) return secretsResult.values
  throw new Error(`--secrets ${path}: ${secretsResult.problem}`)
}

function readSecretsFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(`--secrets ${path}: ${code === 'ENOENT' ? 'there is no such file' : message}`)
  }
}

interface BrowserPorts extends Pick<BrowserPoolOptions, 'onStart'> {
  readonly proxies: EgressProxies
  readonly log: Log
  readonly features: readonly ServerParts[]
}

/** The browsers as the options ask for them. Browsers have windows by default, but run headless on a machine without a display. `onStart` is
 * called before each start of a browser. */
function createBrowsers(settings: Settings, { proxies, log, onStart, features }: BrowserPorts): BrowserPool {
  const isDisplayAvailable = hasDisplay()
  const headless = settings.headless || !isDisplayAvailable
  if (headless !== settings.headless) {
    log.warn('There is no display: browsers run headless (pass --headless to hide this warning)')
  }
  return createBrowserPool({
    browser: settings.browser,
    headless,
    hasDisplay: isDisplayAvailable,
    isolation: settings.isolation,
    warm: settings.warm ?? (headless ? 1 : 0),
    launchTimeout: settings.launchTimeout,
    recycleAfter: settings.recycleAfter,
    testIdAttribute: settings.testIdAttribute,
    isProxied: proxies.isAlwaysUsed,
    ...userProxyOf(settings),
    egressProxies: proxies,
    remote: findPart(features, 'remote'),
    attach: findPart(features, 'attach'),
    features,
    onStart,
    onLaunchNotice: log.warnOnce,
    onNotice: (text) => log.warn(text),
    executablePath: settings.executablePath,
  })
}

/** The redactors of results and of the log; with `--reveal` they change nothing. */
function createRedactors(reveal: boolean, secrets: Secrets): Required<RedactorPorts> {
  const shapes = createTokenShapeLibrary()
  if (reveal) return { redactor: revealingRedactor, logRedactor: revealingRedactor, shapes }
  const redactor = createRedactor({ shapes })
  redactor.learn('declared', [...secrets.values()])
  return { redactor, logRedactor: createRedactor({ parent: redactor, shapes }), shapes }
}

/** What the features make for a server, in their order. */
function startFeatures(
  start: Omit<ServerStart, 'featureContext'>,
): Pick<Services, 'features' | 'featureContext' | 'endFeatures'> {
  // Each feature declares the members that it makes.
  const context = { programLimits: start.limits } as FeatureContext
  const pairs = featureParts.map((parts) => {
    const feature = parts.start?.({ ...start, featureContext: () => context })
    Object.assign(context, feature?.context)
    return { parts, feature }
  })
  return {
    featureContext: context,
    endFeatures: () => Promise.all(pairs.map(({ feature }) => feature?.end?.())),
    features: pairs.flatMap(({ parts, feature }) => [parts, ...(feature ? [feature] : [])]) as ServerParts[],
  }
}

/** The commands that may be started. A stdio client can start any program itself; an HTTP client only those that are named. */
function serverLimits(
  { serverCommand, serverEnv, outputDir }: Settings,
  access: Access | undefined,
): ProgramLimits | undefined {
  if (serverCommand === undefined && !access) return undefined
  return {
    commands: serverCommand?.split(delimiter) ?? [],
    variables: serverEnv.split(/[\s,]+/).filter(Boolean),
    workspace: findWorkspaceFolder(),
    outputFolder: outputDir,
  }
}

/** Rate limits per client; by default there are none on stdio, whose only client started this process. */
const createCallLimiter = (
  { rateLimit, sessionRateLimit }: Settings,
  access: Access | undefined,
): RateLimiter =>
  createRateLimiter(
    rateLimit ?? (access ? DEFAULT_HTTP_CALLS_PER_MINUTE : undefined),
    sessionRateLimit ?? (access ? DEFAULT_HTTP_SESSIONS_PER_MINUTE : undefined),
    () => performance.now(),
  )

/** Pages connect directly. */
const proxiesWithoutRules = ({ proxyServer }: Settings): EgressProxies => ({
  isAlwaysUsed: false,
  hasUserProxy: proxyServer !== undefined,
  open: async () => undefined,
  createServerAddressCheck: () => undefined,
  openRefusingProxy: () => Promise.reject(new Error('There are no host rules.')),
  reservePort: () => () => {},
  close: () => {},
})
