// How long no request of a page has been pending.

import type { BrowserContext, Page, Request } from 'playwright'
import { pageOf } from './pending-requests.ts'

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

// --- internal ---

const pendingByContext = new WeakMap<BrowserContext, PendingSet>()

// Over BiDi streams and handshakes have no type of their own.
const isStream = (request: Request): boolean => {
  const headers = request.headers()
  return headers['accept'] === 'text/event-stream' || headers['sec-fetch-mode'] === 'websocket'
}
