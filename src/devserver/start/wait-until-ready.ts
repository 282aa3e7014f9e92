// Starts a server and waits until it responds. Its URL is read from its output, confirmed by a request, and verified to be its own port;
// a server that announces nothing is found by its listening sockets once it is idle.

import { createAddressSearch, probeAddresses, type AddressSearch } from './find-address.ts'
import {
  describeHiddenPort,
  describeIgnoredPort,
  describeOtherListeners,
  readActivity,
  type ProcessActivity,
} from '../process/process-activity.ts'
import { serverOf, type RunningServer } from './running-server.ts'
import { type ServerContext, createChildEnvironment } from '../process/start-context.ts'
import { errorLinesOf, exitFailureOf, timeoutFailureOf } from './start-failures.ts'
import type { LogFolder } from '../logs/log-folder.ts'
import type { Program } from '../process/allowed-programs.ts'
import { startServerProcess, type ServerProcess } from '../process/child-process.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import {
  chooseAddress,
  findAnnouncedUrl,
  portOf,
  type ServerAnswer,
  type ServerRequest,
} from '../../core/dev-server.ts'
import { stripTerminalCodes } from '../../core/text/terminal-codes.ts'
import type { ServerHooks } from '../../runtime/ports/servers.ts'

const READY_TIMEOUT_MS = 60_000
/** Until then only announced URLs and PORT count; after it any port that the server listens on. */
const ANNOUNCED_ONLY_DURATION_MS = 1500
const PROGRESS_INTERVAL_MS = 1000
const POLL_LIMIT_MS = 250
const FAILED_START_GRACE_MS = 500
const LAST_LINE_LIMIT_CHARS = 200

export type LaunchRequest = ServerRequest & {
  readonly command: string | readonly string[]
  readonly port: number
  readonly isPortGiven: boolean
  /** The URL before a restart. */
  readonly previous?: string
  readonly logs: LogFolder
  readonly program: Program | undefined
}

type LaunchHooks = Omit<ServerHooks, 'moved'> & {
  end(child: ServerProcess): void
  /** The server announced a URL after it was ready. */
  announced(url: string): void
}

/** Starts the command and waits until it responds; a server that does not become ready is stopped. */
export async function waitUntilReady(
  request: LaunchRequest,
  context: ServerContext,
  hooks: LaunchHooks,
  signal: AbortSignal,
): Promise<Outcome<RunningServer>> {
  const launch = launchProcess(request, context, hooks)
  return waitForAnswer(launch, request, hooks, signal).finally(() => launch.search.end.abort())
}

// --- internal ---

async function waitForAnswer(
  launch: Launch,
  request: LaunchRequest,
  hooks: LaunchHooks,
  signal: AbortSignal,
): Promise<Outcome<RunningServer>> {
  const { child, search } = launch
  const startedAt = new Date().toISOString()
  const startMs = performance.now()
  const timeoutMs = request.readyTimeout ?? READY_TIMEOUT_MS
  const isQuiet = createQuietWatch()
  let reportedMs = 0
  for (;;) {
    const waitedMs = performance.now() - startMs
    const isLate = waitedMs > timeoutMs
    if (hasEnded(child)) return stopAndFail(child, () => exitFailureOf(child, request))
    if (signal.aborted) return stopAndFail(child, () => ({ code: 'CANCELLED' }))
    const answer = await findAnswer(launch, request, isQuiet, waitedMs, isLate)
    if (answer && !hasEnded(child)) {
      launch.markUp()
      const { url, isPage, status } = answer
      const listening = describeListening(url, launch, request)
      return ok({ child, isPage, server: serverOf(url, child, { startedAt, status, ...listening }) })
    }
    if (isLate) {
      const failure = timeoutFailureOf(child, request, timeoutMs, [...search.refusals.values()])
      return stopAndFail(child, () => failure)
    }
    if (waitedMs - reportedMs > PROGRESS_INTERVAL_MS) {
      reportedMs = waitedMs
      const seconds = Math.round(waitedMs / 1000)
      hooks.onProgress(`waiting for the server, ${seconds} s${describeLastLine(child)}`)
    }
    await launch.waitForChange(Math.min(POLL_LIMIT_MS, 30 + waitedMs / 20))
  }
}

interface Launch {
  readonly child: ServerProcess
  readonly search: AddressSearch
  /** From now on announced URLs and the end are passed to the hooks. */
  markUp(): void
  /** Settles at the next line of output, at the exit, or after this time. */
  waitForChange(timeoutMs: number): Promise<void>
}

function launchProcess(request: LaunchRequest, context: ServerContext, hooks: LaunchHooks): Launch {
  const { command, program, cwd, logs } = request
  const announced = new Set<string>()
  let wake = () => {}
  let [isUp, isEndReported] = [false, false]
  const variables = { PORT: String(request.port), BROWSER: 'none', ...request.env }
  const env = createChildEnvironment(context, variables, context.parentEnv)
  const child = startServerProcess(
    { command, program, cwd, env, logs },
    context,
    (stream, line) => {
      const url = findAnnouncedUrl(line)
      if (url && isUp) hooks.announced(url)
      if (url && !isUp) announced.add(url)
      hooks.onLine(stream, stripTerminalCodes(line))
    },
    () => {
      wake()
      if (!isUp || isEndReported || !child.exit()) return
      isEndReported = true
      hooks.end(child)
    },
  )
  return {
    child,
    search: createAddressSearch(request, context, announced),
    markUp: () => void (isUp = true),
    waitForChange: (timeoutMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

// The response of the server's URL, once waiting longer would bring no better one.
async function findAnswer(
  { child, search }: Launch,
  request: LaunchRequest,
  isQuiet: (activity: ProcessActivity, isPending: boolean) => boolean,
  waitedMs: number,
  isLate: boolean,
): Promise<ServerAnswer | undefined> {
  const activity = readActivity(child.tree)
  const isExplained = search.failing.size > 0 && errorLinesOf(child).length > 0
  const stage = { includesUnnamed: waitedMs > ANNOUNCED_ONLY_DURATION_MS, isLate, isExplained }
  const { answers, pending } = await probeAddresses(search, activity, stage)
  const choice = chooseAddress(answers, { ...request, hasRivals: hasRivals(answers, request, activity) })
  const isSettled = choice && (choice.isCertain || isQuiet(activity, pending) || isLate)
  return isSettled ? choice.answer : undefined
}

function describeListening(url: string, { child, search }: Launch, { port, isPortGiven }: LaunchRequest) {
  const activity = readActivity(child.tree)
  const others = describeOtherListeners(url, activity, search.announced)
  const hidden = portOf(url) === port ? '' : describeHiddenPort(child.tree.members(), port)
  const isTaken = activity.listens(port) ?? portOf(url) === port
  const note = isPortGiven && !isTaken ? describeIgnoredPort(port, hidden) : hidden
  return {
    listeners: `${others}${note && `. ${note}`}`,
    ...(isTaken && { variablePort: port }),
  }
}

// The command may be for another of its processes, or for PORT.
const hasRivals = (
  answers: readonly ServerAnswer[],
  { port, readyUrl }: LaunchRequest,
  activity: ProcessActivity,
): boolean =>
  readyUrl === undefined &&
  (activity.listens(port) === true || answers.some(({ url }) => activity.hasOthersThan(portOf(url))))

// A command that exited with 0 may have left a server in the background.
function hasEnded(child: ServerProcess): boolean {
  const exit = child.exit()
  return exit !== undefined && !(exit.code === 0 && child.tree.isAlive())
}

function describeLastLine({ lastLines }: ServerProcess): string {
  const lines = [...lastLines.stderr, ...lastLines.stdout].map((line) => stripTerminalCodes(line).trim())
  const last = lines.findLast((line) => line !== '')
  return last === undefined ? '' : `; last line: ${last.slice(0, LAST_LINE_LIMIT_CHARS)}`
}

// The child is stopped first, so that its last output is part of the failure.
async function stopAndFail(child: ServerProcess, failure: () => Failure): Promise<Outcome<never>> {
  await child.stop(FAILED_START_GRACE_MS)
  return err(failure())
}

// Detects that the processes of a server are idle, so that no better URL is expected. If their activity cannot be read, a time limit
// decides.
const QUIET_DURATION_MS = 1500
const BUSY_LIMIT_MS = 10_000
/** CPU time that an idle server may use, in clock ticks of 10 ms. */
const QUIET_LIMIT_TICKS = 3

/** Returns a function for every poll; `isPending`: an announced URL does not respond yet. */
function createQuietWatch(): (activity: ProcessActivity, isPending: boolean) => boolean {
  let firstAt: number | undefined
  let lastBusy = { at: 0, cpuTicks: 0 }
  return ({ cpuTicks = 0, isRunning }, isPending) => {
    const now = performance.now()
    const isBusy = isPending || isRunning || Math.abs(cpuTicks - lastBusy.cpuTicks) > QUIET_LIMIT_TICKS
    if (firstAt === undefined || isBusy) lastBusy = { at: now, cpuTicks }
    firstAt ??= now
    return now - lastBusy.at > QUIET_DURATION_MS || now - firstAt > BUSY_LIMIT_MS
  }
}
