// The requests of a context, reported from their start to their end. The newest are kept, so that their headers and bodies can be read
// later.

import type { LoadedScript } from '../../sessions/types/sources.ts'
import type { BrowserContext, Page, Request, Response } from 'playwright'
import { createRequestActivity, pageOf, type RequestActivity } from './request-activity.ts'
import {
  failureEntry,
  isFailedForScript,
  isHandshake,
  responseEntry,
  type MockMark,
} from './request-entries.ts'
import { watchInitiators } from './request-initiators.ts'
import { createBoundedMap } from '../../base/bounded-collections.ts'
import { clip } from '../../base/text/clip.ts'
import type { RequestStart } from '../../sessions/journal/network-log.ts'
import { invalidParameter, type Failure, type Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import type { PageHooks, SecretHooks } from '../../sessions/types/browsers.ts'
import type { HttpMessage } from '../../sessions/types/page.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import { internalsOf } from '../playwright/internals.ts'

export interface NetworkRequests extends Pick<RequestActivity, 'scriptQuietMs' | 'waitForIdle'> {
  /** The number of a page in the network log. */
  numberOf(page: Page): number
  /** From here on requests count as caused by the action that begins now. */
  mark(): void
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
const NOT_MODIFIED_STATUS = 304

export function watchNetworkRequests(context: BrowserContext, hooks: NetworkHooks): NetworkRequests {
  const seqs = new WeakMap<Request, number>()
  const requestBySeq = createBoundedMap<number, Request>(KEPT_REQUEST_LIMIT)
  const activity = createRequestActivity(context)
  const mocks = new WeakMap<Request, MockMark>()
  const failedBodies = createFailedBodies(hooks.secrets)
  const numberOf = createPageNumbers()
  let lastSeq = 0

  const seqOf = (request: Request) => seqs.get(request) ?? 0

  context.on('request', (request) => {
    const start = describeStart(request, numberOf)
    lastSeq = hooks.onRequest(start)
    seqs.set(request, lastSeq)
    requestBySeq.set(lastSeq, request)
    activity.add(request, lastSeq, start.type)
  })
  context.on('response', (response) => {
    const request = response.request()
    activity.respond(request, seqOf(request))
    if (isFailedForScript(response)) failedBodies.add(response, seqOf(request))
    reportResponse(response, seqOf(request), hooks, mocks.get(request))
  })
  context.on('requestfinished', (request) => {
    hooks.onRequestProgress(seqOf(request), { state: 'done' })
    activity.remove(request)
  })
  context.on('requestfailed', (request) => {
    const mock = mocks.get(request)
    const failure = mock?.reason ?? request.failure()?.errorText ?? 'failed'
    hooks.onRequestProgress(seqOf(request), { state: 'failed', failure })
    hooks.onEntry(failureEntry(request, failure, mock))
    activity.remove(request)
  })
  watchPages(context, activity.clearScripts)

  return {
    numberOf,
    scriptQuietMs: activity.scriptQuietMs,
    mark: () => activity.mark(lastSeq),
    waitForIdle: activity.waitForIdle,
    unanswered: (origin) =>
      activity
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

function createPageNumbers(): (page: Page) => number {
  const numbers = new WeakMap<Page, number>()
  let last = 0
  return (page) => {
    const number = numbers.get(page) ?? (last += 1)
    numbers.set(page, number)
    return number
  }
}

function describeStart(request: Request, numberOf: (page: Page) => number): RequestStart {
  const method = request.method()
  const page = pageOf(request)
  const common = { method, ...(page && { page: numberOf(page) }) }
  if (!isHandshake(request)) {
    const url = clip(request.url(), URL_LIMIT_CHARS)
    return { ...common, url, type: request.resourceType(), ...(loadsPage(request) && { isPageLoad: true }) }
  }
  const url = request.url().replace(/^http/, 'ws')
  return { ...common, url: clip(url, URL_LIMIT_CHARS), type: 'websocket' }
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
  const isStored = status === NOT_MODIFIED_STATUS || response.fromServiceWorker()
  onRequestProgress(seq, { status, ...(mimeType && { mimeType }), ...(isStored && { isStored }) })
  if (isHandshake(response.request()) && status !== 101)
    onRequestProgress(seq, { state: 'failed', failure: `Unexpected response code: ${status}` })
  onEntry(responseEntry(response, seq, mimeType, mock))
}

// The beginnings of the bodies of failed responses to scripts: a browser forgets a body with the page that received it.
const KEPT_LIMIT = 200
const READING_LIMIT = 10
const KEPT_LIMIT_CHARS = 1024
// More than is kept, because it is redacted before it is cut.
const REDACTED_LIMIT_CHARS = 16_384
const WAIT_MS = 200

interface FailedBodies {
  /** Reads the body of a response; ignored while too many others are read. `seq` is the number of its request. */
  add(response: Response, seq: number): void
  /** The first KB of a body, redacted; undefined if it is not known, or not read within a moment. */
  read(seq: number): Promise<string | undefined>
}

function createFailedBodies(secrets: Pick<SecretHooks, 'redactData'> | undefined): FailedBodies {
  const bodies = createBoundedMap<number, Promise<string | undefined>>(KEPT_LIMIT)
  let readingCount = 0
  const readStart = async (response: Response): Promise<string | undefined> => {
    readingCount += 1
    const { body } = await readResponseBody(response)
    readingCount -= 1
    const start = body?.slice(0, REDACTED_LIMIT_CHARS)
    return start && (secrets?.redactData({ body: start }).body ?? start).slice(0, KEPT_LIMIT_CHARS)
  }
  return {
    add(response, seq) {
      if (readingCount < READING_LIMIT) bodies.set(seq, readStart(response))
    },
    async read(seq) {
      const body = await settleWithin(WAIT_MS, bodies.get(seq) ?? Promise.resolve(undefined))
      return body instanceof Error ? undefined : body
    },
  }
}

// The headers and bodies of a request and its response, read when a caller asks for them.
const BODY_LIMIT_BYTES = 1_000_000
/** A compressed body may be much larger when it is decompressed. */
const COMPRESSED_BODY_LIMIT_BYTES = BODY_LIMIT_BYTES / 5
const READ_TIMEOUT_MS = 2000

/** The headers of a request and of its response, or a note why there are none. */
async function readHeaders(request: Request): Promise<{ request: HttpMessage; response: HttpMessage }> {
  const [requestHeaders, response] = await Promise.all([
    settleOrError(request.allHeaders()),
    responseOf(request),
  ])
  const received = response && (await settleOrError(response.allHeaders()))
  return {
    request: requestHeaders instanceof Error ? { note: noteOf(requestHeaders) } : { headers: requestHeaders },
    response:
      received instanceof Error || !received
        ? { note: received ? noteOf(received) : NO_RESPONSE_NOTE }
        : { headers: received },
  }
}

/** The bodies of a request and of its response, or a note why there are none. `readFirstPart` returns what is kept of the response. */
async function readBodies(
  request: Request,
  readFirstPart: () => Promise<string | undefined>,
): Promise<{ request: HttpMessage; response: HttpMessage }> {
  const postData = request.postDataBuffer()
  const response = await responseOf(request)
  return {
    request: postData
      ? toMessage(postData, request.headers()['content-type'] ?? '')
      : { note: 'no body was sent' },
    response: response ? await readResponseBody(response, readFirstPart) : { note: NO_RESPONSE_NOTE },
  }
}

/** The body of a response, or a note why there is none. The browser sends it as a whole, so one that is too large is not read at all. */
async function readResponseBody(
  response: Response,
  readFirstPart: () => Promise<string | undefined> = async () => undefined,
): Promise<HttpMessage> {
  const size = await readSize(response)
  const isCompressed = response.headers()['content-encoding'] !== undefined
  const limit = isCompressed ? COMPRESSED_BODY_LIMIT_BYTES : BODY_LIMIT_BYTES
  if (size > limit)
    return { note: `${size} bytes, more than the limit of ${limit}; fetch a part with evaluate` }
  const body = await settleOrError(response.body())
  if (!(body instanceof Error)) return toMessage(body, response.headers()['content-type'] ?? '')
  const firstPart = await readFirstPart()
  return firstPart === undefined ? { note: noteOf(body) } : { body: firstPart, note: FIRST_PART_NOTE }
}

const SCRIPT_LIMIT_BYTES = 12_000_000
const COMPRESSED_SCRIPT_LIMIT_BYTES = SCRIPT_LIMIT_BYTES / 5

/** The text of a script and the source map that its response names; undefined if it is not available or too large. */
async function readScript(request: Request | undefined): Promise<LoadedScript | undefined> {
  const response = request && (await responseOf(request))
  if (!response) return undefined
  const headers = response.headers()
  if (response.status() === 304) return readKnownScript(response)
  if (!response.ok()) return undefined
  const isCompressed = headers['content-encoding'] !== undefined
  const limit = isCompressed ? COMPRESSED_SCRIPT_LIMIT_BYTES : SCRIPT_LIMIT_BYTES
  if ((await readSize(response)) > limit) return undefined
  const body = await settleOrError(response.body())
  // Chromium forgets some bodies, such as those that were loaded in advance for a document that another one has replaced.
  if (body instanceof Error) return validatorOf(response)
  if (body.length > SCRIPT_LIMIT_BYTES) return undefined
  const mapUrl = headers['sourcemap'] ?? headers['x-sourcemap']
  return { text: body.toString('utf8'), ...(mapUrl !== undefined && { mapUrl }) }
}

// The browser has the text from an earlier response. Playwright takes this one for a redirect, which has no body, so the browser is asked
// by its internals; where it does not answer, the validator names the text.
async function readKnownScript(response: Response): Promise<LoadedScript | undefined> {
  const internals = internalsOf<{ _getResponseBodyCallback?: () => Promise<Buffer> }>(response)
  const body = await settleOrError(Promise.resolve(internals?._getResponseBodyCallback?.()))
  if (body && !(body instanceof Error) && body.length > 0 && body.length <= SCRIPT_LIMIT_BYTES)
    return { text: body.toString('utf8') }
  return validatorOf(response)
}

function validatorOf(response: Response): LoadedScript | undefined {
  const headers = response.headers()
  const validator = headers['etag'] ?? headers['last-modified']
  return validator === undefined ? undefined : { validator }
}

const NO_RESPONSE_NOTE = 'no response yet'
const LATE_NOTE = `not available within ${READ_TIMEOUT_MS} ms`
const GONE_NOTE = 'the browser no longer has it: it forgets what a page received once that page is gone'
const FIRST_PART_NOTE = 'its page is gone; the first 1,024 characters of a failed response are kept'

const noteOf = ({ message }: Error): string => (message === LATE_NOTE ? LATE_NOTE : GONE_NOTE)

async function responseOf(request: Request): Promise<Response | undefined> {
  const response = await settleOrError(request.response())
  return response instanceof Error ? undefined : (response ?? undefined)
}

async function readSize(response: Response): Promise<number> {
  const sizes = await settleOrError(response.request().sizes())
  const declaredSize = Number(response.headers()['content-length'] ?? 0)
  return sizes instanceof Error ? declaredSize : Math.max(declaredSize, sizes.responseBodySize)
}

function toMessage(body: Buffer, contentType: string): HttpMessage {
  const isText =
    contentType === '' || /json|text|xml|javascript|urlencoded|graphql|csv|html/.test(contentType)
  return isText ? { body: body.toString('utf8') } : { note: `${body.length} bytes of ${contentType}` }
}

const settleOrError = async <T>(work: Promise<T>): Promise<T | Error> =>
  (await settleWithin(READ_TIMEOUT_MS, work)) ?? new Error(LATE_NOTE)
