// Everything a server consists of, made from the settings: the only place where ports get their implementations.

import { readFileSync } from 'node:fs'
import process from 'node:process'
import { memoryLimitOf, serverLimits } from './client-limits.ts'
import { createBrowsers } from './create-browsers.ts'
import { createLog, type Log } from './create-log.ts'
import { createProxies } from './create-proxies.ts'
import { createRedactors } from './create-redactors.ts'
import { createTests } from './create-tests.ts'
import { selfCommand } from '../client/self-command.ts'
import { hasHandles, isHttpTransport } from '../options/option-conflicts.ts'
import type { Settings } from '../options/options.ts'
import { describeUnknownVariables } from '../options/settings.ts'
import type { BrowserPool } from '../../browser/process/browser-pool.ts'
import { SUPERVISOR_COMMAND } from '../../core/dev-server.ts'
import { parseSecrets, type Secrets } from '../../core/text/secret-placeholders.ts'
import { createServers, type GuardedServers } from '../../devserver/start/dev-servers.ts'
import type { ClosableTestRunner } from '../../devserver/test-run/test-runner.ts'
import { createMetrics, type Metrics } from '../../mcp/http/metrics.ts'
import { clock } from '../../runtime/clock.ts'
import { createNamedStates, type StateOwnership } from '../../runtime/files/named-states.ts'
import { findStatesFolder } from '../../runtime/files/state-folder.ts'
import { createFiles } from '../../runtime/files/session-files.ts'
import { createTemporaryFolder, type TemporaryFolder } from '../../runtime/files/temporary-folder.ts'
import type { EgressProxies } from '../../runtime/ports/egress-proxy.ts'
import type { Files } from '../../runtime/ports/files.ts'
import { createSessionManager } from '../../runtime/sessions/session-manager.ts'

const DEFAULT_MAX_LIFETIME_MS = 3_600_000

export interface Services {
  readonly browsers: BrowserPool
  readonly servers: GuardedServers
  readonly proxies: EgressProxies
  readonly files: Files
  readonly tests: ClosableTestRunner
  readonly sessions: ReturnType<typeof createSessionManager>
  readonly metrics: Metrics
  readonly secrets: Secrets
  readonly temporary: TemporaryFolder
  readonly log: Log
}

/** Throws where the file of `--secrets` cannot be read. */
export function createServices(settings: Settings): Services {
  const isHttp = isHttpTransport(settings)
  const secrets = readSecrets(settings.secrets)
  const redactors = createRedactors(settings.reveal, secrets)
  const log = createLog(settings.logLevel, settings.logFormat, redactors.logRedactor.redactData)
  describeUnknownVariables(process.env).forEach((text) => log.warn(text))
  const temporary = createTemporaryFolder()
  const own = selfCommand([SUPERVISOR_COMMAND])
  const servers = createServers({
    folder: temporary.folder,
    parentEnv: { ...process.env },
    limits: serverLimits(settings, isHttp),
    supervisor: process.platform === 'win32' ? [own.command, ...own.args] : undefined,
  })
  const proxies = createProxies(settings, isHttp)
  const browsers = createBrowsers(settings, proxies, log, servers.guard)
  const files = createFiles(settings.outputDir)
  const tests = createTests(settings, isHttp, servers.createContext)
  const states = createNamedStates(findStatesFolder(), stateOwnershipOf(settings, isHttp))
  const metrics = createMetrics()
  const sessions = createSessionManager(
    { browsers, servers, files, proxies, states, clock, ...redactors },
    {
      ...settings,
      ...memoryLimitOf(settings),
      handles: hasHandles(settings),
      maxLifetime: settings.maxLifetime ?? Math.max(DEFAULT_MAX_LIFETIME_MS, settings.sessionTimeout),
      onEvent: ({ event, ...fields }) => log.info(event, fields),
    },
  )
  return { browsers, servers, proxies, files, tests, sessions, metrics, secrets, temporary, log }
}

const stateOwnershipOf = ({ auth }: Settings, isHttp: boolean): StateOwnership => {
  if (!isHttp) return 'user'
  return auth === 'none' ? 'nobody' : 'client'
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
