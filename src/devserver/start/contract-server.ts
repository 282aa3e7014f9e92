// A server that is started and stopped by the user's own command: `--start`, `--restart`, `--status`, `--shutdown`. The shapes are
// part of the contract; fields that are new to us are let through.

import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import type { Program } from '../process/allowed-programs.ts'
import { runCommand, type CommandRun } from './run-command.ts'
import { createChildEnvironment } from '../process/environment.ts'
import { createLogFollower, readLogs, resolveLogPaths, searchLogs } from '../logs/log-files.ts'
import { watchLogRotations } from '../logs/log-rotation.ts'
import {
  isAlive,
  readStartTicks,
  sendSignal,
  signalAll,
  findTaggedProcesses,
  readUptimeTicks,
} from '../process/process-tree.ts'
import type { OwnedServer, ServerContext, ServerHooks } from './server-place.ts'
import { err, ok } from '../../core/result.ts'
import type { Outcome } from '../../core/failure.ts'
import type { DevServer, ServerRequest } from '../../core/dev-server.ts'

const timeouts = { start: 30_000, restart: 45_000, status: 5000, shutdown: 15_000 } as const

/** Milliseconds between two looks at the logs and the process. */
const LOOK = 300

/** Milliseconds that a killed process may take to be gone, and between two looks at it. */
const GONE = 1000
const STEP = 5

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

export async function startContractServer(
  request: ServerRequest & { readonly commandPath: string; readonly program: Program | undefined },
  place: ServerContext,
  hooks: ServerHooks,
  signal: AbortSignal,
): Promise<Outcome<OwnedServer>> {
  // A server that was there before must not carry our marks when it is restarted: they are what we end at the end.
  let ours = true
  const env = () => createChildEnvironment(ours ? place : undefined, request.env ?? {}, place.outer)
  const before = readUptimeTicks()
  const command = (action: keyof typeof timeouts, timeout: number = timeouts[action]): CommandRun => ({
    path: request.commandPath,
    program: request.program,
    args: [`--${action}`, ...(request.args ?? [])],
    timeout,
    cwd: request.cwd,
    env: env(),
  })
  const never = new AbortController().signal

  const start = await runCommand(command('start', request.readyTimeout), started, signal)
  if (!start.ok) {
    signalAll(place.tag, Number.NaN, 'SIGKILL')
    return err(signal.aborted ? { code: 'CANCELLED' } : { code: 'SERVER_START_FAILED', ...start.error })
  }
  const answer = start.value
  ours = answer.status === 'ready'
  const paths = resolveLogPaths(answer.logs)
  const follower = createLogFollower(paths, hooks.line)
  const renewals = watchLogRotations(paths)
  const look = () => {
    renewals.look()
    follower.sync()
    return renewals.starts()
  }
  let server: DevServer = { ...fields(answer), mode: 'contract', logs: answer.logs, ours }
  let identity = claim(server, place.tag, before)
  if (ours && identity) place.watchdog.guard(identity.pid)

  // What the command left running although it should not: by its tag, or the process it named, where that is provably its own. A process
  // dies a little after its signal, so the answer waits for that.
  const isOurs = () => identity && isAlive(identity.pid) && readStartTicks(identity.pid) === identity.born
  const killRest = async () => {
    signalAll(place.tag, Number.NaN, 'SIGKILL')
    if (identity && isOurs()) sendSignal(identity.pid, 'SIGKILL')
    for (let left = GONE / STEP; left > 0 && (isOurs() || findTaggedProcesses(place.tag).length > 0); left--)
      await sleep(STEP)
    if (identity) place.watchdog.release(identity.pid)
  }

  // Its output and its end come by no signal, so both are looked for.
  let told = false
  const ended = () =>
    server.pid !== undefined && !isAlive(server.pid) ? `process ${server.pid} has exited` : undefined
  const watch = setInterval(() => {
    look()
    const how = ended()
    if (how && !told) hooks.ended(how)
    told = how !== undefined
  }, LOOK)
  watch.unref?.()

  return ok({
    info: () => server,
    ended,
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
      look()
      const run = await runCommand(command('restart'), restarted, stop)
      look()
      if (!run.ok) return err({ code: 'SERVER_START_FAILED', ...run.error })
      const { previousPid = server.pid, previousPort = server.port } = run.value
      if (identity) place.watchdog.release(identity.pid)
      server = { ...server, ...fields(run.value) }
      identity = ours ? claim(server, place.tag, before) : undefined
      if (identity) place.watchdog.guard(identity.pid)
      return ok({ server, ...(previousPid !== undefined && { previousPid }), previousPort })
    },
    sync: look,
    logs: (query) => readLogs(paths, query, look()),
    searchLogs: (query, search) => searchLogs(paths, query, search, look()),
    async stop(patience) {
      clearInterval(watch)
      follower.sync()
      if (!ours) return ok(`The server at ${server.url} was running before and was left running.`)
      const limit = Math.min(timeouts.shutdown, patience ?? timeouts.shutdown)
      const run = await runCommand(command('shutdown', limit), stopped, never)
      await killRest()
      if (run.ok) return ok(run.value.message ?? 'The server is stopped.')
      const { command: text, text: reason, stderr = [] } = run.error
      return err({ code: 'SERVER_SHUTDOWN_FAILED', command: text, reason, stderr })
    },
  })
}

// The process that the command named is its own if it carries our mark or began after the command did; where neither can be told, its
// word is taken. Never a process that could not be one.
function claim(
  { pid, ours }: DevServer,
  tag: string,
  before: number | undefined,
): { pid: number; born: number | undefined } | undefined {
  if (!ours || pid === undefined || [0, 1, process.pid, process.ppid].includes(pid)) return undefined
  const born = readStartTicks(pid)
  const known = before === undefined || born === undefined
  return known || born >= before || findTaggedProcesses(tag).includes(pid) ? { pid, born } : undefined
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
