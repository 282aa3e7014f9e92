// Starts a server and waits until it responds. Its URL is read from its output, confirmed by a request, and verified to be its own port;
// a server that announces nothing is found by its listening sockets once it is idle.

import process from 'node:process'
import type { Failure, Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import { stripTerminalCodes } from '../../base/text/terminal-codes.ts'
import type { DevServer, ServerHooks, ServerRequest } from '../../sessions/types/servers.ts'
import {
  chooseAddress,
  findAnnouncedUrl,
  isNamedLocal,
  isReadyStatus,
  portOf,
  type ServerAnswer,
} from '../dev-server.ts'
import type { LogFolder } from '../logs/log-folder.ts'
import type { Program } from '../process/allowed-programs.ts'
import { type ServerProcess, startServerProcess } from '../process/child-process.ts'
import {
  describeHiddenPort,
  describeIgnoredPort,
  describeOtherListeners,
  type ProcessActivity,
  readActivity,
} from '../process/process-activity.ts'
import { serverVariablesFor } from '../process/server-variables.ts'
import { createChildEnvironment, type ServerContext } from '../process/start-context.ts'
import { createProblems, type Problems } from './describe-problems.ts'
import {
  addressBehind,
  type AddressSearch,
  type Announcement,
  createAddressSearch,
  isOwnHost,
  mayNameRoot,
  probeAddresses,
} from './find-address.ts'
import { probeUrl } from './http-probe.ts'
import { type RunningServer, serverOf } from './running-server.ts'
import { errorLinesOf, exitFailureOf, timeoutFailureOf } from './start-failures.ts'

const READY_TIMEOUT_MS = 60_000
/** Until then only announced URLs and PORT count; after it any port that the server listens on. */
const ANNOUNCED_ONLY_DURATION_MS = 1500
const PROGRESS_INTERVAL_MS = 1000
const POLL_LIMIT_MS = 250
const FAILED_START_GRACE_MS = 500
const LAST_LINE_LIMIT_CHARS = 200
const ELSEWHERE_TIMEOUT_MS = 5000

export type LaunchRequest = Omit<ServerRequest, 'port'> & {
  readonly command: string | readonly string[]
  /** The variable PORT; undefined if it is not set. */
  readonly port: number | undefined
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
    if (hasEnded(child) && !mayRunElsewhere(child, request))
      return stopAndFail(child, () => exitFailureOf(child, request, hooks))
    if (signal.aborted) return stopAndFail(child, () => ({ code: 'CANCELLED' }))
    const isElsewhere = hasEnded(child)
    const answer = isElsewhere
      ? await findElsewhere(search, signal)
      : await findAnswer(launch, request, isQuiet, waitedMs, isLate)
    if (answer && isElsewhere === hasEnded(child)) {
      launch.markUp()
      const { url, isPage, status } = answer
      const listening = isElsewhere ? { isElsewhere } : describeListening(url, launch, request)
      const server = serverOf(url, child, { startedAt, status, ...listening })
      const describeProblems = async (page: string) => (isElsewhere ? '' : launch.problems.describe(page))
      return ok({
        child,
        isPage,
        server: withProblems(server, await describeProblems(url)),
        describeProblems,
      })
    }
    if (isLate) {
      child.sync()
      const answers = [...search.refusals.values()]
      return stopAndFail(child, await timeoutFailureOf(child, request, timeoutMs, answers, hooks))
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
  readonly problems: Problems
  /** From now on announced URLs and the end are passed to the hooks. */
  markUp(): void
  /** Settles at the next line of output, at the exit, or after this time. */
  waitForChange(timeoutMs: number): Promise<void>
}

function launchProcess(request: LaunchRequest, context: ServerContext, hooks: LaunchHooks): Launch {
  const { command, program, cwd, logs } = request
  const announced = new Map<string, Announcement>()
  let wake = () => {}
  let [isUp, isEndReported] = [false, false]
  const variables = {
    ...serverVariablesFor(cwd ?? process.cwd(), [command].flat().join(' ')),
    ...(request.port !== undefined && { PORT: String(request.port) }),
    BROWSER: 'none',
    ...request.env,
  }
  const env = createChildEnvironment(context, variables, context.parentEnv)
  const child = startServerProcess(
    { command, program, cwd, env, logs },
    context,
    (stream, line) => {
      const url = findAnnouncedUrl(line, isOwnHost)
      if (url && isUp) hooks.announced(url)
      if (url && !isUp) {
        const { at = performance.now(), isNamedLocal: wasNamedLocal = false } = announced.get(url) ?? {}
        announced.set(url, { at, isNamedLocal: wasNamedLocal || isNamedLocal(line) })
      }
      const text = stripTerminalCodes(line)
      problems.add(text)
      hooks.onLine(stream, text)
    },
    () => {
      wake()
      if (!isUp || isEndReported || !child.exit()) return
      isEndReported = true
      hooks.end(child)
    },
  )
  const problems = createProblems(() => child, request, hooks)
  return {
    child,
    problems,
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
  const { answers, pending, awaitsAnnounced } = await probeAddresses(search, activity, stage)
  const choice = chooseAddress(answers, { ...request, hasRivals: hasRivals(answers, request, activity) })
  // The first page of a framework may take long; what answers before it is a port for tools.
  const isBesideAnnounced = ({ url, isAnnounced }: ServerAnswer) =>
    awaitsAnnounced && !isAnnounced && !(request.isPortGiven && portOf(url) === request.port)
  const isCertain = choice?.isCertain === true && !mayNameRoot(choice.answer, search.announced)
  const isQuietNow = isQuiet(activity, pending)
  const isSettled = choice && (isCertain || (isQuietNow && !isBesideAnnounced(choice.answer)) || isLate)
  return isSettled ? choice.answer : undefined
}

// What has no process of the command may run in another program, as in that of Docker.
const mayRunElsewhere = (child: ServerProcess, { readyUrl }: LaunchRequest): boolean =>
  readyUrl !== undefined && child.exit()?.code === 0

async function findElsewhere(
  { request: { readyUrl = '' }, context, announced }: AddressSearch,
  signal: AbortSignal,
): Promise<ServerAnswer | undefined> {
  const { checkServerAddress } = context
  const answer = await probeUrl(readyUrl, { timeoutMs: ELSEWHERE_TIMEOUT_MS, checkServerAddress, signal })
  if (!answer || !isReadyStatus(answer.status)) return undefined
  return { ...answer, url: addressBehind(readyUrl, announced), isPage: true, isAnnounced: false }
}

const withProblems = (server: DevServer, problems: string): DevServer =>
  problems === '' ? server : { ...server, message: `${server.message.replace(/\.$/, '')}. ${problems}` }

function describeListening(url: string, { child, search }: Launch, { port, isPortGiven }: LaunchRequest) {
  const activity = readActivity(child.tree)
  const others = describeOtherListeners(url, activity, search.announced.keys())
  if (port === undefined) return { listeners: others }
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
  ((port !== undefined && activity.listens(port) === true) ||
    answers.some(({ url }) => activity.hasOthersThan(portOf(url))))

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
async function stopAndFail(
  child: ServerProcess,
  failure: () => Failure | Promise<Failure>,
): Promise<Outcome<never>> {
  await child.stop(FAILED_START_GRACE_MS)
  return err(await failure())
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
