// What the pages of a context are loading: which requests are pending, which of them an action caused, and since when none is.

import type { Page, Request, BrowserContext } from 'playwright'
import { createDeferred, settleWithin } from '../../base/system/settle-within.ts'

export interface RequestActivity {
  /** `seq` is the number of the request in the network log; numbers increase. */
  add(request: Request, seq: number, type: string): void
  /** A response has come: what the document that it replaces was loading is removed. */
  respond(request: Request, seq: number): void
  remove(request: Request): void
  /** Requests with a larger number count as caused by the action that begins now. */
  mark(seq: number): void
  /** Waits until no request since the mark is pending, for some milliseconds or until `end` resolves. False if there was none, not even one
   * that has ended by now. */
  waitForIdle(end: number | Promise<void>): Promise<boolean>
  /** The requests without a response: those since the mark, and the scripts of this origin. The oldest comes first. */
  unanswered(origin: string): Request[]
  /** Milliseconds since a request of this page, or of a worker, was pending; 0 while one is. Streams do not count. */
  quietMs(page: Page): number
  /** Milliseconds since a script of any page was loading; 0 while one is. */
  scriptQuietMs(): number
  /** Forgets the scripts of a page, because it was closed. */
  clearScripts(page: Page): void
}

/** What an action is waited for. */
const AWAITED_TYPES = new Set(['document', 'fetch', 'xhr', 'script'])
/** What stays pending while nothing happens, or has a response that the page does not get. */
const QUIET_TYPES = new Set(['eventsource', 'websocket', 'media', 'ping', 'beacon', 'cspviolationreport'])

interface PendingRequest {
  readonly seq: number
  readonly type: string
  readonly isQuiet: boolean
  hasResponse: boolean
}

const activityByContext = new WeakMap<BrowserContext, RequestActivity>()

/** The milliseconds for which a page has loaded nothing; 0 if its context is not watched. */
export const requestQuietTime = (page: Page): number =>
  activityByContext.get(page.context())?.quietMs(page) ?? 0

export function createRequestActivity(context: BrowserContext): RequestActivity {
  const pending = new Map<Request, PendingRequest>()
  const waiting = new Set<() => void>()
  let markedSeq = 0
  let hasRequestsSinceMark = false
  let lastScriptAt = -Infinity
  let lastEndAt = -Infinity
  const isAwaited = ({ seq, type }: PendingRequest) => seq > markedSeq && AWAITED_TYPES.has(type)
  const isIdle = () => ![...pending.values()].some(isAwaited)
  const scripts = () => [...pending].filter(([, { type }]) => type === 'script')

  function remove(request: Request): void {
    const entry = pending.get(request)
    pending.delete(request)
    if (entry?.type === 'script') lastScriptAt = performance.now()
    if (entry && !entry.isQuiet) lastEndAt = performance.now()
    if (waiting.size > 0 && isIdle()) for (const wake of waiting) wake()
  }

  const activity: RequestActivity = {
    add(request, seq, type) {
      const isQuiet = QUIET_TYPES.has(type) || isStream(request)
      pending.set(request, { seq, type, isQuiet, hasResponse: false })
      if (AWAITED_TYPES.has(type)) hasRequestsSinceMark = true
    },
    respond(request, seq) {
      const entry = pending.get(request)
      if (entry) entry.hasResponse = true
      for (const replaced of requestsReplacedBy(request, seq, pending)) remove(replaced)
    },
    remove,
    mark(seq) {
      markedSeq = seq
      hasRequestsSinceMark = false
    },
    async waitForIdle(end) {
      if (isIdle()) return hasRequestsSinceMark
      const { promise: idle, resolve: wake } = createDeferred()
      waiting.add(wake)
      await (typeof end === 'number' ? settleWithin(end, idle) : Promise.race([idle, end]))
      waiting.delete(wake)
      return true
    },
    unanswered: (origin) =>
      [...pending].flatMap(([request, entry]) =>
        !entry.hasResponse && (isAwaited(entry) || isScriptOf(request, origin)) ? request : [],
      ),
    quietMs: (page) => (isBusy(page, pending) ? 0 : performance.now() - lastEndAt),
    scriptQuietMs: () => (scripts().length > 0 ? 0 : performance.now() - lastScriptAt),
    clearScripts(page) {
      for (const [request] of scripts()) if (pageOf(request) === page) pending.delete(request)
    },
  }
  activityByContext.set(context, activity)
  return activity
}

/** The page of a request. The request of a service worker has no frame, and that of a window which is opening has none yet. */
export function pageOf(request: Request): Page | undefined {
  try {
    return request.frame().page()
  } catch {
    return undefined
  }
}

// --- internal ---

// The browser does not always report the end of what the previous document of a page was loading.
function requestsReplacedBy(
  request: Request,
  seq: number,
  pending: ReadonlyMap<Request, PendingRequest>,
): readonly Request[] {
  const page = pageOf(request)
  if (!page || !request.isNavigationRequest() || request.frame() !== page.mainFrame()) return []
  return [...pending].flatMap(([earlier, entry]) =>
    entry.seq < seq && pageOf(earlier) === page ? earlier : [],
  )
}

const isBusy = (page: Page, pending: ReadonlyMap<Request, PendingRequest>): boolean =>
  [...pending].some(([request, { isQuiet }]) => !isQuiet && (pageOf(request) ?? page) === page)

// Until such a script is loaded, what it adds is missing: event handlers of a page that the server rendered, for example.
const isScriptOf = (request: Request, origin: string): boolean =>
  request.resourceType() === 'script' && request.url().startsWith(`${origin}/`)

// Over BiDi streams and handshakes have no type of their own.
const isStream = (request: Request): boolean => {
  const headers = request.headers()
  return headers['accept'] === 'text/event-stream' || headers['sec-fetch-mode'] === 'websocket'
}
