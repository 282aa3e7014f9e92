// The process of a server started by any command, across restarts, and the address to which it may move.

import { createBoundedMap } from '../../base/bounded-collections.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { err } from '../../base/result.ts'
import type { GroupEnd, ServerHooks } from '../../sessions/types/servers.ts'
import { portOf } from '../dev-server.ts'
import { describeMovedProgram } from '../process/allowed-programs.ts'
import { pollUntil, type ServerProcess } from '../process/child-process.ts'
import { endGroup } from '../process/end-group.ts'
import { readActivity } from '../process/process-activity.ts'
import type { ServerContext } from '../process/start-context.ts'
import { toOwnHost } from './find-address.ts'
import { probeUrl } from './http-probe.ts'
import { type RunningServer, serverOf } from './running-server.ts'
import { describeExit, programMovedFailureOf } from './start-failures.ts'
import { type LaunchRequest, waitUntilReady } from './wait-until-ready.ts'

export interface LaunchedServer {
  /** Starts the command and waits until it responds. */
  launch(
    port: number | undefined,
    signal: AbortSignal,
    progress: (text: string) => void,
  ): Promise<Outcome<RunningServer>>
  /** The running server, or the last one. */
  current(): RunningServer | undefined
  /** Follows the server to another URL, if it announced one. */
  checkServerAddress(): Promise<void>
  /** Why it no longer serves, or undefined. */
  describeEnd(): string | undefined
  /** `absent` if the last start failed, `elsewhere` if the server is none of its processes and goes on. */
  stop(graceMs: number): Promise<'stopped' | 'forced' | 'absent' | 'elsewhere'>
  /** As `endGroup` of its process; undefined without a server that ends with it. */
  endGroup(): Promise<GroupEnd | undefined>
}

/** `requestedPort` is the port that the caller asked for: the server stays there. */
export function createLaunchedServer(
  request: Omit<LaunchRequest, 'port' | 'isPortGiven' | 'previous'>,
  requestedPort: number | undefined,
  context: ServerContext,
  hooks: ServerHooks,
): LaunchedServer {
  let isStopping = false
  let running: RunningServer | undefined
  // After a failed restart there is no server, only a failure.
  let failure: Failure | undefined
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

  return {
    current: () => running,
    describeEnd,
    checkServerAddress: follower.check,
    async launch(port, signal, progress) {
      isStopping = false
      follower.reset()
      const previous = running && { previous: running.server.url }
      const launchRequest = { ...request, port, isPortGiven: requestedPort !== undefined, ...previous }
      const launchHooks = { ...hooks, progress, end: onEnd, announced: follower.onAnnounced }
      const result = await startUnlessMoved(launchRequest, context, launchHooks, signal)
      failure = result.ok ? undefined : result.error
      if (result.ok) running = result.value
      return result
    },
    async stop(graceMs) {
      isStopping = true
      return failure || !running ? 'absent' : stopServer(running, graceMs)
    },
    async endGroup() {
      if (failure || !running?.server.isOwned) return undefined
      isStopping = true
      const end = await endGroup(running.child)
      isStopping = end !== undefined
      return end
    },
  }
}

// --- internal ---

async function startUnlessMoved(...[request, context, hooks, signal]: Parameters<typeof waitUntilReady>) {
  const movedProgram = describeMovedProgram(request.program)
  if (movedProgram !== undefined) return err(programMovedFailureOf(request.command, movedProgram))
  const env = { ...request.env, ...(await hooks.variables?.()) }
  return waitUntilReady({ ...request, env }, context, hooks, signal)
}

async function stopServer(
  { child, server }: RunningServer,
  graceMs: number,
): ReturnType<LaunchedServer['stop']> {
  if (server.isOwned) return child.stop(graceMs, server.port)
  await child.stop(graceMs)
  return 'elsewhere'
}

// The listening port decides: a shell may outlive its server, and a server its shell.
function describeLostPort({ child, server }: RunningServer): string | undefined {
  if (!server.isOwned) return undefined
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
    const { child, server, isPage, describeProblems } = previous
    const activity = readActivity(child.tree)
    const isPortLost = activity.listens(server.port) === false
    if (!isPortLost && (isPage || server.port === port)) return
    // The latest announcement first.
    for (const announced of candidates.keys().toReversed()) {
      const url = toOwnHost(announced, activity)
      if (portOf(url) === server.port || activity.listens(portOf(url)) !== true) continue
      const answer = await probeUrl(url, {
        timeoutMs: PROBE_TIMEOUT_MS,
        checkServerAddress: context.checkServerAddress,
        isOwnServer: true,
      })
      if (!answer || !(isPortLost || answer.isPage) || current() !== previous) continue
      candidates.clear()
      const moved = serverOf(url, child, server)
      return onMoved({ child, isPage: answer.isPage, server: moved, describeProblems })
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
