// A server started by any command, in the form that a session owns.

import process from 'node:process'
import { useExistingServer } from './existing-server.ts'
import { isPortFree } from './free-port.ts'
import { describeProbe, probeStatus, STATUS_PROBE_TIMEOUT_MS } from './http-probe.ts'
import { createLaunchedServer, type LaunchedServer } from './launched-server.ts'
import { createLostPortCheck } from '../port/lost-port.ts'
import type { ServerContext } from './server-context.ts'
import type { RunningServer } from './running-server.ts'
import type { LaunchRequest } from './wait-until-ready.ts'
import { nameLog, readLogs, resolveLogPaths, searchLogs } from '../logs/log-files.ts'
import { createLogFolder, type LogFolder } from '../logs/log-folder.ts'
import { logPathsIn } from '../logs/redacted-logs.ts'
import { readActivity } from '../process/process-activity.ts'
import { createServerCodeReader } from '../process/server-code.ts'
import type { ServerCode } from '../../core/freshness/judge-freshness.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { accessDenied } from '../../core/network/access-denied.ts'
import { originOf } from '../../core/network/host-rules.ts'
import { err, ok } from '../../core/result.ts'
import { isReadyStatus, type ServerRequest, type ServerStatus } from '../../core/dev-server.ts'
import { removeFolder } from '../../runtime/files/remove-folder.ts'
import type { CheckReach } from '../../runtime/ports/egress-proxy.ts'
import type { OwnedServer, ServerHooks } from '../../runtime/ports/servers.ts'

const STOP_GRACE_MS = 3000
// A server that runs already may compile the page first; where none listens, this machine refuses the connection at once.
const EXISTING_PROBE_TIMEOUT_MS = 10_000

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
    const denial = await checkReadyUrl(readyUrl, context.reach)
    if (denial) return err(denial)
    const { reach } = context
    const timeoutMs = Math.min(EXISTING_PROBE_TIMEOUT_MS, request.readyTimeout ?? EXISTING_PROBE_TIMEOUT_MS)
    const status = await probeStatus(readyUrl, { timeoutMs, reach, signal })
    if (signal.aborted) return err({ code: 'CANCELLED' })
    if (isReadyStatus(status)) return ok(useExistingServer(readyUrl, reach))
  }
  const requestedPort = requestedPortOf(request)
  const logs = createLogFolder(context.folder, hooks.redact)
  const launchedServer = createLaunchedServer({ ...request, logs }, requestedPort, context, hooks)
  const port = requestedPort ?? (await context.findFreePort())
  const first = await launchedServer.launch(port, signal, hooks.onProgress)
  if (!first.ok) return first
  const findPort = async (lastPort: number) =>
    requestedPort === undefined && !(await isPortFree(lastPort)) ? context.findFreePort() : lastPort
  const statusOptions = { timeoutMs: STATUS_PROBE_TIMEOUT_MS, reach: context.reach, isOwnServer: true }
  const probe = (url: string) => probeStatus(readyUrl ?? url, statusOptions)
  const readCode = createServerCodeReader(request.program?.cwd ?? request.cwd ?? process.cwd())
  const server = createDirectServer(launchedServer, first.value, port, logs, findPort, probe, readCode)
  const tree = () => (launchedServer.current() ?? first.value).child.tree
  const hasLostPort = createLostPortCheck((candidate) => readActivity(tree()).listens(candidate))
  return ok({ ...server, hasLostPort })
}

// --- internal ---

/** `findPort` returns the port of the next start; `probe` the status of the server's response. */
function createDirectServer(
  launchedServer: LaunchedServer,
  first: RunningServer,
  firstPort: number,
  logs: LogFolder,
  findPort: (lastPort: number) => Promise<number>,
  probe: (url: string) => Promise<number | undefined>,
  readCode: (server: RunningServer, withPrograms: boolean) => ServerCode,
): OwnedServer {
  let port = firstPort
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
      return ok({ server, ...(previousPid !== undefined && { previousPid }), previousPort })
    },
    async pause() {
      await launchedServer.stop(STOP_GRACE_MS)
    },
    code: ({ withPrograms } = { withPrograms: false }) => readCode(current(), withPrograms),
    sync: () => current().child.sync(),
    logs(query) {
      current().child.sync()
      return nameLog(readLogs(paths, query, logs.starts), first.child.logs, query)
    },
    async searchLogs(query, search) {
      current().child.sync()
      return nameLog(await searchLogs(paths, query, search, logs.starts), first.child.logs, query)
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
} as const

async function readStatus(
  launchedServer: LaunchedServer,
  current: () => RunningServer,
  probe: (url: string) => Promise<number | undefined>,
): Promise<ServerStatus> {
  await launchedServer.checkAddress()
  const { server } = current()
  const { url, port } = server
  const exitDescription = launchedServer.describeEnd()
  if (exitDescription) {
    const message = `It ${exitDescription}. Call restart_server.`
    return { status: 'stopped', url, port, healthy: false, message }
  }
  const status = await probe(url)
  const healthy = status !== undefined && status < 500
  const uptime = Date.now() - Date.parse(server.startedAt)
  return {
    status: healthy ? 'running' : 'unhealthy',
    url,
    port,
    uptime,
    healthy,
    message: describeProbe(status),
  }
}

function requestedPortOf({ port, env }: DirectServerRequest): number | undefined {
  const variable = env?.['PORT']
  return port ?? (variable === undefined ? undefined : Number(variable))
}

// A URL that the rules deny to pages is still allowed for the new server: on this machine, at a port without a listener.
async function checkReadyUrl(url: string, reach: CheckReach | undefined): Promise<Failure | undefined> {
  const target = await reach?.(url)
  if (!target || !('denial' in target) || !target.denial) return undefined
  const isUnused =
    'ofMachine' in target && target.ofMachine && (await isPortFree(originOf(new URL(url)).port))
  return isUnused ? undefined : accessDenied(url, target.denial)
}
