// The headers and bodies of a request and its response, read when a caller asks for them.

import type { Request, Response } from 'playwright'
import { internalsOf } from '../playwright/internals.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { HttpMessage } from '../../runtime/ports/page/page-content.ts'
import type { LoadedScript } from '../../runtime/ports/source-locator.ts'

const BODY_LIMIT_BYTES = 1_000_000
/** A compressed body may be much larger when it is decompressed. */
const COMPRESSED_BODY_LIMIT_BYTES = BODY_LIMIT_BYTES / 5
const READ_TIMEOUT_MS = 2000

/** The headers of a request and of its response, or a note why there are none. */
export async function readHeaders(
  request: Request,
): Promise<{ request: HttpMessage; response: HttpMessage }> {
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
export async function readBodies(
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
export async function readResponseBody(
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
export async function readScript(request: Request | undefined): Promise<LoadedScript | undefined> {
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

// --- internal ---

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
