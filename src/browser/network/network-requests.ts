// The requests of a context: each is noted from its start to its end, the newest are kept so that their headers and bodies can be
// read later, and what an action set off can be waited for.

import type { BrowserContext, Page, Request, Response } from 'playwright'
import { readBodies, readHeaders } from './request-bodies.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { clip } from '../../core/text/clip.ts'
import type { JournalEntry } from '../../core/session/journal.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { PageHooks } from '../../runtime/ports/browsers.ts'
import type { Message } from '../../runtime/ports/page.ts'

/** The scripts that pages load. */
export interface ScriptActivity {
  /** How many are under way. */
  pendingCount(): number
  /** Milliseconds since the last one came. */
  msSinceLastLoad(): number
}

export interface NetworkRequests {
  readonly scripts: ScriptActivity
  /** From here on requests count as set off by the action that begins now. */
  mark(): void
  /** Waits until what was set off since the mark has ended, for at most `ms`. Whether there was anything to wait for. */
  waitForIdle(ms: number): Promise<boolean>
  /** What was set off since the mark, and the scripts of this origin whenever they were asked for, without a response yet: method and url,
   * the oldest first. */
  unanswered(origin: string): string[]
  read(seq: number, part: 'headers' | 'body'): Promise<Outcome<{ request: Message; response: Message }>>
}

const KEPT = 1000
const URL_LENGTH = 4000
const awaited = new Set(['document', 'fetch', 'xhr', 'script'])

export function watchNetworkRequests(
  context: BrowserContext,
  { requested, progressed, observe }: Pick<PageHooks, 'requested' | 'progressed' | 'observe'>,
): NetworkRequests {
  const numbers = new WeakMap<Request, number>()
  const kept = new Map<number, Request>()
  const pending = new Map<Request, number>()
  const answered = new WeakSet<Request>()
  const idle = new Set<() => void>()
  let marked = 0
  let last = 0
  // Those under way that came after the mark.
  let open = 0
  const scripts = new Set<Request>()
  let lastScript = -Infinity

  const numberOf = (request: Request) => numbers.get(request) ?? 0
  const ended = (request: Request) => {
    if ((pending.get(request) ?? 0) > marked) open -= 1
    pending.delete(request)
    if (scripts.delete(request)) lastScript = performance.now()
    if (open === 0) for (const wake of idle) wake()
  }

  // Of what a page was loading when the next document came, a browser does not always report the end.
  const replaceDocument = (request: Request) => {
    const page = pageOf(request)
    if (!page || !request.isNavigationRequest() || request.frame() !== page.mainFrame()) return
    const since = numberOf(request)
    for (const old of new Set([...pending.keys(), ...scripts]))
      if (numberOf(old) < since && pageOf(old) === page) ended(old)
  }

  context.on('request', (request) => {
    const socket = isHandshake(request)
    const type = socket ? 'websocket' : request.resourceType()
    const url = socket ? request.url().replace(/^http/, 'ws') : request.url()
    last = requested({ method: request.method(), url: clip(url, URL_LENGTH), type })
    numbers.set(request, last)
    kept.set(last, request)
    const [oldest = 0] = kept.size > KEPT ? kept.keys() : []
    kept.delete(oldest)
    if (type === 'script') scripts.add(request)
    if (!awaited.has(type)) return
    pending.set(request, last)
    open += 1
  })
  context.on('response', (response) => {
    answered.add(response.request())
    replaceDocument(response.request())
    const mimeType = response.headers()['content-type']?.slice(0, 200).split(';')[0]
    progressed(numberOf(response.request()), { status: response.status(), ...(mimeType && { mimeType }) })
    const isRefused = isHandshake(response.request()) && response.status() !== 101
    const failure = `Unexpected response code: ${response.status()}`
    if (isRefused) progressed(numberOf(response.request()), { state: 'failed', failure })
    observe(responseEntry(response))
  })
  context.on('requestfinished', (request) => {
    progressed(numberOf(request), { state: 'done' })
    ended(request)
  })
  context.on('requestfailed', (request) => {
    const failure = request.failure()?.errorText ?? 'failed'
    progressed(numberOf(request), { state: 'failed', failure })
    observe(failureEntry(request, failure))
    ended(request)
  })

  context.on('page', (page) => page.once('close', () => scripts.clear()))

  return {
    scripts: { pendingCount: () => scripts.size, msSinceLastLoad: () => performance.now() - lastScript },
    mark() {
      marked = last
      open = 0
    },
    async waitForIdle(ms) {
      if (open === 0) return false
      let wake = () => {}
      const quiet = new Promise<void>((resolve) => {
        wake = resolve
        idle.add(wake)
      })
      await settleWithin(ms, quiet)
      idle.delete(wake)
      return true
    },
    unanswered: (origin) =>
      [...pending]
        .filter(([request, seq]) => !answered.has(request) && (seq > marked || isOwnScript(request, origin)))
        .map(([request]) => `${request.method()} ${clip(request.url(), URL_LENGTH)}`),
    async read(seq, part) {
      const request = kept.get(seq)
      if (!request) {
        const expected = `the id of one of the last ${KEPT} requests, from network_requests`
        return err({ code: 'INVALID_PARAMETERS', field: 'id', expected, received: String(seq) })
      }
      return ok(part === 'headers' ? await readHeaders(request) : await readBodies(request))
    },
  }
}

// --- internal ---

// Over BiDi a WebSocket is a request like others.
const isHandshake = (request: Request): boolean => request.headers()['sec-fetch-mode'] === 'websocket'

// A service worker's has no frame, and that of a window which is opening none yet.
function pageOf(request: Request): Page | undefined {
  try {
    return request.frame().page()
  } catch {
    return undefined
  }
}

// What such a script brings, handlers of a page that a server rendered among it, is not there yet.
const isOwnScript = (request: Request, origin: string): boolean =>
  request.resourceType() === 'script' && request.url().startsWith(`${origin}/`)

function responseEntry(response: Response): Omit<JournalEntry, 'seq' | 'at'> {
  const status = response.status()
  const isError = status >= 500 || (status >= 400 && isHandshake(response.request()))
  const level = (isError && 'error') || (status >= 400 && 'warning') || 'info'
  return {
    kind: 'request',
    level,
    text: `${response.request().method()} ${clip(response.url(), URL_LENGTH)} → ${status}`,
    data: { type: response.request().resourceType() },
  }
}

// A request that is dropped because the page moves on is no failure.
function failureEntry(request: Request, reason: string): Omit<JournalEntry, 'seq' | 'at'> {
  const level = /ERR_ABORTED|NS_BINDING_ABORTED/.test(reason) ? 'info' : 'error'
  return {
    kind: 'request',
    level,
    text: `${request.method()} ${clip(request.url(), URL_LENGTH)} → ${reason}`,
  }
}
