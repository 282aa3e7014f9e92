// The requests of a context that are pending, and which of them an action caused: those that came after the mark that it set.

import type { Page, Request, BrowserContext } from 'playwright'
import { createDeferred, settleWithin } from '../../runtime/system/settle-within.ts'

/** The scripts that pages load. */
export interface ScriptActivity {
  pendingCount(): number
  msSinceLastLoad(): number
}

interface PendingRequests {
  readonly scripts: ScriptActivity
  /** `seq` is the number of the request in the network log; numbers increase. */
  add(request: Request, seq: number, type: string): void
  /** A response has come: requests of the document that it replaces are removed. */
  respond(request: Request, seq: number): void
  remove(request: Request): void
  /** Requests with a larger number count as caused by the action that begins now. */
  mark(seq: number): void
  /** Waits until no request since the mark is pending, for some milliseconds or until `end` resolves. False if there was none, not even one
   * that has ended by now. */
  waitForIdle(end: number | Promise<void>): Promise<boolean>
  /** The requests without a response: those since the mark, and the scripts of this origin. The oldest comes first. */
  unanswered(origin: string): Request[]
  /** Forgets the scripts of a page, because it was closed. */
  clearScripts(page: Page): void
}

const AWAITED_TYPES = new Set(['document', 'fetch', 'xhr', 'script'])

export function createPendingRequests(): PendingRequests {
  const pending = new Map<Request, number>()
  const scripts = new Map<Request, number>()
  const withResponse = new WeakSet<Request>()
  const waiting = new Set<() => void>()
  let markedSeq = 0
  let pendingSinceMark = 0
  let hasRequestsSinceMark = false
  let lastScriptAt = -Infinity

  function remove(request: Request): void {
    if ((pending.get(request) ?? 0) > markedSeq) pendingSinceMark -= 1
    pending.delete(request)
    if (scripts.delete(request)) lastScriptAt = performance.now()
    if (pendingSinceMark === 0) for (const wake of waiting) wake()
  }

  return {
    scripts: {
      pendingCount: () => scripts.size,
      msSinceLastLoad: () => performance.now() - lastScriptAt,
    },
    add(request, seq, type) {
      if (type === 'script') scripts.set(request, seq)
      if (!AWAITED_TYPES.has(type)) return
      pending.set(request, seq)
      pendingSinceMark += 1
      hasRequestsSinceMark = true
    },
    respond(request, seq) {
      withResponse.add(request)
      for (const replaced of requestsReplacedBy(request, seq, new Map([...pending, ...scripts])))
        remove(replaced)
    },
    remove,
    mark(seq) {
      markedSeq = seq
      pendingSinceMark = 0
      hasRequestsSinceMark = false
    },
    async waitForIdle(end) {
      if (pendingSinceMark === 0) return hasRequestsSinceMark
      const { promise: idle, resolve: wake } = createDeferred()
      waiting.add(wake)
      await (typeof end === 'number' ? settleWithin(end, idle) : Promise.race([idle, end]))
      waiting.delete(wake)
      return true
    },
    unanswered: (origin) =>
      [...pending]
        .filter(
          ([request, seq]) => !withResponse.has(request) && (seq > markedSeq || isScriptOf(request, origin)),
        )
        .map(([request]) => request),
    clearScripts(page) {
      for (const request of scripts.keys()) if (pageOf(request) === page) scripts.delete(request)
    },
  }
}

/** The page of a request. The request of a service worker has no frame, and that of a window which is opening has none yet. */
function pageOf(request: Request): Page | undefined {
  try {
    return request.frame().page()
  } catch {
    return undefined
  }
}

// --- internal ---

// What the previous document of a page was loading: the browser does not always report its end.
function requestsReplacedBy(request: Request, seq: number, pending: ReadonlyMap<Request, number>): Request[] {
  const page = pageOf(request)
  if (!page || !request.isNavigationRequest() || request.frame() !== page.mainFrame()) return []
  return [...pending].filter(([old, oldSeq]) => oldSeq < seq && pageOf(old) === page).map(([old]) => old)
}

// Until such a script is loaded, what it adds is missing: event handlers of a page that the server rendered, for example.
const isScriptOf = (request: Request, origin: string): boolean =>
  request.resourceType() === 'script' && request.url().startsWith(`${origin}/`)

// How long no request of a page has been pending.
// Requests that stay pending while nothing happens, and those whose responses a page does not get.
const UNCOUNTED_TYPES = new Set(['eventsource', 'websocket', 'media', 'ping', 'beacon', 'cspviolationreport'])

interface PendingSet {
  readonly requests: Set<Request>
  lastEndAt: number
}

/** Observes the requests of a context for `requestQuietTime`. */
export function watchRequestQuietTime(context: BrowserContext): void {
  const pending: PendingSet = { requests: new Set(), lastEndAt: -Infinity }
  pendingByContext.set(context, pending)
  const remove = (request: Request) => {
    if (pending.requests.delete(request)) pending.lastEndAt = performance.now()
  }
  context.on('request', (request) => {
    if (!UNCOUNTED_TYPES.has(request.resourceType()) && !isStream(request)) pending.requests.add(request)
  })
  context.on('requestfinished', remove)
  context.on('requestfailed', remove)
  // The browser does not always report the end of what the previous document was loading.
  context.on('response', (response) => {
    const request = response.request()
    const page = pageOf(request)
    if (!page || !request.isNavigationRequest() || request.frame() !== page.mainFrame()) return
    for (const earlier of pending.requests) {
      if (earlier === request) break
      if (pageOf(earlier) === page) remove(earlier)
    }
  })
}

/** Milliseconds since a request of this page, or of a worker, was pending; 0 while one is. Streams do not count. */
export function requestQuietTime(page: Page): number {
  const pending = pendingByContext.get(page.context())
  if (!pending) return 0
  const isBusy = [...pending.requests].some((request) => (pageOf(request) ?? page) === page)
  return isBusy ? 0 : performance.now() - pending.lastEndAt
}

const pendingByContext = new WeakMap<BrowserContext, PendingSet>()

// Over BiDi streams and handshakes have no type of their own.
const isStream = (request: Request): boolean => {
  const headers = request.headers()
  return headers['accept'] === 'text/event-stream' || headers['sec-fetch-mode'] === 'websocket'
}
