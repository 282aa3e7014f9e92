// A server that is any command, as the owner of a session holds it.

import type { Child } from './child.ts'
import { readLogs, rememberLogs } from './files.ts'
import { foundServer } from './found.ts'
import { freePort, isReady, statusOf } from './http.ts'
import { bringUp, type Running } from './ready.ts'
import type { Place } from './server.ts'
import { endOf } from './verdict.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { ok } from '../core/result.ts'
import type { ServerRequest } from '../core/server.ts'
import type { OwnedServer, ServerHooks } from '../runtime/ports/servers.ts'

const GRACE = 3000

type Request = ServerRequest & { readonly command: string | readonly string[] }

export async function startDirect(
  request: Request,
  place: Place,
  hooks: ServerHooks,
  signal: AbortSignal,
): Promise<Outcome<OwnedServer>> {
  if (request.readyUrl !== undefined && isReady(await statusOf(request.readyUrl, 1000)))
    return ok(foundServer(request.readyUrl))
  let stopping = false
  const launch = async (
    port: number,
    stop: AbortSignal,
    progress: (text: string) => void,
  ): Promise<Outcome<Running>> => {
    stopping = false
    const end = (child: Child) => !stopping && hooks.ended(endOf(child))
    return bringUp({ ...request, port }, place, { ...hooks, progress, end }, stop)
  }
  const port = request.port ?? (await freePort())
  const first = await launch(port, signal, hooks.progress)
  if (!first.ok) return first
  let running = first.value
  // After a restart that failed there is no server, only why.
  let failed: Failure | undefined
  const paths = () =>
    rememberLogs((failed?.code === 'SERVER_START_FAILED' && failed.logs) || running.child.logs)
  const ended = (): string | undefined => {
    if (failed) return 'did not come up again'
    return running.child.ended() && !stopping ? endOf(running.child) : undefined
  }

  return ok({
    info: () => running.server,
    ended,
    async status() {
      const { server } = running
      const gone = ended()
      if (gone) return { status: 'stopped', url: server.url, healthy: false, message: gone }
      const status = await statusOf(request.readyUrl ?? server.url, 3000)
      const healthy = status !== undefined && status < 500
      const uptime = Date.now() - Date.parse(server.startedAt)
      const message = status === undefined ? 'It does not answer.' : `It answers with ${status}.`
      return { status: healthy ? 'running' : 'unhealthy', url: server.url, uptime, healthy, message }
    },
    async restart(stop, progress) {
      const { pid: previousPid, port: previousPort } = running.server
      stopping = true
      if (!failed) {
        await running.child.stop(GRACE, previousPort)
        running.child.forget()
      }
      const again = await launch(port, stop, progress)
      failed = again.ok ? undefined : again.error
      if (!again.ok) return again
      running = again.value
      return ok({ server: running.server, ...(previousPid !== undefined && { previousPid }), previousPort })
    },
    sync: () => running.child.sync(),
    logs(query) {
      running.child.sync()
      return readLogs(paths(), query)
    },
    async stop(patience = GRACE) {
      stopping = true
      if (failed) return ok('The server had not come up again.')
      const how = await running.child.stop(patience, running.server.port)
      running.child.forget()
      return ok(
        how === 'stopped' ? 'The server is stopped.' : 'The server did not stop when asked and was killed.',
      )
    },
  })
}
