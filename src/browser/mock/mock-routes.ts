// Routes the requests of a context to its mocks, as long as there are any.

import type { BrowserContext, Disposable, Request, Route } from 'playwright'
import { answerRequest } from './answer-request.ts'
import { blockWorkers, type WorkerBlock } from './block-workers.ts'
import { paceStreams } from '../in-page/mock/pace-streams.ts'
import { isHandshake } from '../network/request-entries.ts'
import { attempt, browserError, messageOf } from '../playwright/errors.ts'
import { PACED_EVENTS_NAME } from '../../core/mock/event-stream.ts'
import { isForSockets, isPaced } from '../../core/mock/mock.ts'
import type { Outcome } from '../../core/failure.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { PageHooks } from '../../runtime/ports/browsers.ts'

export interface MockRoutes {
  /** Applies the mocks that the session has now. While there are any, or `isRecording`, the HTTP cache is off and service workers are
   * blocked. Returns notes. */
  update(isRecording: boolean): Promise<Outcome<readonly string[]>>
}

/** Marks a request with the id of its mock and, if the mock failed it, the reason. */
export type MarkRequest = (request: Request, mock: string, reason?: string) => void

const ALL_URLS = '**/*'
const SCRIPT_TIMEOUT_MS = 2000
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
  let pacing: Disposable | undefined

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
    if (!pacing && mocks.list().some(({ rule }) => isPaced(rule.answer ?? {})))
      pacing = await startPacing(context)
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

// Pages that are open get it at once; one that does not respond gets it with its next document.
async function startPacing(context: BrowserContext): Promise<Disposable> {
  const script = await context.addInitScript(paceStreams, PACED_EVENTS_NAME)
  const frames = context.pages().flatMap((page) => page.frames())
  await Promise.all(
    frames.map((frame) => settleWithin(SCRIPT_TIMEOUT_MS, frame.evaluate(paceStreams, PACED_EVENTS_NAME))),
  )
  return script
}
