// A server that is started and stopped by the user's own command: `--start`, `--restart`, `--status`, `--shutdown`.

import { mkdtempSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import type { LogPaths } from '../../base/failure-records.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { removeFolder } from '../../base/files/remove-folder.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type {
  DevServer,
  LogStarts,
  OwnedServer,
  ServerHooks,
  ServerRequest,
  ServerStatus,
} from '../../sessions/types/servers.ts'
import { createLogFollower, readLogs, resolveLogPaths } from '../logs/log-files.ts'
import { createRedactedLogs } from '../logs/redacted-logs.ts'
import type { Program } from '../process/allowed-programs.ts'
import { createLostPortCheck } from '../process/lost-port.ts'
import { readActivity } from '../process/process-activity.ts'
import {
  identify,
  isAlive,
  isSameProcess,
  type ProcessIdentity,
  readUptimeTicks,
  signalProcess,
} from '../process/process-table.ts'
import { createProcessTree, type ProcessTree } from '../process/process-tree.ts'
import { createChildEnvironment, type ServerContext } from '../process/start-context.ts'
import { watchPorts } from '../process/used-ports.ts'
import { type CommandFailure, type CommandRun, runCommand } from './run-command.ts'

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
  if (start.ok) return ok(await createContractServer(request, context, hooks, start.value, tree, startTicks))
  tree.signal('SIGKILL')
  return err(signal.aborted ? { code: 'CANCELLED' } : startFailureOf(start.error))
}

async function createContractServer(
  request: ContractRequest,
  context: ServerContext,
  hooks: ServerHooks,
  document: StartDocument,
  tree: ProcessTree,
  startTicks: number | undefined,
): Promise<OwnedServer> {
  const isOwned = document.status === 'ready'
  const neverAborted = new AbortController().signal
  const runOf = (action: keyof typeof TIMEOUTS_MS, timeoutMs?: number) =>
    createCommandRun(action, request, context, isOwned, timeoutMs)
  const logs = await createContractLogs(document.logs, context.folder, hooks)
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
    ports: () => readActivity(named.tree).ports,
    watchPorts: (folder) => watchPorts(() => named.tree, folder),
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
      return ok({ server, previousPid, previousPort })
    },
    sync: logs.sync,
    logs: logs.logs,
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
  const ownTree = createProcessTree(context.tag, server.pid)
  const listens = (port: number) => readActivity(ownTree).listens(port)
  // What listens on its port as the command names it is the server's, whatever its processes are.
  return { identity, tree: ownTree, hasLostPort: createLostPortCheck(listens, server.port) }
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
  return { status, healthy, url, uptime, ...(message && { message }) }
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

// Schemas of the JSON documents that the commands of the server contract print. Unknown fields are allowed.
const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535))
const pid = v.pipe(v.number(), v.integer(), v.minValue(1))
const url = v.pipe(v.string(), v.url())
const logs = v.looseObject({ stdout: v.string(), stderr: v.string(), combined: v.string() })

const startDocument = v.looseObject({
  status: v.picklist(['ready', 'already_running']),
  url,
  port,
  pid,
  startedAt: v.string(),
  logs,
  message: v.string(),
})

type StartDocument = v.InferOutput<typeof startDocument>

const restartDocument = v.looseObject({
  status: v.picklist(['restarted', 'started']),
  url,
  port,
  pid,
  startedAt: v.string(),
  previousPid: v.optional(pid),
  previousPort: v.optional(port),
  message: v.string(),
})

const statusDocument = v.looseObject({
  status: v.picklist(['running', 'stopped', 'unhealthy']),
  url: v.optional(url),
  uptime: v.optional(v.number()),
  healthy: v.optional(v.boolean()),
  message: v.optional(v.string()),
})

type StatusDocument = v.InferOutput<typeof statusDocument>

const shutdownDocument = v.looseObject({
  status: v.picklist(['stopped', 'already_stopped', 'force_stopped']),
  message: v.optional(v.string()),
})

/** What was printed before the start was complete. */
const COPIED_LINES = 1000

interface ContractLogs extends Pick<OwnedServer, 'logs'> {
  /** The files that answers name: redacted copies, unless everything may be shown. */
  readonly named: LogPaths
  /** Reports new lines, and returns the bytes of each log before the start of its current file. */
  sync(): LogStarts
  /** Reports new lines only. */
  reportLines(): void
  /** Removes the copies. */
  close(): void
}

/** Copies are written in a new folder in `parent`. */
async function createContractLogs(
  logs: LogPaths,
  parent: string,
  { onLine, redact }: Pick<ServerHooks, 'onLine' | 'redact'>,
): Promise<ContractLogs> {
  const paths = resolveLogPaths(logs)
  // A command may make a combined log without writing it: then it is made of the two others.
  const hasCombined = () => (readFileState(paths.combined)?.size ?? 0) > 0
  const folder = mkdtempSync(join(parent, 'server-'))
  const merged = createRedactedLogs(mkdtempSync(join(folder, 'merged-')), (text) => text)
  const copies = redact && createRedactedLogs(folder, redact, () => !hasCombined())
  let hasOthers = false
  const isMerged = () => hasOthers && !hasCombined()
  const add = (stream: keyof LogPaths, lines: readonly string[]) => {
    copies?.add(stream, lines)
    if (stream === 'combined' || lines.length === 0 || hasCombined()) return
    hasOthers = true
    merged.add(stream, lines)
  }
  for (const type of LOG_NAMES) {
    const printed = await readLogs(paths, { type, lines: COPIED_LINES })
    if (printed.ok) add(type, printed.value.lines)
  }
  const named = copies?.paths ?? (isMerged() ? { ...logs, combined: merged.paths.combined } : logs)
  const reportLines = createLogFollower(paths, (stream, text) => {
    add(stream, [text])
    // A command may have one log for all.
    const isRepeated = stream === 'stderr' && paths.stderr === paths.stdout
    if (stream !== 'combined' && !isRepeated) onLine(stream, text)
  })
  const rotations = watchLogRotations(paths)
  const sync = () => {
    rotations.check()
    reportLines()
    return rotations.starts()
  }
  return {
    sync,
    reportLines,
    named,
    logs(query, search) {
      const starts = sync()
      return query.type === 'combined' && isMerged()
        ? readLogs(resolveLogPaths(merged.paths), query, undefined, search)
        : readLogs(paths, query, starts, search)
    },
    close: () => removeFolder(folder),
  }
}

/** The identity of the process if it grew from the command or started after it, or if its start cannot be read; else undefined. Never init,
 * this process or its parent. */
function identifyServerProcess(
  pid: number | undefined,
  tree: ProcessTree,
  commandStartTicks: number | undefined,
): ProcessIdentity | undefined {
  if (pid === undefined || [0, 1, process.pid, process.ppid].includes(pid)) return undefined
  const identity = identify(pid)
  const isLater = commandStartTicks === undefined || Number(identity?.startTime) >= commandStartTicks
  return isLater || tree.members().some((member) => member.pid === pid) ? identity : undefined
}

// Detects truncation and rotation of the logs of a server that writes them itself. Positions continue across files, so that a reader gets
// each line once.
interface LogRotations {
  /** The bytes of each log before the start of its current file. */
  starts(): LogStarts
  /** Checks whether a file was truncated or replaced since the last call. */
  check(): void
}

const LOG_NAMES = ['stdout', 'stderr', 'combined'] as const

export function watchLogRotations(paths: LogPaths): LogRotations {
  const starts = { stdout: 0, stderr: 0, combined: 0 }
  const lastStates = {
    stdout: readFileState(paths.stdout),
    stderr: readFileState(paths.stderr),
    combined: readFileState(paths.combined),
  }
  return {
    starts: () => ({ ...starts }),
    check() {
      for (const name of LOG_NAMES) {
        const [previous, current] = [lastStates[name], readFileState(paths[name])]
        // A missing file is compared when it exists again.
        if (!current) continue
        if (previous && (current.file !== previous.file || current.size < previous.size))
          starts[name] += previous.size
        lastStates[name] = current
      }
    },
  }
}

interface FileState {
  readonly file: number
  readonly size: number
}

function readFileState(path: string): FileState | undefined {
  try {
    const { ino, size } = statSync(path)
    return { file: ino, size }
  } catch {
    return undefined
  }
}
