import type { Page, Request } from 'playwright'
import type { Tab } from '../tab/tab.ts'
import { retryNavigation } from './navigation-retry.ts'
import { abortNavigation } from '../tab/hang-recovery.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { attempt, browserError, isAborted, isTimeout, messageOf } from '../playwright/errors.ts'
import { urlOf, readPageTitle } from '../tab/title-and-url.ts'
import { clip } from '../../core/text/clip.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { NavigationResult, Call, WaitUntil } from '../../runtime/ports/page.ts'

const RESPONSE_TIMEOUT_MS = 500

/** Navigates to `url` and waits. A page that answers 404 is a success with that status; status 0 means that no response was involved. */
export async function navigate(
  { page, recovery }: Tab,
  url: string,
  waitUntil: WaitUntil,
  call: Call,
): Promise<Outcome<NavigationResult>> {
  const go = (attemptCall: Call) => page.goto(url, { waitUntil, ...attemptCall })
  const { work, passage: progress } = await retryNavigation({ page, recovery }, go, waitUntil, call)
  const { lastRequest } = progress
  const response = await attempt(work, (error) => navigationFailure(error, url, lastRequest, call))
  // The download is saved and reported; the page stays as it was.
  if (!response.ok && isDownload(response.error)) {
    const status = (await lastRequest?.response())?.status() ?? 0
    return ok({ title: await readPageTitle(page).catch(() => ''), url: urlOf(page), status })
  }
  if (!response.ok) {
    await waitForErrorPage(page, response.error)
    if (isAbandoned(response.error)) await abortNavigation(page, recovery)
    return response
  }
  const title = await attempt(readPageTitle(page), browserError)
  if (!title.ok) return title
  // Where the page loaded itself again meanwhile, the response is that one's.
  const finalResponse =
    response.value ?? (lastRequest && (await settleWithin(RESPONSE_TIMEOUT_MS, lastRequest.response())))
  const status = finalResponse && 'status' in finalResponse ? finalResponse.status() : 0
  return ok({ title: title.value, url: urlOf(page), status })
}

/** Goes back, forward, or loads the page again. */
export async function history(
  { page, recovery }: Tab,
  direction: 'back' | 'forward' | 'reload',
  call: Call,
): Promise<Outcome<NavigationResult>> {
  const from = page.url()
  const moves = {
    back: () => page.goBack(call),
    forward: () => page.goForward(call),
    reload: async () =>
      (await retryNavigation({ page, recovery }, (attemptCall) => page.reload(attemptCall), 'load', call))
        .work,
  }
  const response = await attempt(moves[direction](), (error) =>
    navigationFailure(error, from, undefined, call),
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

function navigationFailure(
  error: Error,
  requestedUrl: string,
  lastRequest: Request | undefined,
  call: Call,
): Failure {
  if (isAborted(error)) return { code: 'CANCELLED' }
  const url = clip(requestedUrl, 4000)
  const chain = redirectChainOf(lastRequest)
  const redirects = chain.length > 1 ? { redirects: chain } : {}
  if (isTimeout(error))
    return { code: 'NAVIGATION_FAILED', url, reason: 'timeout', ...redirects, waited: call.timeout }
  return { code: 'NAVIGATION_FAILED', url, reason: reasonOf(messageOf(error)), ...redirects }
}

const isDownload = (failure: Failure): boolean =>
  failure.code === 'NAVIGATION_FAILED' && failure.reason === 'Download is starting'

// Until it is stopped, Chromium lets nothing else into the page, and Firefox shows the page that was given up to a later call.
const isAbandoned = (failure: Failure): boolean =>
  failure.code === 'CANCELLED' || (failure.code === 'NAVIGATION_FAILED' && failure.reason === 'timeout')

// Chromium reports the error first and moves to its error page after; a call that came in between would be interrupted by that.
async function waitForErrorPage(page: Page, failure: Failure): Promise<void> {
  if (failure.code !== 'NAVIGATION_FAILED' || !/^ERR_(?!ABORTED)/.test(failure.reason)) return
  const arrived = (url: URL) => url.protocol === 'chrome-error:'
  await page.waitForURL(arrived, { timeout: 500 }).catch(() => {})
}

// net::ERR_… from Chromium; NS_ERROR_…, a module's own code in brackets after it, or a bare word such as deniedPortAccess from Firefox.
function reasonOf(text: string): string {
  const code =
    /net::(ERR_\w+)|NS_ERROR_\w+\(NS_ERROR_MODULE_\w+, (\w+)\)|(NS_ERROR_\w+)|(SSL_ERROR_\w+)|(SEC_ERROR_\w+)|Error: (\w+) at /.exec(
      text,
    )
  return code?.slice(1).find(Boolean) ?? text.split('\n')[0]?.slice(0, 200) ?? 'unknown'
}

function redirectChainOf(request: Request | undefined): string[] {
  const chain: string[] = []
  for (let hop = request; hop && chain.length < 20; hop = hop.redirectedFrom() ?? undefined)
    chain.unshift(clip(hop.url(), 4000))
  return chain
}
