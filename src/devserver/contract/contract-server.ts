// A server that is started and stopped by the user's own command: `--start`, `--restart`, `--status`, `--shutdown`.

import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { createContractLogs } from './contract-logs.ts'
import {
  restartDocument,
  shutdownDocument,
  startDocument,
  statusDocument,
  type StartDocument,
  type StatusDocument,
} from './contract-documents.ts'
import { identifyServerProcess } from './contract-process.ts'
import { runCommand, type CommandFailure, type CommandRun } from './run-command.ts'
import { createLostPortCheck } from '../port/lost-port.ts'
import type { ServerContext } from '../start/server-context.ts'
import type { Program } from '../process/allowed-programs.ts'
import { createChildEnvironment } from '../process/environment.ts'
import {
  isAlive,
  isSameProcess,
  readUptimeTicks,
  signalProcess,
  type ProcessIdentity,
} from '../process/process-table.ts'
import { readActivity } from '../process/process-activity.ts'
import { createProcessTree, type ProcessTree } from '../process/process-tree.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import type { DevServer, ServerRequest, ServerStatus } from '../../core/dev-server.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { OwnedServer, ServerHooks } from '../../runtime/ports/servers.ts'

const TIMEOUTS_MS = { start: 30_000, restart: 45_000, status: 5000, shutdown: 15_000 } as const
const WATCH_INTERVAL_MS = 300
const KILL_TIMEOUT_MS = 1000
const KILL_POLL_INTERVAL_MS = 5

type ContractRequest = ServerRequest & {
  readonly commandPath: string
  readonly program: Program | undefined
}

export async function startContractServer(
  request: ContractRequest,
  context: ServerContext,
  hooks: ServerHooks,
  signal: AbortSignal,
): Promise<Outcome<OwnedServer>> {
  const startTicks = readUptimeTicks()
  const tree = createProcessTree(context.tag)
  const run = createCommandRun('start', request, context, true, request.readyTimeout)
  const start = await runCommand(run, startDocument, signal)
  if (start.ok) return ok(createContractServer(request, context, hooks, start.value, tree, startTicks))
  tree.signal('SIGKILL')
  return err(signal.aborted ? { code: 'CANCELLED' } : startFailureOf(start.error))
}

// --- internal ---

function createContractServer(
  request: ContractRequest,
  context: ServerContext,
  hooks: ServerHooks,
  document: StartDocument,
  tree: ProcessTree,
  startTicks: number | undefined,
): OwnedServer {
  const isOwned = document.status === 'ready'
  const neverAborted = new AbortController().signal
  const runOf = (action: keyof typeof TIMEOUTS_MS, timeoutMs?: number) =>
    createCommandRun(action, request, context, isOwned, timeoutMs)
  const logs = createContractLogs(document.logs, context.folder, hooks)
  let server: DevServer = {
    ...serverFieldsOf(document),
    mode: 'contract',
    logs: logs.named,
    isOwned,
  }
  let named = followNamedProcess(server, tree, startTicks, context)
  const describeEnd = () =>
    server.pid !== undefined && !isAlive(server.pid) ? `process ${server.pid} has exited` : undefined
  const stopWatching = watchEnd(describeEnd, logs.sync, hooks.onExit)

  return {
    info: () => server,
    exitReason: describeEnd,
    hasLostPort: (port) => named.hasLostPort(port),
    status: async () => statusOf(await runCommand(runOf('status'), statusDocument, neverAborted), server),
    async restart(signal) {
      logs.sync()
      const result = await runCommand(runOf('restart'), restartDocument, signal)
      logs.sync()
      if (!result.ok) return err(startFailureOf(result.error))
      const { previousPid = server.pid, previousPort = server.port } = result.value
      if (named.identity) context.watchdog.release(named.identity)
      server = { ...server, ...serverFieldsOf(result.value) }
      named = followNamedProcess(server, tree, startTicks, context)
      return ok({ server, ...(previousPid !== undefined && { previousPid }), previousPort })
    },
    sync: logs.sync,
    logs: logs.logs,
    searchLogs: logs.searchLogs,
    async stop(timeoutMs = TIMEOUTS_MS.shutdown) {
      stopWatching()
      logs.reportLines()
      logs.close()
      if (!isOwned) return ok(`The server at ${server.url} was running before and was left running.`)
      const run = runOf('shutdown', Math.min(TIMEOUTS_MS.shutdown, timeoutMs))
      const shutdown = await runCommand(run, shutdownDocument, neverAborted)
      await killRemaining(named.identity, tree)
      if (named.identity) context.watchdog.release(named.identity)
      if (shutdown.ok) return ok(shutdown.value.message ?? 'The server is stopped.')
      const { command, text: reason, stderr = [] } = shutdown.error
      return err({ code: 'SERVER_SHUTDOWN_FAILED', command, reason, stderr })
    },
  }
}

// A restart may name another process.
function followNamedProcess(
  server: DevServer,
  tree: ProcessTree,
  startTicks: number | undefined,
  context: ServerContext,
) {
  const identity = server.isOwned ? identifyServerProcess(server.pid, tree, startTicks) : undefined
  if (identity) context.watchdog.guard(identity)
  return { identity, hasLostPort: createPortCheck(server, context) }
}

// What listens on its port as the command names it is the server's, whatever its processes are.
function createPortCheck({ pid, port }: DevServer, { tag }: ServerContext): (port: number) => boolean {
  const tree = createProcessTree(tag, pid)
  return createLostPortCheck((candidate) => readActivity(tree).listens(candidate), port)
}

// A server that was running before must not get the tag at a restart, because tagged processes are killed at the end.
const createCommandRun = (
  action: keyof typeof TIMEOUTS_MS,
  request: ContractRequest,
  context: ServerContext,
  isOwned: boolean,
  timeoutMs: number = TIMEOUTS_MS[action],
): CommandRun => ({
  path: request.commandPath,
  program: request.program,
  args: [`--${action}`, ...(request.args ?? [])],
  timeout: timeoutMs,
  cwd: request.cwd,
  env: createChildEnvironment(isOwned ? context : undefined, request.env ?? {}, context.parentEnv),
})

// New output and the end of the process cause no event, so both are polled. Each end is reported once.
function watchEnd(
  describeEnd: () => string | undefined,
  syncLogs: () => void,
  onEnd: (description: string) => void,
): () => void {
  let isReported = false
  const timer = setInterval(() => {
    syncLogs()
    const description = describeEnd()
    if (description && !isReported) onEnd(description)
    isReported = description !== undefined
  }, WATCH_INTERVAL_MS)
  timer.unref?.()
  return () => clearInterval(timer)
}

// Kills what the command left running: processes with the tag, and the one it named. A process ends shortly after its signal.
async function killRemaining(identity: ProcessIdentity | undefined, tree: ProcessTree): Promise<void> {
  tree.signal('SIGKILL')
  const isRunning = () => identity !== undefined && isSameProcess(identity)
  if (identity) signalProcess(identity, 'SIGKILL', process.platform === 'win32' ? 'group' : 'process')
  for (let polls = KILL_TIMEOUT_MS / KILL_POLL_INTERVAL_MS; polls > 0; polls -= 1) {
    if (!isRunning() && !tree.isAlive()) break
    await sleep(KILL_POLL_INTERVAL_MS)
  }
}

function statusOf(run: Result<StatusDocument, CommandFailure>, server: DevServer): ServerStatus {
  if (!run.ok) return { status: 'unhealthy', url: server.url, healthy: false, message: run.error.text }
  const { status, healthy = status === 'running', uptime, message, url = server.url } = run.value
  return { status, healthy, url, ...(uptime !== undefined && { uptime }), ...(message && { message }) }
}

const startFailureOf = (failure: CommandFailure): Failure => ({ code: 'SERVER_START_FAILED', ...failure })

type ServerFields = Pick<StartDocument, 'url' | 'port' | 'pid' | 'startedAt' | 'message'>

const serverFieldsOf = ({ url, port, pid, startedAt, message }: ServerFields): ServerFields => ({
  url,
  port,
  pid,
  startedAt,
  message,
})
