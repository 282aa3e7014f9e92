// Routes the requests of a context to its mocks, as long as there are any.

import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { APIResponse, BrowserContext, Page, Request, Route } from 'playwright'
import { invalidParameter, type Outcome } from '../../core/base/failure.ts'
import { err } from '../../core/base/result.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { parseJson } from '../../core/base/text/json.ts'
import { isHandshake } from '../../core/browser/network/request-entries.ts'
import { watchTransfer } from '../../core/browser/network/transfer-limit.ts'
import { attempt, browserError, messageOf } from '../../core/browser/playwright/errors.ts'
import type { PageHooks } from '../../core/sessions/types/browsers.ts'
import type { HarLog } from './har.ts'
import { blockServiceWorkers, unregisterServiceWorkers } from './in-page/generated.ts'
import type { MockEntry } from './mock-list.ts'
import { createMockResponse, type MockResponse, type ServerResponse } from './mock-response.ts'
import { type HarResponse, hasResponse, isForSockets } from './mock-rule.ts'

interface MockRoutes {
  /** Applies the mocks that the session has now. While there are any, or `isRecording`, the HTTP cache is off and service workers are
   * blocked. Returns notes. */
  update(isRecording: boolean): Promise<Outcome<readonly string[]>>
}

/** Marks a request with the id of its mock and, if the mock failed it, the reason. */
export type MarkRequest = (request: Request, mock: string, reason?: string) => void

const ALL_URLS = '**/*'
const REASON_LIMIT_CHARS = 300

/** `closing` resolves when the context closes. */
export function createMockRoutes(
  context: BrowserContext,
  { mocks, isRefused = () => false }: Pick<PageHooks, 'mocks' | 'isRefused'>,
  markRequest: MarkRequest,
  closing: Promise<void>,
): MockRoutes {
  let isRouting = false
  let workerBlock: WorkerBlock | undefined

  async function handleRoute(route: Route): Promise<void> {
    const request = route.request()
    // What the host rules refuse goes on to the proxy, which refuses it.
    // Over BiDi the handshake of a WebSocket comes here too.
    const isExempt = isRefused(request.url()) || isHandshake(request)
    const mock = isExempt ? undefined : mocks.match(request.method(), request.url())
    if (!mock) return route.continue()
    markRequest(request, mock.id)
    const onFailure = (reason: string) => markRequest(request, mock.id, reason)
    const outcome = await attempt(answerRequest(route, mock, closing, onFailure), messageOf)
    if (outcome.ok) return
    onFailure(outcome.error.slice(0, REASON_LIMIT_CHARS))
    await route.abort('failed')
  }

  const onRoute = (route: Route) => handleRoute(route).catch(() => {})

  async function updateRouting(isRecording: boolean): Promise<void> {
    // Routing turns off the HTTP cache, whose responses a recording would not have.
    const isNeeded = isRecording || mocks.list().some(({ rule }) => !isForSockets(rule))
    if (isNeeded && !isRouting) await context.route(ALL_URLS, onRoute)
    if (!isNeeded && isRouting) await context.unroute(ALL_URLS, onRoute)
    isRouting = isNeeded
  }

  async function updateWorkerBlock(isNeeded: boolean): Promise<readonly string[]> {
    if (!isNeeded) {
      await workerBlock?.dispose()
      workerBlock = undefined
    }
    if (!isNeeded || workerBlock) return []
    workerBlock = await blockWorkers(context)
    return workerBlock.reloadedUrls.map(
      (url) => `A service worker controlled ${url}: it was unregistered, and the page loaded again.`,
    )
  }

  return {
    async update(isRecording) {
      const routing = await attempt(updateRouting(isRecording), browserError)
      if (!routing.ok) return routing
      return attempt(updateWorkerBlock(isRouting), browserError)
    },
  }
}

// --- internal ---

// Carries out what a mock decides about a request.
/** Answers a request; `closing` resolves when the context closes. `onFailure` is called before a request fails for a reason that its mock does
 * not name. Rejects as Playwright does. */
async function answerRequest(
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

// While requests are mocked, no service worker may answer them: new ones are refused, those that exist are unregistered, and documents that
// one controls are loaded again, because it controls them until then.
const UNREGISTER_TIMEOUT_MS = 2000
const RELOAD_TIMEOUT_MS = 10_000

interface WorkerBlock {
  /** The URLs of the pages that were loaded again. */
  readonly reloadedUrls: readonly string[]
  dispose(): Promise<void>
}

/** Blocks the service workers of a context until `dispose`. */
async function blockWorkers(context: BrowserContext): Promise<WorkerBlock> {
  const script = await context.addInitScript(blockServiceWorkers)
  const urls = await Promise.all(context.pages().map(reloadControlledPage))
  return { reloadedUrls: urls.filter((url) => url !== undefined), dispose: () => script.dispose() }
}

async function reloadControlledPage(page: Page): Promise<string | undefined> {
  const areControlled = await Promise.all(
    page
      .frames()
      .map((frame) => settleWithin(UNREGISTER_TIMEOUT_MS, frame.evaluate(unregisterServiceWorkers))),
  )
  if (!areControlled.includes(true)) return undefined
  const url = page.url()
  await page.reload({ waitUntil: 'domcontentloaded', timeout: RELOAD_TIMEOUT_MS })
  return url
}

// Records the requests of a context as a HAR. Playwright writes it to a file, which is read and removed at once: what is kept has no secrets.
interface HarRecording {
  isRunning(): boolean
  start(): Promise<Outcome<void>>
  stop(): Promise<Outcome<HarLog>>
}

/** The size at which it ends by itself. */
const RECORDING_LIMIT_BYTES = 100_000_000

export function createHarRecording(context: BrowserContext, onEntry: PageHooks['onEntry']): HarRecording {
  const { tracing } = context
  let path: string | undefined
  let ending: Promise<void> | undefined
  let stopWatching = (): void => {}

  const end = (): Promise<void> => {
    stopWatching()
    return (ending ??= tracing.stopHar())
  }
  async function read(file: string): Promise<HarLog> {
    try {
      await end()
      return JSON.parse(await readFile(file, 'utf8')) as HarLog
    } finally {
      await rm(file, { force: true })
    }
  }
  const endAtLimit = (): void => {
    end().catch(() => {})
    onEntry({ kind: 'page', level: 'info', text: ENDED_TEXT })
  }
  context.once('close', () => {
    const file = path
    if (file !== undefined) void Promise.resolve(ending).finally(() => rm(file, { force: true }))
  })

  return {
    isRunning: () => path !== undefined,
    async start() {
      if (path !== undefined)
        return err(invalidParameter('har', 'save first', 'record, while a recording is running'))
      const file = join(tmpdir(), `${randomUUID()}.har`)
      const result = await attempt(tracing.startHar(file, { content: 'embed' }), browserError)
      if (!result.ok) return result
      path = file
      ending = undefined
      stopWatching = watchTransfer(context, RECORDING_LIMIT_BYTES, endAtLimit)
      return { ok: true, value: undefined }
    },
    async stop() {
      if (path === undefined)
        return err(invalidParameter('har', 'record first', 'save, while no recording is running'))
      const file = path
      path = undefined
      return attempt(read(file), browserError)
    },
  }
}

const ENDED_TEXT =
  'The recording of requests has ended at 100 MB; mock with har "save" writes what it has until then.'
