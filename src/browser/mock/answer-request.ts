// Carries out what a mock decides about a request.

import type { APIResponse, Request, Route } from 'playwright'
import { createMockResponse, type MockResponse, type ServerResponse } from '../../core/mock/mock-response.ts'
import { hasResponse, type HarResponse } from '../../core/mock/mock.ts'
import type { MockEntry } from '../../core/mock/mock-list.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

/** Answers a request; `closing` resolves when the context closes. `onFailure` is called before a request fails for a reason that its mock does
 * not name. Rejects as Playwright does. */
export async function answerRequest(
  route: Route,
  { rule, file, findResponse }: MockEntry,
  closing: Promise<void>,
  onFailure: (reason: string) => void,
): Promise<void> {
  const { answer = {} } = rule
  if (answer.delay) await settleWithin(answer.delay, closing)
  if (answer.fail) return route.abort(ABORT_CODE)
  if (findResponse) return replay(route, await findResponse(requestOf(route.request())), onFailure)
  const isEventSource = isFromEventSource(route.request())
  if (answer.change)
    return fulfill(route, createMockResponse(answer, file, isEventSource, await fetchResponse(route)))
  if (hasResponse(answer)) return fulfill(route, createMockResponse(answer, file, isEventSource))
  return route.continue()
}

// --- internal ---

const ABORT_CODE = 'failed'
/** A HAR has a lower number for a request that had no response. */
const LOWEST_STATUS = 100

async function fulfill(route: Route, { status, headers, body }: MockResponse): Promise<void> {
  await route.fulfill({
    status,
    headers: { ...headers },
    body: typeof body === 'string' ? body : Buffer.from(body),
  })
}

// Over BiDi its resource type is not known.
const isFromEventSource = (request: Request): boolean =>
  request.headers()['accept'] === 'text/event-stream' && !['fetch', 'xhr'].includes(request.resourceType())

const requestOf = (request: Request) => ({
  method: request.method(),
  url: request.url(),
  postData: request.postData() ?? '',
  isNavigation: request.isNavigationRequest(),
})

async function replay(
  route: Route,
  response: HarResponse | undefined,
  onFailure: (reason: string) => void,
): Promise<void> {
  if (!response || response.status < LOWEST_STATUS) {
    onFailure(response ? 'failed when it was recorded' : 'not in the HAR file')
    return route.abort(ABORT_CODE)
  }
  const { status, headers, body, isBase64, redirectUrl } = response
  // The browser would request the target of a redirect without asking for a mock.
  if (redirectUrl !== undefined)
    return fulfill(route, {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: `<script>location.replace(${JSON.stringify(redirectUrl).replaceAll('<', '\\u003c')})</script>`,
    })
  return fulfill(route, { status, headers, body: isBase64 ? Buffer.from(body, 'base64') : body })
}

async function fetchResponse(route: Route): Promise<ServerResponse> {
  const response = await route.fetch()
  const bytes = await response.body()
  return {
    status: response.status(),
    headers: headersOf(response),
    body: bytes,
    json: parseJson(bytes.toString('utf8')),
  }
}

const headersOf = (response: APIResponse): Record<string, string> => {
  const cookies = response.headersArray().filter(({ name }) => name.toLowerCase() === 'set-cookie')
  return {
    ...response.headers(),
    ...(cookies.length > 0 && { 'set-cookie': cookies.map(({ value }) => value).join('\n') }),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
