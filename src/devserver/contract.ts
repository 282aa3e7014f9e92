// A server that is started and stopped by the user's own command: `--start`, `--restart`, `--status`, `--shutdown`. The shapes are
// part of the contract; fields that are new to us are let through.

import * as v from 'valibot'
import { runCommand, type Run } from './command.ts'
import { childEnvironment } from './environment.ts'
import { createFollower, readLogs, rememberLogs } from './files.ts'
import { alive, send, signalAll } from './processes.ts'
import type { OwnedServer, Place, ServerHooks } from './server.ts'
import { err, ok } from '../core/result.ts'
import type { Outcome } from '../core/failure.ts'
import type { Server, ServerRequest } from '../core/server.ts'

const timeouts = { start: 30_000, restart: 45_000, status: 5000, shutdown: 15_000 } as const

const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535))
const pid = v.pipe(v.number(), v.integer(), v.minValue(1))
const url = v.pipe(v.string(), v.url())
const logs = v.looseObject({ stdout: v.string(), stderr: v.string(), combined: v.string() })

const started = v.looseObject({
  status: v.picklist(['ready', 'already_running']),
  url,
  port,
  pid,
  startedAt: v.string(),
  logs,
  message: v.string(),
})
const restarted = v.looseObject({
  status: v.picklist(['restarted', 'started']),
  url,
  port,
  pid,
  startedAt: v.string(),
  previousPid: v.optional(pid),
  previousPort: v.optional(port),
  message: v.string(),
})
const statusOf = v.looseObject({
  status: v.picklist(['running', 'stopped', 'unhealthy']),
  url: v.optional(url),
  uptime: v.optional(v.number()),
  healthy: v.optional(v.boolean()),
  message: v.optional(v.string()),
})
const stopped = v.looseObject({
  status: v.picklist(['stopped', 'already_stopped', 'force_stopped']),
  message: v.optional(v.string()),
})

export async function startContract(
  request: ServerRequest & { readonly commandPath: string },
  place: Place,
  hooks: ServerHooks,
  signal: AbortSignal,
): Promise<Outcome<OwnedServer>> {
  const env = childEnvironment(place, request.env ?? {}, place.outer)
  const command = (action: keyof typeof timeouts, timeout: number = timeouts[action]): Run => ({
    path: request.commandPath,
    args: [`--${action}`, ...(request.args ?? [])],
    timeout,
    cwd: request.cwd,
    env,
  })
  const never = new AbortController().signal

  const start = await runCommand(command('start', request.readyTimeout), started, signal)
  if (!start.ok) {
    signalAll(place.tag, Number.NaN, 'SIGKILL')
    return err({ code: 'SERVER_START_FAILED', ...start.error })
  }
  const answer = start.value
  const ours = answer.status === 'ready'
  const paths = rememberLogs(answer.logs)
  const follower = createFollower(paths, hooks.line)
  let server: Server = { ...fields(answer), mode: 'contract', logs: answer.logs, ours }
  if (ours) place.watchdog.guard(server.pid ?? 0)

  // What the command left running although it should not: by its tag, or by the process it named itself.
  const killRest = () => {
    signalAll(place.tag, Number.NaN, 'SIGKILL')
    if (ours && server.pid !== undefined && alive(server.pid)) send(server.pid, 'SIGKILL')
  }

  return ok({
    info: () => server,
    ended: () =>
      server.pid !== undefined && !alive(server.pid) ? `process ${server.pid} is gone` : undefined,
    async status() {
      const run = await runCommand(command('status'), statusOf, never)
      if (!run.ok) return { status: 'unhealthy', url: server.url, healthy: false, message: run.error.text }
      const { status, healthy = status === 'running', uptime, message } = run.value
      return {
        status,
        healthy,
        url: run.value.url ?? server.url,
        ...(uptime !== undefined && { uptime }),
        ...(message && { message }),
      }
    },
    async restart(stop) {
      const run = await runCommand(command('restart'), restarted, stop)
      if (!run.ok) return err({ code: 'SERVER_START_FAILED', ...run.error })
      const { previousPid = server.pid, previousPort = server.port } = run.value
      if (server.pid !== undefined) place.watchdog.release(server.pid)
      server = { ...server, ...fields(run.value) }
      if (ours) place.watchdog.guard(server.pid ?? 0)
      return ok({ server, ...(previousPid !== undefined && { previousPid }), previousPort })
    },
    sync: follower.sync,
    logs: (query) => readLogs(paths, query),
    async stop(patience) {
      follower.sync()
      if (!ours) return ok(`The server at ${server.url} was running before and was left running.`)
      const limit = Math.min(timeouts.shutdown, patience ?? timeouts.shutdown)
      const run = await runCommand(command('shutdown', limit), stopped, never)
      killRest()
      if (server.pid !== undefined) place.watchdog.release(server.pid)
      if (run.ok) return ok(run.value.message ?? 'The server is stopped.')
      const { command: text, text: reason, stderr = [] } = run.error
      return err({ code: 'SERVER_SHUTDOWN_FAILED', command: text, reason, stderr })
    },
  })
}

interface Answer {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly startedAt: string
  readonly message: string
}

const fields = ({ url, port, pid, startedAt, message }: Answer): Answer => ({
  url,
  port,
  pid,
  startedAt,
  message,
})
