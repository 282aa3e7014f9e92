// A server that was already running: it is used, and never stopped.

import { describeProbe, probeStatus, STATUS_PROBE_TIMEOUT_MS } from './http-probe.ts'
import type { Failure } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { isReadyStatus, type DevServer } from '../../core/dev-server.ts'
import type { CheckReach } from '../../runtime/ports/egress-proxy.ts'
import type { OwnedServer } from '../../runtime/ports/servers.ts'

export function useExistingServer(readyUrl: string, reach: CheckReach | undefined): OwnedServer {
  const url = new URL(readyUrl)
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const message = `A server already runs at ${readyUrl}; it is reused and will be left running.`
  const server: DevServer = {
    mode: 'found',
    url: `${url.origin}/`,
    port,
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
      const status = await probeStatus(readyUrl, { timeoutMs: STATUS_PROBE_TIMEOUT_MS, reach })
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
    logs: () => err(logFailure),
    searchLogs: async () => err(logFailure),
    stop: async () => ok('The server was running before and was left running.'),
  }
}
