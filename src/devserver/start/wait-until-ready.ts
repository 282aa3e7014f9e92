// Bringing a server of our own up. Where it listens is read from its output, confirmed by asking there, and proven to be its own
// port; what announces nothing while it is quiet is found by the sockets it opened.

import { probeAddresses, createAddressSearch } from './find-address.ts'
import type { Program } from '../process/allowed-programs.ts'
import { startServerProcess, type ServerProcess } from '../process/child-process.ts'
import { createChildEnvironment } from '../process/environment.ts'
import { readActivity, isAnyAlive, type ProcessActivity } from '../process/process-tree.ts'
import type { LogFolder } from '../logs/log-writer.ts'
import type { ServerContext } from './server-place.ts'
import { exitFailure, timeoutFailure, errorLinesOf, errorOutputOf } from './start-failures.ts'
import { clip } from '../../core/text/clip.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import {
  chooseAddress,
  isReadyStatus,
  portOf,
  findAnnouncedUrl,
  type DevServer,
  type ServerRequest,
} from '../../core/dev-server.ts'
import { stripTerminalCodes } from '../../core/text/terminal-codes.ts'
import type { ServerHooks } from '../../runtime/ports/servers.ts'

const READY_TIMEOUT_MS = 60_000
/** Until then only announced addresses and PORT count; after it any port that the server listens on does. */
const ANNOUNCED_ONLY_MS = 1500
/** How long a server that answers, but may still announce a better address, must have been quiet, and how long it may be busy. */
const QUIET_MS = 1500
const BUSY_LIMIT_MS = 10_000
/** Processor time that a waiting server may use, in clock ticks of 10 ms. */
const QUIET_TICKS = 3
/** Between two words of progress. */
const PROGRESS_INTERVAL_MS = 1000

export interface RunningServer {
  readonly child: ServerProcess
  readonly server: DevServer
  /** Whether a browser can show what it answers. */
  readonly isPage: boolean
}

export type LaunchRequest = ServerRequest & {
  readonly command: string | readonly string[]
  readonly port: number
  readonly isPortGiven: boolean
  /** Where it was before a restart. */
  readonly previous?: string
  readonly logs: LogFolder
  readonly program: Program | undefined
}
export type LaunchHooks = Omit<ServerHooks, 'moved'> & {
  end(child: ServerProcess): void
  /** It announced an address after it had come up. */
  announced(url: string): void
}

/** Starts the command and waits until it answers; a server that does not come up is ended again. */
export async function waitUntilReady(
  request: LaunchRequest,
  place: ServerContext,
  hooks: LaunchHooks,
  signal: AbortSignal,
): Promise<Outcome<RunningServer>> {
  const { command, program, cwd } = request
  const announced = new Set<string>()
  const search = createAddressSearch(request, place, announced)
  let wake = () => {}
  let [up, over] = [false, false]
  const env = createChildEnvironment(
    place,
    { PORT: String(request.port), BROWSER: 'none', ...request.env },
    place.outer,
  )
  const line = (stream: 'stdout' | 'stderr', text: string) => {
    const url = findAnnouncedUrl(text)
    if (url && up) hooks.announced(url)
    if (url && !up) announced.add(url)
    hooks.line(stream, stripTerminalCodes(text))
  }
  const child = startServerProcess({ command, program, cwd, env, logs: request.logs }, place, line, () => {
    wake()
    if (!up || over || !child.ended()) return
    over = true
    hooks.end(child)
  })
  const since = performance.now()
  const startedAt = new Date().toISOString()
  const [isQuiet, limit] = [createQuietWatch(), request.readyTimeout ?? READY_TIMEOUT_MS]
  let told = 0
  for (;;) {
    const waited = performance.now() - since
    if (hasEnded(child, place)) return giveUp(child, () => exitFailure(child, request))
    if (signal.aborted) return giveUp(child, () => ({ code: 'CANCELLED' }))
    const activity = readActivity(place.tag, child.pid)
    const isLate = waited > limit
    const isExplained = search.failing.size > 0 && errorLinesOf(child).length > 0
    const { answers, pending } = await probeAddresses(search, activity, {
      any: waited > ANNOUNCED_ONLY_MS,
      isLate,
      isExplained,
    })
    const chosen = chooseAddress(answers, request)
    const settled = chosen && (chosen.certain || isQuiet(activity, pending) || isLate)
    if (settled && !hasEnded(child, place)) {
      up = true
      const { url, isPage, status } = chosen.answer
      return ok({ child, isPage, server: serverOf(url, child, startedAt, status) })
    }
    if (isLate) {
      const failure = timeoutFailure(child, request, place, limit, [...search.seen.values()])
      return giveUp(child, () => failure)
    }
    if (waited - told > PROGRESS_INTERVAL_MS) {
      told = waited
      hooks.progress(
        `waiting for the server, ${Math.round(waited / 1000)} s; last line: ${lastLineOf(child)}`,
      )
    }
    await pause(Math.min(250, 30 + waited / 20), (now) => (wake = now))
  }
}

// Until the time is over, or what `arm` is given is called.
const pause = (ms: number, arm: (wake: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    arm(() => {
      clearTimeout(timer)
      resolve()
    })
  })

// A command that ended well may have left a server in the background.
function hasEnded(child: ServerProcess, { tag }: ServerContext): boolean {
  const end = child.ended()
  return end !== undefined && !(end.code === 0 && isAnyAlive(tag, child.pid))
}

// What answers is taken although it may not be the best address, once its processes have nothing more to do. Where that cannot be
// seen, a time must do.
function createQuietWatch(): (activity: ProcessActivity, pending: boolean) => boolean {
  let first: number | undefined
  let mark = { at: 0, ticks: 0 }
  return ({ ticks = 0, isRunning }, pending) => {
    const now = performance.now()
    const isBusy = pending || isRunning || Math.abs(ticks - mark.ticks) > QUIET_TICKS
    if (first === undefined || isBusy) mark = { at: now, ticks }
    first ??= now
    return now - mark.at > QUIET_MS || now - first > BUSY_LIMIT_MS
  }
}

/** `status` is what its page answers with. */
export function serverOf(url: string, child: ServerProcess, startedAt: string, status = 200): DevServer {
  const [cause = ''] = isReadyStatus(status) ? [] : errorLinesOf(child)
  const why = cause && `: ${clip(cause, 300)}`
  const message = isReadyStatus(status)
    ? `The server is ready at ${url}`
    : `The server is up at ${url}, but its page responds with ${status}${why}`
  return {
    mode: 'direct',
    url,
    port: portOf(url),
    pid: child.pid,
    startedAt,
    logs: child.logs,
    ours: true,
    message,
    ...(!isReadyStatus(status) && { output: errorOutputOf(child) }),
  }
}

const lastLineOf = ({ last }: ServerProcess): string =>
  stripTerminalCodes(last.stdout.at(-1) ?? last.stderr.at(-1) ?? '(none)').slice(0, 200)

// The child is ended first: then its last output is there to be told.
async function giveUp(child: ServerProcess, failure: () => Failure): Promise<Outcome<never>> {
  await child.stop(500)
  return err(failure())
}
