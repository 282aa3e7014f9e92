// The scripts that started requests. Chromium tells them with each request; Playwright does not pass them on. Where its internals look
// different, or in another browser, they are not known.

import type { Page, Request } from 'playwright'
import { internalsOf } from '../playwright/internals.ts'

/** Observes the requests of a page. */
export function watchInitiators(page: Page): void {
  const delegate = internalsOf<{ readonly delegate?: ServerPageDelegate }>(page)?.delegate
  const manager = delegate?._networkManager
  const prototype = manager && (Object.getPrototypeOf(manager) as Partial<NetworkManagerPrototype>)
  if (!prototype || typeof prototype._onRequest !== 'function' || patchedPrototypes.has(prototype)) return
  patchedPrototypes.add(prototype)
  const original = prototype._onRequest
  prototype._onRequest = function (session, event, ...rest) {
    original.call(this, session, event, ...rest)
    const frames = event.initiator?.stack?.callFrames
    const request = frames?.length ? this._requestIdToRequest?.get(event.requestId)?.request : undefined
    if (frames && request) stackByRequest.set(request, formatStack(frames))
  }
}

/** The stack that started a request, one frame a line; undefined if it is not known. */
export function initiatorOf(request: Request): string | undefined {
  const serverRequest = internalsOf<object>(request)
  return serverRequest && stackByRequest.get(serverRequest)
}

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}

/** A frame as a line of a stack of V8. */
export function stackLineOf({ functionName, url, lineNumber, columnNumber }: CallFrame): string {
  const place = `${url}:${lineNumber + 1}:${columnNumber + 1}`
  return functionName ? `    at ${functionName} (${place})` : `    at ${place}`
}

// --- internal ---

interface RequestEvent {
  readonly requestId: string
  readonly initiator?: { readonly stack?: { readonly callFrames: readonly CallFrame[] } }
}
interface NetworkManagerPrototype {
  readonly _requestIdToRequest?: ReadonlyMap<string, { readonly request?: object }>
  _onRequest(session: unknown, event: RequestEvent, ...rest: unknown[]): void
}
interface ServerPageDelegate {
  readonly _networkManager?: object
}

const FRAME_LIMIT = 8
const URL_LIMIT_CHARS = 500

const patchedPrototypes = new WeakSet<object>()
const stackByRequest = new WeakMap<object, string>()

const formatStack = (frames: readonly CallFrame[]): string =>
  frames
    .slice(0, FRAME_LIMIT)
    .filter(({ url }) => url.length <= URL_LIMIT_CHARS)
    .map(stackLineOf)
    .join('\n')
