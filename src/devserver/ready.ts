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
    const failure = failureOf(child, request, place, waited, signal)
    if (failure) return giveUp(child, failure)
    const url = await firstReady(
      candidates(request, place.tag, child, announced, waited > PATIENCE),
      place.tag,
      child,
    )
    if (url !== undefined && !child.ended()) {
      up = true
      const own = request.readyUrl === undefined ? url : ([...announced][0] ?? `${new URL(url).origin}/`)
      return ok({ child, server: serverOf(own, child, startedAt) })
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
): Failure | undefined {
  const limit = request.readyTimeout ?? READY
  if (child.ended()) return exited(child, request)
  if (signal.aborted) return { code: 'CANCELLED' }
  return waited > limit ? late(child, request, place, limit) : undefined
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

function candidates(
  { readyUrl, port }: Wanted,
  tag: string,
  child: Child,
  announced: ReadonlySet<string>,
  any: boolean,
): string[] {
  if (readyUrl !== undefined) return [readyUrl]
  const opened = any ? portsOf(tag, child.pid) : []
  const guesses = [port, ...opened].flatMap((one) => [`http://127.0.0.1:${one}/`, `http://[::1]:${one}/`])
  return [...announced, ...guesses]
}

async function firstReady(urls: readonly string[], tag: string, child: Child): Promise<string | undefined> {
  for (const url of urls) {
    const { port, protocol } = new URL(url)
    // Another program's server on that port must not be taken for this one.
    if (listens(tag, child.pid, Number(port || standardPort(protocol))) === false) continue
    if (isReady(await statusOf(url, 1000))) return url
  }
  return undefined
}

async function giveUp(child: Child, failure: Failure): Promise<Outcome<never>> {
  await child.stop(500)
  return err(failure)
}
