// The process of a server started by any command, across restarts.

import { createAddressFollower } from './follow-address.ts'
import type { ServerContext } from './server-context.ts'
import { describeExit, programMovedFailureOf } from './start-failures.ts'
import type { RunningServer } from './running-server.ts'
import { waitUntilReady, type LaunchRequest } from './wait-until-ready.ts'
import { describeMovedProgram } from '../process/allowed-programs.ts'
import type { ServerProcess } from '../process/child-process.ts'
import { readActivity } from '../process/process-activity.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'
import type { ServerHooks } from '../../runtime/ports/servers.ts'

export interface LaunchedServer {
  /** Starts the command and waits until it responds. */
  launch(port: number, signal: AbortSignal, progress: (text: string) => void): Promise<Outcome<RunningServer>>
  /** The running server, or the last one. */
  current(): RunningServer | undefined
  /** Follows the server to another URL, if it announced one. */
  checkAddress(): Promise<void>
  /** Why it no longer serves, or undefined. */
  describeEnd(): string | undefined
  /** `absent` if the last start failed. */
  stop(graceMs: number): Promise<'stopped' | 'forced' | 'absent'>
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
    checkAddress: follower.check,
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

// --- internal ---

// The listening port decides: a shell may outlive its server, and a server its shell.
function describeLostPort({ child, server }: RunningServer): string | undefined {
  const listens = readActivity(child.tree).listens(server.port)
  if (listens === true) return undefined
  if (child.exit()) return describeExit(child)
  return listens === false
    ? `no longer listens on port ${server.port}, although its command still runs`
    : undefined
}
