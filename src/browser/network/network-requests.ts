// The requests of a context, reported from their start to their end. The newest are kept, so that their headers and bodies can be read
// later.

import type { BrowserContext, Page, Request, Response } from 'playwright'
import { createFailedBodies } from './failed-bodies.ts'
import { createPendingRequests, type ScriptActivity } from './pending-requests.ts'
import {
  failureEntry,
  isFailedForScript,
  isHandshake,
  responseEntry,
  type MockMark,
} from './request-entries.ts'
import { watchInitiators } from './request-initiators.ts'
import { readBodies, readHeaders, readScript } from './request-bodies.ts'
import { createBoundedMap } from '../../core/limits/bounded-map.ts'
import { clip } from '../../core/text/clip.ts'
import type { RequestStart } from '../../core/session/network-log.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { PageHooks } from '../../runtime/ports/browsers.ts'
import type { HttpMessage } from '../../runtime/ports/page/page-content.ts'
import type { LoadedScript } from '../../runtime/ports/source-locator.ts'

export interface NetworkRequests {
  readonly scripts: ScriptActivity
  /** From here on requests count as caused by the action that begins now. */
  mark(): void
  /** Waits until no request since the mark is pending, for some milliseconds or until `end` resolves. False if there was none to wait for. */
  waitForIdle(end: number | Promise<void>): Promise<boolean>
  /** The requests without a response, as method and URL: those since the mark, and the scripts of this origin. The oldest comes first. */
  unanswered(origin: string): string[]
  /** Notes the mock that decided on a request, and why that failed it. */
  markMock(request: Request, mock: string, reason?: string): void
  /** `seq` is the number of the request in the network log. */
  read(
    seq: number,
    part: 'headers' | 'body',
  ): Promise<Outcome<{ request: HttpMessage; response: HttpMessage }>>
  /** The first KB of a failed response to a script, redacted; undefined if it is not known. */
  readFailedBody(seq: number): Promise<string | undefined>
  /** The text of a script; undefined if it is not available or too large. */
  readScript(seq: number): Promise<LoadedScript | undefined>
}

type NetworkHooks = Pick<PageHooks, 'onRequest' | 'onRequestProgress' | 'onEntry' | 'secrets'>

const KEPT_REQUEST_LIMIT = 1000
const URL_LIMIT_CHARS = 4000
const MIME_TYPE_LIMIT_CHARS = 200

export function watchNetworkRequests(context: BrowserContext, hooks: NetworkHooks): NetworkRequests {
  const seqs = new WeakMap<Request, number>()
  const requestBySeq = createBoundedMap<number, Request>(KEPT_REQUEST_LIMIT)
  const pending = createPendingRequests()
  const mocks = new WeakMap<Request, MockMark>()
  const failedBodies = createFailedBodies(hooks.secrets)
  let lastSeq = 0

  const seqOf = (request: Request) => seqs.get(request) ?? 0

  context.on('request', (request) => {
    const start = describeStart(request)
    lastSeq = hooks.onRequest(start)
    seqs.set(request, lastSeq)
    requestBySeq.set(lastSeq, request)
    pending.add(request, lastSeq, start.type)
  })
  context.on('response', (response) => {
    const request = response.request()
    pending.respond(request, seqOf(request))
    if (isFailedForScript(response)) failedBodies.add(response, seqOf(request))
    reportResponse(response, seqOf(request), hooks, mocks.get(request))
  })
  context.on('requestfinished', (request) => {
    hooks.onRequestProgress(seqOf(request), { state: 'done' })
    pending.remove(request)
  })
  context.on('requestfailed', (request) => {
    const mock = mocks.get(request)
    const failure = mock?.reason ?? request.failure()?.errorText ?? 'failed'
    hooks.onRequestProgress(seqOf(request), { state: 'failed', failure })
    hooks.onEntry(failureEntry(request, failure, mock))
    pending.remove(request)
  })
  watchPages(context, pending.clearScripts)

  return {
    scripts: pending.scripts,
    mark: () => pending.mark(lastSeq),
    waitForIdle: pending.waitForIdle,
    unanswered: (origin) =>
      pending
        .unanswered(origin)
        .map((request) => `${request.method()} ${clip(request.url(), URL_LIMIT_CHARS)}`),
    markMock(request, mock, reason) {
      mocks.set(request, { id: mock, ...(reason !== undefined && { reason }) })
      hooks.onRequestProgress(seqOf(request), { mock })
    },
    async read(seq, part) {
      const request = requestBySeq.get(seq)
      if (!request) return err(unknownRequest(seq))
      const readFirstPart = () => failedBodies.read(seq)
      return ok(part === 'headers' ? await readHeaders(request) : await readBodies(request, readFirstPart))
    },
    readFailedBody: failedBodies.read,
    readScript: async (seq) => readScript(requestBySeq.get(seq)),
  }
}

// --- internal ---

const unknownRequest = (seq: number): Failure =>
  invalidParameter(
    'id',
    `the id of one of the last ${KEPT_REQUEST_LIMIT} requests, from network_requests`,
    String(seq),
  )

function watchPages(context: BrowserContext, onClose: (page: Page) => void): void {
  const watchPage = (page: Page) => {
    watchInitiators(page)
    page.once('close', onClose)
  }
  context.pages().forEach(watchPage)
  context.on('page', watchPage)
}

function describeStart(request: Request): RequestStart {
  const method = request.method()
  if (!isHandshake(request)) {
    const url = clip(request.url(), URL_LIMIT_CHARS)
    return { method, url, type: request.resourceType(), ...(loadsPage(request) && { isPageLoad: true }) }
  }
  const url = request.url().replace(/^http/, 'ws')
  return { method, url: clip(url, URL_LIMIT_CHARS), type: 'websocket' }
}

// The first request of a new page has no frame yet.
function loadsPage(request: Request): boolean {
  try {
    return request.isNavigationRequest() && !request.frame().parentFrame()
  } catch {
    return request.isNavigationRequest()
  }
}

function reportResponse(
  response: Response,
  seq: number,
  { onRequestProgress, onEntry }: NetworkHooks,
  mock: MockMark | undefined,
): void {
  const status = response.status()
  const mimeType = response.headers()['content-type']?.slice(0, MIME_TYPE_LIMIT_CHARS).split(';')[0]
  onRequestProgress(seq, { status, ...(mimeType && { mimeType }) })
  if (isHandshake(response.request()) && status !== 101)
    onRequestProgress(seq, { state: 'failed', failure: `Unexpected response code: ${status}` })
  onEntry(responseEntry(response, seq, mimeType, mock))
}
