// A server that is any command, as the owner of a session holds it.

import { rmSync } from 'node:fs'
import { describeMovedProgram } from '../process/allowed-programs.ts'
import type { ServerProcess } from '../process/child-process.ts'
import { readLogs, resolveLogPaths, searchLogs } from '../logs/log-files.ts'
import { createAddressFollower } from './follow-address.ts'
import { useExistingServer } from './found-server.ts'
import { createLogFolder } from '../logs/log-writer.ts'
import { findFreePort, isPortFree, probeStatus } from './http-probe.ts'
import { readActivity } from '../process/process-tree.ts'
import { waitUntilReady, type RunningServer, type LaunchRequest } from './wait-until-ready.ts'
import type { ServerContext } from './server-place.ts'
import { describeExit, programMovedFailure } from './start-failures.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { accessDenied } from '../../core/network/access-denied.ts'
import { originOf } from '../../core/network/host-rules.ts'
import { err, ok } from '../../core/result.ts'
import { isReadyStatus, type ServerRequest } from '../../core/dev-server.ts'
import type { Reach } from '../../runtime/ports/egress-proxy.ts'
import type { OwnedServer, ServerHooks } from '../../runtime/ports/servers.ts'

const STOP_GRACE_MS = 3000

type DirectServerRequest = Omit<LaunchRequest, 'port' | 'isPortGiven' | 'previous' | 'logs'> &
  Pick<ServerRequest, 'port'>

export async function startDirectServer(
  request: DirectServerRequest,
  place: ServerContext,
  hooks: ServerHooks,
  signal: AbortSignal,
): Promise<Outcome<OwnedServer>> {
  const { readyUrl } = request
  if (readyUrl !== undefined) {
    const refused = await checkReadyUrl(readyUrl, place.reach)
    if (refused) return err(refused)
    if (isReadyStatus(await probeStatus(readyUrl, 1000, place.reach)))
      return ok(useExistingServer(readyUrl, place.reach))
  }
  let stopping = false
  let running: RunningServer | undefined
  const given = requestedPortOf(request)
  const following = createAddressFollower(
    place,
    () => (stopping ? undefined : running),
    (now) => {
      const before = running?.server
      running = now
      if (before) hooks.moved(now.server, before)
    },
    given,
  )
  const launch = async (
    port: number,
    stop: AbortSignal,
    progress: (text: string) => void,
  ): Promise<Outcome<RunningServer>> => {
    stopping = false
    const moved = describeMovedProgram(request.program)
    if (moved !== undefined) return err(programMovedFailure(request.command, moved))
    const end = (child: ServerProcess) => {
      const how = running?.child === child ? ended(running) : undefined
      if (how !== undefined) hooks.ended(how)
    }
    const wanted = {
      ...request,
      port,
      isPortGiven: given !== undefined,
      logs,
      ...(running && { previous: running.server.url }),
    }
    following.forget()
    return waitUntilReady(wanted, place, { ...hooks, progress, end, announced: following.announced }, stop)
  }
  const logs = createLogFolder(place.folder)
  let port = given ?? (await findFreePort())
  const first = await launch(port, signal, hooks.progress)
  if (!first.ok) return first
  running = first.value
  // After a restart that failed there is no server, only why.
  let failed: Failure | undefined
  const paths = resolveLogPaths(first.value.child.logs)
  const forget = () => rmSync(logs.path, { recursive: true, force: true })

  // What counts is who listens: a shell may outlive its server, and a server its shell.
  function ended({ child, server }: RunningServer): string | undefined {
    if (failed) return 'did not restart'
    if (stopping) return undefined
    const listens = readActivity(place.tag, child.pid).listens(server.port)
    if (listens === true) return undefined
    if (child.ended()) return describeExit(child)
    return listens === false
      ? `no longer listens on port ${server.port}, although its command still runs`
      : undefined
  }
  const now = () => running ?? first.value

  return ok({
    info: () => now().server,
    ended: () => ended(now()),
    async status() {
      await following.check()
      const { server } = now()
      const { url } = server
      const gone = ended(now())
      if (gone) return { status: 'stopped', url, port: server.port, healthy: false, message: gone }
      const status = await probeStatus(readyUrl ?? url, 3000, place.reach, true)
      const healthy = status !== undefined && status < 500
      const uptime = Date.now() - Date.parse(server.startedAt)
      const message = status === undefined ? 'It does not respond.' : `It responds with ${status}.`
      return { status: healthy ? 'running' : 'unhealthy', url, port: server.port, uptime, healthy, message }
    },
    async restart(stop, progress) {
      const before = now()
      const { pid: previousPid, port: previousPort } = before.server
      stopping = true
      if (!failed) {
        await before.child.stop(STOP_GRACE_MS, previousPort)
      }
      if (given === undefined && !(await isPortFree(port))) port = await findFreePort()
      const again = await launch(port, stop, progress)
      failed = again.ok ? undefined : again.error
      if (!again.ok) return again
      running = again.value
      const { server } = again.value
      return ok({ server, ...(previousPid !== undefined && { previousPid }), previousPort })
    },
    sync: () => now().child.sync(),
    logs(query) {
      now().child.sync()
      return readLogs(paths, query, logs.starts)
    },
    searchLogs(query, search) {
      now().child.sync()
      return searchLogs(paths, query, search, logs.starts)
    },
    async stop(patience = STOP_GRACE_MS) {
      stopping = true
      if (failed) forget()
      if (failed) return ok('The server had not restarted.')
      const { child, server } = now()
      const how = await child.stop(patience, server.port)
      forget()
      return ok(
        how === 'stopped' ? 'The server is stopped.' : 'The server did not stop in time and was killed.',
      )
    },
  })
}

// The port that the caller asked for, in either way.
function requestedPortOf({ port, env }: DirectServerRequest): number | undefined {
  const named = Number(env?.['PORT'])
  return port ?? (Number.isInteger(named) && named > 0 && named < 65_536 ? named : undefined)
}

// What the rules allow to no page may still be where our own server comes up: on this machine, where nobody listens yet.
async function checkReadyUrl(url: string, reach: Reach | undefined): Promise<Failure | undefined> {
  const reached = await reach?.(url)
  if (!reached || !('denial' in reached) || !reached.denial) return undefined
  const free = 'ofMachine' in reached && reached.ofMachine && (await isPortFree(originOf(new URL(url)).port))
  return free ? undefined : accessDenied(url, reached.denial)
}
