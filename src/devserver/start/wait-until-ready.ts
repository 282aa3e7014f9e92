// Bringing a server of our own up. Where it listens is read from its output, confirmed by asking there, and proven to be its own
// port; what announces nothing while it is quiet is found by the sockets it opened.

import { probeAddress, createSearch } from './find-address.ts'
import type { Program } from '../process/allowed-programs.ts'
import { startChild, type Child } from '../process/child-process.ts'
import { childEnvironment } from '../process/environment.ts'
import { activityOf, anyAlive, type Activity } from '../process/process-tree.ts'
import type { LogFolder } from '../logs/log-writer.ts'
import type { Place } from './server-place.ts'
import { exited, startTimeout, printedCauses, printedErrors } from './start-failures.ts'
import { clip } from '../../core/text/clip.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import {
  chooseAddress,
  isReady,
  portOf,
  urlIn,
  type Server,
  type ServerRequest,
} from '../../core/dev-server.ts'
import { plainLine } from '../../core/text/terminal-codes.ts'
import type { ServerHooks } from '../../runtime/ports/servers.ts'

const READY = 60_000
/** Until then only announced addresses and PORT count; after it any port that the server listens on does. */
const PATIENCE = 1500
/** How long a server that answers, but may still announce a better address, must have been quiet, and how long it may be busy. */
const QUIET_MS = 1500
const BUSY_LIMIT_MS = 10_000
/** Processor time that a waiting server may use, in clock ticks of 10 ms. */
const QUIET_TICKS = 3
/** Between two words of progress. */
const TELL = 1000

export interface Running {
  readonly child: Child
  readonly server: Server
  /** Whether a browser can show what it answers. */
  readonly isPage: boolean
}

export type Wanted = ServerRequest & {
  readonly command: string | readonly string[]
  readonly port: number
  readonly isPortGiven: boolean
  /** Where it was before a restart. */
  readonly previous?: string
  readonly logs: LogFolder
  readonly program: Program | undefined
}
export type Hooks = Omit<ServerHooks, 'moved'> & {
  end(child: Child): void
  /** It announced an address after it had come up. */
  announced(url: string): void
}

/** Starts the command and waits until it answers; a server that does not come up is ended again. */
export async function waitUntilReady(
  request: Wanted,
  place: Place,
  hooks: Hooks,
  signal: AbortSignal,
): Promise<Outcome<Running>> {
  const { command, program, cwd } = request
  const announced = new Set<string>()
  const search = createSearch(request, place, announced)
  let wake = () => {}
  let [up, over] = [false, false]
  const env = childEnvironment(
    place,
    { PORT: String(request.port), BROWSER: 'none', ...request.env },
    place.outer,
  )
  const line = (stream: 'stdout' | 'stderr', text: string) => {
    const url = urlIn(text)
    if (url && up) hooks.announced(url)
    if (url && !up) announced.add(url)
    hooks.line(stream, plainLine(text))
  }
  const child = startChild({ command, program, cwd, env, logs: request.logs }, place, line, () => {
    wake()
    if (!up || over || !child.ended()) return
    over = true
    hooks.end(child)
  })
  const since = performance.now()
  const startedAt = new Date().toISOString()
  const [isQuiet, limit] = [createQuietWatch(), request.readyTimeout ?? READY]
  let told = 0
  for (;;) {
    const waited = performance.now() - since
    if (isOver(child, place)) return giveUp(child, () => exited(child, request))
    if (signal.aborted) return giveUp(child, () => ({ code: 'CANCELLED' }))
    const activity = activityOf(place.tag, child.pid)
    const isLate = waited > limit
    const isExplained = search.failing.size > 0 && printedCauses(child).length > 0
    const { answers, pending } = await probeAddress(search, activity, {
      any: waited > PATIENCE,
      isLate,
      isExplained,
    })
    const chosen = chooseAddress(answers, request)
    const settled = chosen && (chosen.certain || isQuiet(activity, pending) || isLate)
    if (settled && !isOver(child, place)) {
      up = true
      const { url, isPage, status } = chosen.answer
      return ok({ child, isPage, server: serverOf(url, child, startedAt, status) })
    }
    if (isLate) {
      const failure = startTimeout(child, request, place, limit, [...search.seen.values()])
      return giveUp(child, () => failure)
    }
    if (waited - told > TELL) {
      told = waited
      hooks.progress(`waiting for the server, ${Math.round(waited / 1000)} s; last line: ${lastLine(child)}`)
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
function isOver(child: Child, { tag }: Place): boolean {
  const end = child.ended()
  return end !== undefined && !(end.code === 0 && anyAlive(tag, child.pid))
}

// What answers is taken although it may not be the best address, once its processes have nothing more to do. Where that cannot be
// seen, a time must do.
function createQuietWatch(): (activity: Activity, pending: boolean) => boolean {
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
export function serverOf(url: string, child: Child, startedAt: string, status = 200): Server {
  const [cause = ''] = isReady(status) ? [] : printedCauses(child)
  const why = cause && `: ${clip(cause, 300)}`
  const message = isReady(status)
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
    ...(!isReady(status) && { output: printedErrors(child) }),
  }
}

const lastLine = ({ last }: Child): string =>
  plainLine(last.stdout.at(-1) ?? last.stderr.at(-1) ?? '(none)').slice(0, 200)

// The child is ended first: then its last output is there to be told.
async function giveUp(child: Child, failure: () => Failure): Promise<Outcome<never>> {
  await child.stop(500)
  return err(failure())
}
