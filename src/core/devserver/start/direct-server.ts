// A server started by any command, in the form that a session owns.

import { realpathSync } from 'node:fs'
import process from 'node:process'
import type { Failure, Outcome } from '../../base/failure.ts'
import { removeFolder } from '../../base/files/remove-folder.ts'
import { originOf } from '../../base/network/host-rules.ts'
import { accessDenied } from '../../base/network/page-url.ts'
import { err, ok } from '../../base/result.ts'
import type { CheckServerAddress } from '../../sessions/types/egress-proxy.ts'
import type {
  DevServer,
  OwnedServer,
  ServerHooks,
  ServerRequest,
  ServerStatus,
} from '../../sessions/types/servers.ts'
import { isReadyStatus, portOf } from '../dev-server.ts'
import { nameLog, readLogs, resolveLogPaths } from '../logs/log-files.ts'
import { createLogFolder, type LogFolder } from '../logs/log-folder.ts'
import { logPathsIn } from '../logs/redacted-logs.ts'
import { isPortFree } from '../process/free-port.ts'
import { createLostPortCheck } from '../process/lost-port.ts'
import { readActivity } from '../process/process-activity.ts'
import { foregroundVariablesFor } from '../process/server-variables.ts'
import type { ServerContext, ServerWatch } from '../process/start-context.ts'
import { watchPorts } from '../process/used-ports.ts'
import { findHeldPort } from './describe-problems.ts'
import { describeProbe, probeStatus, STATUS_PROBE_TIMEOUT_MS } from './http-probe.ts'
import { createLaunchedServer, type LaunchedServer } from './launched-server.ts'
import { findReadyUrl } from './playwright-readiness.ts'
import type { RunningServer } from './running-server.ts'
import { leavesTakenPort } from './taken-port.ts'
import type { LaunchRequest } from './wait-until-ready.ts'

const STOP_GRACE_MS = 3000
// A server that runs already may compile the page first; where none listens, this machine refuses the connection at once.
const EXISTING_PROBE_TIMEOUT_MS = 10_000

// A page may be compiled at its first request.
const READY_PROBE_TIMEOUT_MS = 60_000

type DirectServerRequest = Omit<LaunchRequest, 'port' | 'isPortGiven' | 'previous' | 'logs'> &
  Pick<ServerRequest, 'port'>

export async function startDirectServer(
  request: DirectServerRequest,
  context: ServerContext,
  hooks: ServerHooks,
  signal: AbortSignal,
): Promise<Outcome<OwnedServer>> {
  const { readyUrl } = request
  if (readyUrl !== undefined) {
    const denial = await checkReadyUrl(readyUrl, context.checkServerAddress)
    if (denial) return err(denial)
    const { checkServerAddress } = context
    const timeoutMs = Math.min(EXISTING_PROBE_TIMEOUT_MS, request.readyTimeout ?? EXISTING_PROBE_TIMEOUT_MS)
    const status = await probeStatus(readyUrl, { timeoutMs, checkServerAddress, signal })
    if (signal.aborted) return err({ code: 'CANCELLED' })
    if (isReadyStatus(status)) {
      const holder = await findHeldPort(portOf(readyUrl), hooks)
      return ok(useExistingServer(readyUrl, holder?.text, checkServerAddress))
    }
  }
  const requestedPort = requestedPortOf(request)
  const logs = createLogFolder(context.folder, hooks.redact)
  const launchedServer = createLaunchedServer({ ...request, logs }, requestedPort, context, hooks)
  const port = request.port === 'none' ? undefined : (requestedPort ?? (await context.findFreePort()))
  const folder = realpathSync(request.program?.cwd ?? request.cwd ?? process.cwd())
  const watching = (context.features ?? []).flatMap(({ watchServer }) => watchServer?.(folder, context) ?? [])
  const [watch] = await Promise.all(watching)
  const first = await launchedServer.launch(port, signal, hooks.onProgress)
  if (!first.ok) return first
  const findPort = async (lastPort: number | undefined) =>
    lastPort !== undefined && requestedPort === undefined && !(await isPortFree(lastPort))
      ? context.findFreePort()
      : lastPort
  const statusOptions = {
    timeoutMs: STATUS_PROBE_TIMEOUT_MS,
    checkServerAddress: context.checkServerAddress,
    isOwnServer: true,
  }
  const probe = (url: string) => probeStatus(readyUrl ?? url, statusOptions)
  const server = createDirectServer(launchedServer, first.value, port, logs, findPort, probe, watch)
  const tree = () => (launchedServer.current() ?? first.value).child.tree
  const hasLostPort = createLostPortCheck((candidate) => readActivity(tree()).listens(candidate))
  const readyOptions = { ...statusOptions, timeoutMs: READY_PROBE_TIMEOUT_MS }
  const findReady = (urls: readonly string[], abortSignal: AbortSignal) =>
    findReadyUrl(urls, { ...readyOptions, signal: abortSignal })
  return ok({
    ...server,
    hasLostPort,
    findReadyUrl: findReady,
    foregroundVariables: foregroundVariablesFor(folder, [request.command].flat().join(' ')),
    ...(watch && { files: watch.files }),
    ports: () => readActivity(tree()).ports,
    watchPorts: (folder) => watchPorts(tree, folder),
    async leavesTakenPort(abortSignal) {
      await launchedServer.stop(STOP_GRACE_MS)
      return leavesTakenPort({ ...request, port }, portOf(server.info().url), context, abortSignal)
    },
  })
}

// --- internal ---

/** `findPort` returns the port of the next start; `probe` the status of the server's response. */
function createDirectServer(
  launchedServer: LaunchedServer,
  first: RunningServer,
  firstPort: number | undefined,
  logs: LogFolder,
  findPort: (lastPort: number | undefined) => Promise<number | undefined>,
  probe: (url: string) => Promise<number | undefined>,
  watch: ServerWatch | undefined,
): OwnedServer {
  let port = firstPort
  let readyAt = Date.now()
  const current = () => launchedServer.current() ?? first
  const paths = resolveLogPaths(logPathsIn(logs.filesPath))
  return {
    info: () => current().server,
    exitReason: launchedServer.describeEnd,
    status: () => readStatus(launchedServer, current, probe),
    async restart(signal, progress) {
      const { pid: previousPid, port: previousPort } = current().server
      await launchedServer.stop(STOP_GRACE_MS)
      port = await findPort(port)
      const restartResult = await launchedServer.launch(port, signal, progress)
      if (!restartResult.ok) return restartResult
      const { server } = restartResult.value
      readyAt = Date.now()
      return ok({ server, previousPid, previousPort })
    },
    async pause() {
      await launchedServer.stop(STOP_GRACE_MS)
    },
    endGroup: launchedServer.endGroup,
    code: ({ withPrograms } = { withPrograms: false }) =>
      watch && { ...watch.readCode(current(), withPrograms), readyAt },
    sync: () => current().child.sync(),
    async logs(query, search) {
      current().child.sync()
      return nameLog(await readLogs(paths, query, logs.starts, search), first.child.logs, query)
    },
    async stop(graceMs = STOP_GRACE_MS) {
      const result = await launchedServer.stop(graceMs)
      removeFolder(logs.path)
      return ok(STOP_MESSAGES[result])
    },
  }
}

const STOP_MESSAGES = {
  stopped: 'The server is stopped.',
  forced: 'The server did not stop in time and was killed.',
  absent: 'The server had not restarted.',
  elsewhere: 'The command of the server had ended, and what it started was left running.',
} as const

async function readStatus(
  launchedServer: LaunchedServer,
  current: () => RunningServer,
  probe: (url: string) => Promise<number | undefined>,
): Promise<ServerStatus> {
  await launchedServer.checkServerAddress()
  const { server } = current()
  const { url, port } = server
  const exitDescription = launchedServer.describeEnd()
  if (exitDescription) {
    const message = `It ${exitDescription}. Call restart_server.`
    return { status: 'stopped', url, port, healthy: false, message }
  }
  const [status, problems] = await Promise.all([probe(url), current().describeProblems(url)])
  const healthy = status !== undefined && status < 500
  const uptime = Date.now() - Date.parse(server.startedAt)
  return {
    status: healthy ? 'running' : 'unhealthy',
    url,
    port,
    uptime,
    healthy,
    message: [describeProbe(status), problems].filter(Boolean).join(' '),
  }
}

// With `none` a variable PORT among `env` is for another process than that of the page.
function requestedPortOf({ port, env }: DirectServerRequest): number | undefined {
  const variable = env?.['PORT']
  if (port === 'none') return undefined
  return port ?? (variable === undefined ? undefined : Number(variable))
}

// A URL that the rules deny to pages is still allowed for the new server: on this machine, at a port without a listener.
async function checkReadyUrl(
  url: string,
  checkServerAddress: CheckServerAddress | undefined,
): Promise<Failure | undefined> {
  const target = await checkServerAddress?.(url)
  if (!target || !('denial' in target) || !target.denial) return undefined
  const isUnused =
    'ofMachine' in target && target.ofMachine && (await isPortFree(originOf(new URL(url)).port))
  return isUnused ? undefined : accessDenied(url, target.denial)
}

// A server that was already running: it is used, and never stopped.
function useExistingServer(
  readyUrl: string,
  holder: string | undefined,
  checkServerAddress: CheckServerAddress | undefined,
): OwnedServer {
  const owner = holder === undefined ? '' : ` (${holder})`
  const message = `A server already runs at ${readyUrl}${owner}; it is reused and will be left running.`
  const server: DevServer = {
    mode: 'found',
    url: `${new URL(readyUrl).origin}/`,
    port: portOf(readyUrl),
    startedAt: new Date().toISOString(),
    isOwned: false,
    message,
  }
  const logFailure: Failure = {
    code: 'LOG_READ_FAILED',
    path: readyUrl,
    reason: 'the server was not started here, so its output is not known',
  }
  return {
    info: () => server,
    exitReason: () => undefined,
    async status() {
      const status = await probeStatus(readyUrl, { timeoutMs: STATUS_PROBE_TIMEOUT_MS, checkServerAddress })
      const healthy = isReadyStatus(status)
      return {
        status: healthy ? 'running' : 'unhealthy',
        url: server.url,
        healthy,
        message: describeProbe(status),
      }
    },
    restart: async () =>
      err({
        code: 'SERVER_START_FAILED',
        reason: 'exited',
        command: 'restart',
        text: 'it was not started here, so it cannot be restarted here',
      }),
    sync: () => {},
    logs: async () => err(logFailure),
    stop: async () => ok('The server was running before and was left running.'),
  }
}
