import type { Page, Request } from 'playwright'
import type { Tab } from '../tab/tab.ts'
import { retryNavigation } from './navigation-retry.ts'
import { abortNavigation, freeToLeave } from '../tab/hang-recovery.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import {
  attempt,
  browserError,
  isAborted,
  isDownloadStart,
  isTimeout,
  navigationErrorCode,
} from '../playwright/errors.ts'
import { playwrightOptions, type PlaywrightOptions } from '../playwright/playwright-options.ts'
import { urlOf, readPageTitle } from '../tab/title-and-url.ts'
import { clip } from '../../core/text/clip.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { NavigationResult, WaitUntil } from '../../runtime/ports/page/page.ts'

const RESPONSE_TIMEOUT_MS = 2000
const ERROR_PAGE_TIMEOUT_MS = 500
const URL_LIMIT_CHARS = 4000
const REDIRECT_LIMIT = 20

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
  // The download is saved and reported; the page stays as it was.
  if (!response.ok && isDownloadStart(response.error)) {
    const status = (await lastRequest?.response())?.status() ?? 0
    return ok({ title: await readPageTitle(page).catch(() => ''), url: urlOf(page), status })
  }
  if (!response.ok) {
    const failure = navigationFailure(response.error, url, lastRequest, deadline)
    await waitForErrorPage(page, failure)
    if (isAbandoned(failure)) await abortNavigation(page, recovery)
    return err(nameDeniedPort(failure))
  }
  const title = await attempt(readPageTitle(page), browserError)
  if (!title.ok) return title
  // If the page reloaded itself meanwhile, the response is that of the reload.
  const finalResponse =
    response.value ?? (lastRequest && (await settleWithin(RESPONSE_TIMEOUT_MS, lastRequest.response())))
  const status = finalResponse && 'status' in finalResponse ? finalResponse.status() : 0
  return ok({ title: title.value, url: urlOf(page), status })
}

/** Goes back or forward, or reloads the page. */
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
    await waitForErrorPage(page, response.error)
    if (isAbandoned(response.error)) await abortNavigation(page, recovery)
    return response
  }
  if (!response.value && direction !== 'reload' && page.url() === from) {
    const reason = `there is no page to go ${direction} to`
    return err({ code: 'NAVIGATION_FAILED', url: from, reason })
  }
  const title = await attempt(readPageTitle(page), browserError)
  return title.ok
    ? ok({ title: title.value, url: urlOf(page), status: response.value?.status() ?? 0 })
    : title
}

// A navigation to a part of the document leaves nothing, so a busy page keeps its script.
const staysOnDocument = (url: string, current: string): boolean => {
  const [document, fragment] = URL.parse(url)?.href.split('#') ?? []
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

// Until it is aborted, Chromium starts no other navigation, and Firefox may show the abandoned page to a later call.
const isAbandoned = (failure: Failure): boolean =>
  failure.code === 'CANCELLED' || (failure.code === 'NAVIGATION_FAILED' && failure.reason === 'timeout')

// Chromium reports the error before it navigates to its error page, which would interrupt a call in between.
async function waitForErrorPage(page: Page, failure: Failure): Promise<void> {
  if (failure.code !== 'NAVIGATION_FAILED' || !/^ERR_(?!ABORTED)/.test(failure.reason)) return
  const isErrorPage = (url: URL) => url.protocol === 'chrome-error:'
  await page.waitForURL(isErrorPage, { timeout: ERROR_PAGE_TIMEOUT_MS }).catch(() => {})
}

function redirectChainOf(request: Request | undefined): string[] {
  const chain: string[] = []
  for (let hop = request; hop && chain.length < REDIRECT_LIMIT; hop = hop.redirectedFrom() ?? undefined)
    chain.unshift(clip(hop.url(), URL_LIMIT_CHARS))
  return chain
}
