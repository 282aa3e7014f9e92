// A server started by any command, in the form that a session owns.

import { realpathSync } from 'node:fs'
import process from 'node:process'
import { isPortFree } from '../process/free-port.ts'
import { describeProbe, probeStatus, STATUS_PROBE_TIMEOUT_MS, probeUrl } from './http-probe.ts'
import { findReadyUrl } from './playwright-readiness.ts'
import { createLostPortCheck } from '../process/lost-port.ts'
import type { ServerContext } from '../process/start-context.ts'
import { type RunningServer, serverOf } from './running-server.ts'
import { type LaunchRequest, waitUntilReady } from './wait-until-ready.ts'
import { nameLog, readLogs, resolveLogPaths } from '../logs/log-files.ts'
import { createLogFolder, type LogFolder } from '../logs/log-folder.ts'
import { logPathsIn } from '../logs/redacted-logs.ts'
import { readActivity } from '../process/process-activity.ts'
import { watchPorts } from '../process/used-ports.ts'
import { createServerCodeReader } from '../process/server-code.ts'
import { createFileIndex } from '../revisions/file-index.ts'
import { createFileLister, findProjectRoot } from '../revisions/list-files.ts'
import { createRunGit } from '../revisions/run-git.ts'
import type { ServerCode } from '../../core/evidence/judge-freshness.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { accessDenied } from '../../core/network/page-url.ts'
import { originOf } from '../../core/network/host-rules.ts'
import { err, ok } from '../../core/result.ts'
import {
  isReadyStatus,
  type ServerRequest,
  type ServerStatus,
  type DevServer,
  portOf,
} from '../../core/dev-server.ts'
import { removeFolder } from '../../runtime/files/remove-folder.ts'
import type { CheckServerAddress } from '../../runtime/ports/egress-proxy.ts'
import type { OwnedServer, ServerHooks } from '../../runtime/ports/servers.ts'
import { describeExit, programMovedFailureOf } from './start-failures.ts'
import { describeMovedProgram } from '../process/allowed-programs.ts'
import { type ServerProcess, pollUntil } from '../process/child-process.ts'
import { createBoundedMap } from '../../core/bounded-collections.ts'

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
    if (isReadyStatus(status)) return ok(useExistingServer(readyUrl, checkServerAddress))
  }
  const requestedPort = requestedPortOf(request)
  const logs = createLogFolder(context.folder, hooks.redact)
  const launchedServer = createLaunchedServer({ ...request, logs }, requestedPort, context, hooks)
  const port = requestedPort ?? (await context.findFreePort())
  const folder = realpathSync(request.program?.cwd ?? request.cwd ?? process.cwd())
  const root = findProjectRoot(folder)
  const files = createFileIndex(
    folder,
    createFileLister(folder, root, createRunGit(context), context.isOutput),
  )
  // What is changed from now on is a change.
  void files.look().catch(() => {})
  const first = await launchedServer.launch(port, signal, hooks.onProgress)
  if (!first.ok) return first
  const findPort = async (lastPort: number) =>
    requestedPort === undefined && !(await isPortFree(lastPort)) ? context.findFreePort() : lastPort
  const statusOptions = {
    timeoutMs: STATUS_PROBE_TIMEOUT_MS,
    checkServerAddress: context.checkServerAddress,
    isOwnServer: true,
  }
  const probe = (url: string) => probeStatus(readyUrl ?? url, statusOptions)
  const readCode = createServerCodeReader({ folder, root })
  const server = createDirectServer(launchedServer, first.value, port, logs, findPort, probe, readCode)
  const tree = () => (launchedServer.current() ?? first.value).child.tree
  const hasLostPort = createLostPortCheck((candidate) => readActivity(tree()).listens(candidate))
  const readyOptions = { ...statusOptions, timeoutMs: READY_PROBE_TIMEOUT_MS }
  const findReady = (urls: readonly string[], abortSignal: AbortSignal) =>
    findReadyUrl(urls, { ...readyOptions, signal: abortSignal })
  return ok({
    ...server,
    hasLostPort,
    findReadyUrl: findReady,
    files: files.look,
    watchPorts: (folder) => watchPorts(tree, folder),
  })
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
      return ok({ server, ...(previousPid !== undefined && { previousPid }), previousPort })
    },
    async pause() {
      await launchedServer.stop(STOP_GRACE_MS)
    },
    code: ({ withPrograms } = { withPrograms: false }) => ({ ...readCode(current(), withPrograms), readyAt }),
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
  checkServerAddress: CheckServerAddress | undefined,
): OwnedServer {
  const message = `A server already runs at ${readyUrl}; it is reused and will be left running.`
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

// The process of a server started by any command, across restarts.
interface LaunchedServer {
  /** Starts the command and waits until it responds. */
  launch(port: number, signal: AbortSignal, progress: (text: string) => void): Promise<Outcome<RunningServer>>
  /** The running server, or the last one. */
  current(): RunningServer | undefined
  /** Follows the server to another URL, if it announced one. */
  checkServerAddress(): Promise<void>
  /** Why it no longer serves, or undefined. */
  describeEnd(): string | undefined
  /** `absent` if the last start failed. */
  stop(graceMs: number): Promise<'stopped' | 'forced' | 'absent'>
}

/** `requestedPort` is the port that the caller asked for: the server stays there. */
function createLaunchedServer(
  request: Omit<LaunchRequest, 'port' | 'isPortGiven' | 'previous'>,
  requestedPort: number | undefined,
  context: ServerContext,
  hooks: ServerHooks,
): LaunchedServer {
  let isStopping = false
  let running: RunningServer | undefined
  // After a failed restart there is no server, only a failure.
  let failure: Failure | undefined
  const current = () => running
  const follower = createAddressFollower(
    context,
    () => (isStopping ? undefined : running),
    (movedServer) => {
      const previousServer = running?.server
      running = movedServer
      if (previousServer) hooks.onMove(movedServer.server, previousServer)
    },
    requestedPort,
  )

  const describeEnd = () => {
    if (!running) return undefined
    if (failure) return 'did not restart'
    return isStopping ? undefined : describeLostPort(running)
  }

  const onEnd = (child: ServerProcess) => {
    const description = running?.child === child ? describeEnd() : undefined
    if (description !== undefined) hooks.onExit(description)
  }

  async function start(...[port, signal, progress]: Parameters<LaunchedServer['launch']>) {
    isStopping = false
    const movedProgram = describeMovedProgram(request.program)
    if (movedProgram !== undefined) return err(programMovedFailureOf(request.command, movedProgram))
    const previous = running && { previous: running.server.url }
    const launchRequest = { ...request, port, isPortGiven: requestedPort !== undefined, ...previous }
    follower.reset()
    const launchHooks = { ...hooks, progress, end: onEnd, announced: follower.onAnnounced }
    return waitUntilReady(launchRequest, context, launchHooks, signal)
  }

  return {
    current,
    describeEnd,
    checkServerAddress: follower.check,
    async launch(...options) {
      const result = await start(...options)
      failure = result.ok ? undefined : result.error
      if (result.ok) running = result.value
      return result
    },
    async stop(graceMs) {
      isStopping = true
      return failure || !running ? 'absent' : running.child.stop(graceMs, running.server.port)
    },
  }
}

// The listening port decides: a shell may outlive its server, and a server its shell.
function describeLostPort({ child, server }: RunningServer): string | undefined {
  const listens = readActivity(child.tree).listens(server.port)
  if (listens === true) return undefined
  if (child.exit()) return describeExit(child)
  return listens === false
    ? `no longer listens on port ${server.port}, although its command still runs`
    : undefined
}

// Follows a server that moves to another port by itself, as Vite does when its configuration changes, to the URL that it announces.
const PROBE_TIMEOUT_MS = 3000
/** The interval between checks, because a server may print URLs with every request. */
const CHECK_INTERVAL_MS = 250
const ADDRESS_LIMIT = 20

interface AddressFollower {
  onAnnounced(url: string): void
  /** Checks whether the server moved. */
  check(): Promise<void>
  /** Forgets the announced URLs, when the server is started again. */
  reset(): void
}

/** `current` returns undefined while the server is being stopped; `onMoved` gets the server at its new URL. A requested `port` stays the
 * server's while it listens there, whatever else it announces. */
function createAddressFollower(
  context: ServerContext,
  current: () => RunningServer | undefined,
  onMoved: (server: RunningServer) => void,
  port: number | undefined,
): AddressFollower {
  const candidates = createBoundedMap<string, true>(ADDRESS_LIMIT)
  let pendingCheck: Promise<void> | undefined
  let checkedAt = 0

  async function checkCandidates(): Promise<void> {
    await pollUntil(() => performance.now() - checkedAt > CHECK_INTERVAL_MS, CHECK_INTERVAL_MS * 2)
    checkedAt = performance.now()
    const previous = current()
    if (!previous) return
    const { child, server, isPage } = previous
    const activity = readActivity(child.tree)
    const isPortLost = activity.listens(server.port) === false
    if (!isPortLost && (isPage || server.port === port)) return
    // The latest announcement first.
    for (const url of candidates.keys().toReversed()) {
      if (portOf(url) === server.port || activity.listens(portOf(url)) !== true) continue
      const answer = await probeUrl(url, {
        timeoutMs: PROBE_TIMEOUT_MS,
        checkServerAddress: context.checkServerAddress,
        isOwnServer: true,
      })
      if (!answer || !(isPortLost || answer.isPage) || current() !== previous) continue
      candidates.clear()
      return onMoved({ child, isPage: answer.isPage, server: serverOf(url, child, server) })
    }
  }

  const check = (): Promise<void> => {
    if (candidates.size === 0) return Promise.resolve()
    pendingCheck ??= checkCandidates().finally(() => (pendingCheck = undefined))
    return pendingCheck
  }

  return {
    check,
    onAnnounced(url) {
      const server = current()?.server
      if (server && portOf(url) === server.port) return
      candidates.set(url, true)
      void check()
    },
    reset: () => candidates.clear(),
  }
}
