import type { Page, Request, Dialog, Frame, Response } from 'playwright'
import { type Tab, urlOf, readPageTitle } from '../tab/tab.ts'
import { abortNavigation, freeToLeave } from '../tab/hang-recovery.ts'
import { settleWithin, createDeferred } from '../../base/system/settle-within.ts'
import {
  attempt,
  browserError,
  isAborted,
  isDownloadStart,
  isTimeout,
  navigationErrorCode,
  isNavigationAborted,
  isNavigationInterrupted,
} from '../playwright/errors.ts'
import { playwrightOptions, type PlaywrightOptions } from '../playwright/engine.ts'
import { parseUrl } from '../../base/text/parse-url.ts'
import { clip } from '../../base/text/clip.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { NavigationResult, WaitUntil } from '../../base/action.ts'
import { watchLoadStall } from './load-stall.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { isTraced } from '../tab/tracing.ts'

const RESPONSE_TIMEOUT_MS = 2000
const ERROR_PAGE_TIMEOUT_MS = 500
const URL_LIMIT_CHARS = 4000
const REDIRECT_LIMIT = 20
/** Statuses whose responses are no documents. */
const NO_CONTENT = [204, 205]

const asksCredentials = (response: Response | null | undefined): boolean =>
  response?.status() === 401 && 'www-authenticate' in response.headers()

/** Navigates to `url` and waits. A page that answers 404 is a success with that status; status 0 means that no response was involved. */
export async function navigate(
  { page, recovery }: Tab,
  url: string,
  waitUntil: WaitUntil,
  deadline: Deadline,
): Promise<Outcome<NavigationResult>> {
  if (!staysOnDocument(url, page.url())) await freeToLeave(page, recovery)
  const startNavigation = (options: PlaywrightOptions) => page.goto(url, { waitUntil, ...options })
  const { work, progress } = await retryNavigation({ page, recovery }, startNavigation, waitUntil, deadline)
  const { lastRequest } = progress
  const response = await attempt(work, (error) => error)
  // The page stays as it was. A download is saved and reported.
  if (!response.ok && (isDownloadStart(response.error) || isNavigationAborted(response.error))) {
    const answer = lastRequest && (await settleWithin(RESPONSE_TIMEOUT_MS, lastRequest.response()))
    const status = answer && 'status' in answer ? answer.status() : 0
    if (isDownloadStart(response.error) || NO_CONTENT.includes(status))
      return ok({ title: await readPageTitle(page).catch(() => ''), url: urlOf(page), status })
  }
  if (!response.ok) {
    const cause = navigationFailure(response.error, url, lastRequest, deadline)
    const awaiting = progress.stall.awaiting()
    const isSlow = 'reason' in cause && cause.reason === 'timeout' && awaiting.length > 0
    const failure = isSlow ? { ...cause, awaiting } : cause
    await endNavigation({ page, recovery }, failure)
    return err(nameDeniedPort(failure))
  }
  const title = await attempt(readPageTitle(page), browserError)
  if (!title.ok) return title
  const awaiting = progress.stall.isStalled() && progress.stall.awaiting()
  // If the page reloaded itself meanwhile, the response is that of the reload.
  const finalResponse =
    response.value ?? (lastRequest && (await settleWithin(RESPONSE_TIMEOUT_MS, lastRequest.response())))
  const finalAnswer = finalResponse && 'status' in finalResponse ? finalResponse : undefined
  return ok({
    title: title.value,
    url: urlOf(page),
    status: finalAnswer?.status() ?? (await readStatus(page)),
    ...(awaiting && { awaiting }),
    ...(asksCredentials(finalAnswer) && { asksCredentials: true as const }),
  })
}

export async function history(
  { page, recovery }: Tab,
  direction: 'back' | 'forward' | 'reload',
  deadline: Deadline,
): Promise<Outcome<NavigationResult>> {
  const from = page.url()
  await freeToLeave(page, recovery)
  const navigations = {
    back: () => page.goBack(playwrightOptions(deadline)),
    forward: () => page.goForward(playwrightOptions(deadline)),
    reload: async () =>
      (await retryNavigation({ page, recovery }, (options) => page.reload(options), 'load', deadline)).work,
  }
  const response = await attempt(navigations[direction](), (error) =>
    navigationFailure(error, from, undefined, deadline),
  )
  if (!response.ok) {
    await endNavigation({ page, recovery }, response.error)
    return response
  }
  if (!response.value && direction !== 'reload' && page.url() === from) {
    const reason = `there is no page to go ${direction} to`
    return err({ code: 'NAVIGATION_FAILED', url: from, reason })
  }
  const title = await attempt(readPageTitle(page), browserError)
  if (!title.ok) return title
  return ok({
    title: title.value,
    url: urlOf(page),
    status: response.value?.status() ?? 0,
    ...(asksCredentials(response.value) && { asksCredentials: true as const }),
  })
}

/** What the document itself knows of its response, for one that came by a load of the page's own before the navigation began. */
async function readStatus(page: Page): Promise<number> {
  if (!/^https?:/.test(page.url())) return 0
  const read = () =>
    (performance.getEntriesByType('navigation') as PerformanceNavigationTiming[])[0]?.responseStatus ?? 0
  const reading = evaluateInternally(page.locator(':root'), read, undefined)
  const status = await settleWithin(RESPONSE_TIMEOUT_MS, reading)
  return status && !(status instanceof Error) ? status.result : 0
}

// A navigation to a part of the document leaves nothing, so a busy page keeps its script.
const staysOnDocument = (url: string, current: string): boolean => {
  const [document, fragment] = parseUrl(url)?.href.split('#') ?? []
  return fragment !== undefined && document === current.split('#')[0]
}

function navigationFailure(
  error: Error,
  requestedUrl: string,
  lastRequest: Request | undefined,
  deadline: Deadline,
): Failure {
  if (isAborted(error)) return { code: 'CANCELLED' }
  const url = clip(requestedUrl, URL_LIMIT_CHARS)
  const chain = redirectChainOf(lastRequest)
  const redirects = chain.length > 1 ? { redirects: chain } : {}
  if (isTimeout(error))
    return { code: 'NAVIGATION_FAILED', url, reason: 'timeout', ...redirects, waited: deadline.timeout }
  return { code: 'NAVIGATION_FAILED', url, reason: navigationErrorCode(error), ...redirects }
}

// Only the relay to the user's own browser fails requests for this reason.
const nameDeniedPort = (failure: Failure): Failure =>
  failure.code === 'NAVIGATION_FAILED' && failure.reason === 'ERR_ACCESS_DENIED'
    ? {
        code: 'ACCESS_DENIED',
        subject: failure.url.slice(0, 300),
        rule: 'it is the debugging port of this browser',
        allowed: 'every other address',
      }
    : failure

async function endNavigation({ page, recovery }: Pick<Tab, 'page' | 'recovery'>, failure: Failure) {
  const reason = failure.code === 'NAVIGATION_FAILED' ? failure.reason : ''
  // Chromium reports the error before it navigates to its error page, which would interrupt a call in between.
  const isErrorPage = (url: URL) => url.protocol === 'chrome-error:'
  if (/^ERR_(?!ABORTED)/.test(reason))
    await page.waitForURL(isErrorPage, { timeout: ERROR_PAGE_TIMEOUT_MS }).catch(() => {})
  // Until it is aborted, Chromium starts no other navigation, and Firefox may show the abandoned page to a later call.
  if (failure.code === 'CANCELLED' || reason === 'timeout') await abortNavigation(page, recovery)
}

function redirectChainOf(request: Request | undefined): string[] {
  const chain: string[] = []
  for (let hop = request; hop && chain.length < REDIRECT_LIMIT; hop = hop.redirectedFrom() ?? undefined)
    chain.unshift(clip(hop.url(), URL_LIMIT_CHARS))
  return chain
}

// --- internal ---

// Retries a navigation that another one replaced: the client script of a dev server may reload the page by itself, which replaces the
// requested navigation. The browser may report this, or never finish the navigation; in both cases it is started again. Chromium may also
// block a navigation that starts just as the response of the page's own arrives: it asks the unloading document whether it may be left,
// and until that times out, after 3 s, rejects all others at once. So a navigation that sent no request is aborted first.
const NAVIGATION_ATTEMPTS = 15
/** Time in which a pending navigation ends after another document has loaded. */
const REPLACEMENT_GRACE_MS = 1000

/** Runs `startNavigation`, which must be safe to repeat, until no other navigation replaces it. `work` is the last run. */
async function retryNavigation(
  { page, recovery }: Pick<Tab, 'page' | 'recovery'>,
  startNavigation: (options: PlaywrightOptions) => Promise<Response | null>,
  waitUntil: WaitUntil,
  deadline: Deadline,
): Promise<{ readonly work: Promise<Response | null>; readonly progress: NavigationProgress }> {
  for (let attempt = 1; ; attempt += 1) {
    const watch = watchNavigationProgress(page, waitUntil)
    const stop = new AbortController()
    const signal = AbortSignal.any([deadline.signal, stop.signal])
    const loading = startNavigation({ ...playwrightOptions(deadline), signal })
    // What waits for a picture or a stream that never ends is usable.
    const work = Promise.race([loading, watch.stall.reached.then(() => null)])
    const workEnd = work.then(
      () => undefined,
      (error: Error) => error,
    )
    // After its own document has loaded, only a wait for network idle continues.
    const end = await (waitUntil === 'networkidle'
      ? workEnd
      : Promise.race([workEnd, waitUntilReplaced(page, watch.replacement, workEnd)]))
    const mustRetry =
      attempt < NAVIGATION_ATTEMPTS && !deadline.signal.aborted && (await isReplaced(end, watch))
    // The replacing navigation finishes first, or it would replace the next attempt too.
    if (mustRetry) await settleWithin(REPLACEMENT_GRACE_MS, watch.replacement)
    watch.end()
    if (watch.stall.isStalled()) {
      loading.catch(() => {})
      stop.abort()
    }
    if (!mustRetry) return { work, progress: watch }
    stop.abort()
    if (end === REPLACED || !watch.lastRequest) await abortNavigation(page, recovery)
  }
}

const REPLACED = 'replaced'

type NavigationProgress = ReturnType<typeof watchNavigationProgress>

// What a navigation does until it ends.
function watchNavigationProgress(page: Page, waitUntil: WaitUntil) {
  let hasNavigated = false
  const replacement = createDeferred()
  const stall = watchLoadStall(page, waitUntil)
  const progress = {
    /** The latest request for a document of the main frame. */
    lastRequest: undefined as Request | undefined,
    hasUnloadDialog: false,
    /** Resolves when a document has been committed and loaded. Its request may have been sent before. */
    replacement: replacement.promise,
    stall,
    end() {
      stall.end()
      page.off('request', onRequest)
      page.off('framenavigated', onFrame)
      page.off('load', onLoad)
      page.off('dialog', onDialog)
    },
  }
  const onRequest = (request: Request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) progress.lastRequest = request
  }
  const onFrame = (frame: Frame) => {
    if (frame === page.mainFrame()) hasNavigated = true
  }
  const onLoad = () => hasNavigated && replacement.resolve()
  const onDialog = (dialog: Dialog) => {
    if (dialog.type() === 'beforeunload') progress.hasUnloadDialog = true
  }
  page.on('request', onRequest)
  page.on('framenavigated', onFrame)
  page.on('load', onLoad)
  page.on('dialog', onDialog)
  return progress
}

async function waitUntilReplaced(
  page: Page,
  replacement: Promise<void>,
  workEnd: Promise<unknown>,
): Promise<typeof REPLACED> {
  await replacement
  // A trace lets a navigation end only after a snapshot of every frame, for which a busy page, or one whose large responses are still on
  // their way to the trace, takes any time. An answer to a later question comes after it.
  if (isTraced(page.context())) await waitForAnswers(page)
  await settleWithin(REPLACEMENT_GRACE_MS, workEnd)
  return REPLACED
}

// A frame that has gone away does not answer, and needs no snapshot.
const waitForAnswers = (page: Page): Promise<unknown> =>
  Promise.allSettled(
    page.frames().map((frame) => evaluateInternally(frame.locator(':root'), () => true, undefined)),
  )

async function isReplaced(
  end: Error | typeof REPLACED | undefined,
  { lastRequest, hasUnloadDialog }: NavigationProgress,
): Promise<boolean> {
  if (end === REPLACED) return true
  if (!end || hasUnloadDialog || isTimeout(end) || isAborted(end)) return false
  if (isNavigationInterrupted(end)) return true
  if (!isNavigationAborted(end)) return false
  // Responses without content end a navigation with the same error.
  const response = await settleWithin(REPLACEMENT_GRACE_MS, lastRequest?.response() ?? Promise.resolve(null))
  return !(response && 'status' in response && [204, 205].includes(response.status()))
}
