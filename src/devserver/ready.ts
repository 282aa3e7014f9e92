// Bringing a server of our own up. Where it listens is read from its output, confirmed by asking there, and proven to be its own
// port; what announces nothing is found by the sockets it opened.

import { startChild, type Child } from './child.ts'
import { childEnvironment } from './environment.ts'
import { isReady, statusOf } from './http.ts'
import { listens, portsOf } from './processes.ts'
import type { Place } from './server.ts'
import { exited, late } from './verdict.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'
import { plainLine, urlIn, type Server, type ServerRequest } from '../core/server.ts'
import type { ServerHooks } from '../runtime/ports/servers.ts'

const READY = 60_000
/** Until then only announced addresses and PORT count; after it any port that the server listens on does. */
const PATIENCE = 1500
/** Between two words of progress. */
const TELL = 1000

export interface Running {
  readonly child: Child
  readonly server: Server
}

export type Wanted = ServerRequest & { readonly command: string | readonly string[]; readonly port: number }
export type Hooks = ServerHooks & { end(child: Child): void }

/** Starts the command and waits until it answers; a server that does not come up is ended again. */
export async function bringUp(
  request: Wanted,
  place: Place,
  hooks: Hooks,
  signal: AbortSignal,
): Promise<Outcome<Running>> {
  const announced = new Set<string>()
  const seen = new Map<string, string>()
  let wake = () => {}
  let up = false
  const env = childEnvironment(
    place,
    { PORT: String(request.port), BROWSER: 'none', ...request.env },
    place.outer,
  )
  const line = (stream: 'stdout' | 'stderr', text: string) => {
    const url = up ? undefined : urlIn(text)
    if (url) announced.add(url)
    hooks.line(stream, plainLine(text))
  }
  const child = startChild({ command: request.command, cwd: request.cwd, env }, place, line, () => {
    wake()
    if (!up || !child.ended()) return
    up = false
    hooks.end(child)
  })
  const since = performance.now()
  const startedAt = new Date().toISOString()
  let told = 0
  for (;;) {
    const waited = performance.now() - since
    const failure = failureOf(child, request, place, waited, signal, seen)
    if (failure) return giveUp(child, failure)
    const asked = candidates(request, place.tag, child, announced, waited > PATIENCE)
    const url = await firstReady(asked, place.tag, child, seen)
    if (url !== undefined && !child.ended()) {
      up = true
      return ok({ child, server: serverOf(baseOf(url, request, announced), child, startedAt) })
    }
    if (waited - told > TELL) {
      told = waited
      hooks.progress(`waiting for the server, ${Math.round(waited / 1000)} s; last line: ${lastLine(child)}`)
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(250, 30 + waited / 20))
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

function failureOf(
  child: Child,
  request: Wanted,
  place: Place,
  waited: number,
  signal: AbortSignal,
  seen: ReadonlyMap<string, string>,
): (() => Failure) | undefined {
  const limit = request.readyTimeout ?? READY
  if (child.ended()) return () => exited(child, request)
  if (signal.aborted) return () => ({ code: 'CANCELLED' })
  if (waited <= limit) return undefined
  const failure = late(child, request, place, limit, [...seen.values()])
  return () => failure
}

function serverOf(url: string, child: Child, startedAt: string): Server {
  const { port, protocol } = new URL(url)
  const message = `The server is ready at ${url}`
  return {
    mode: 'direct',
    url,
    port: Number(port || standardPort(protocol)),
    pid: child.pid,
    startedAt,
    logs: child.logs,
    ours: true,
    message,
  }
}

const standardPort = (protocol: string): number => (protocol === 'https:' ? 443 : 80)

const lastLine = ({ last }: Child): string =>
  plainLine(last.stdout.at(-1) ?? last.stderr.at(-1) ?? '(none)').slice(0, 200)

// A path that says ready need not be where the application is; what the server announced on the same port is.
function baseOf(url: string, { readyUrl }: Wanted, announced: ReadonlySet<string>): string {
  if (readyUrl === undefined) return url
  const { origin, port } = new URL(url)
  return [...announced].find((one) => new URL(one).port === port) ?? `${origin}/`
}

interface Candidate {
  readonly url: string
  /** Nobody named it; a debugger's port answers 400, and that is no application. */
  readonly guessed: boolean
}

function candidates(
  { readyUrl, port }: Wanted,
  tag: string,
  child: Child,
  announced: ReadonlySet<string>,
  any: boolean,
): Candidate[] {
  if (readyUrl !== undefined) return [{ url: readyUrl, guessed: false }]
  const both = (one: number) => [`http://127.0.0.1:${one}/`, `http://[::1]:${one}/`]
  const opened = any ? portsOf(tag, child.pid).flatMap(both) : []
  const named = [...announced, ...both(port)].map((url) => ({ url, guessed: false }))
  return [...named, ...opened.map((url) => ({ url, guessed: true }))]
}

/** `seen` notes what answered otherwise than it should, for the failure. */
async function firstReady(
  all: readonly Candidate[],
  tag: string,
  child: Child,
  seen: Map<string, string>,
): Promise<string | undefined> {
  for (const { url, guessed } of all) {
    const { port, protocol } = new URL(url)
    // Another program's server on that port must not be taken for this one.
    if (listens(tag, child.pid, Number(port || standardPort(protocol))) === false) continue
    const status = await statusOf(url, 1000)
    if (isReady(status) && !(guessed && status === 400)) return url
    if (status !== undefined) seen.set(url, `${url} answers with ${status}`)
  }
  return undefined
}

// The child is ended first: then its last output is there to be told.
async function giveUp(child: Child, failure: () => Failure): Promise<Outcome<never>> {
  await child.stop(500)
  return err(failure())
}
