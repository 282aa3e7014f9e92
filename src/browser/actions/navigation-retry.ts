// Retries a navigation that another one replaced: the client script of a dev server may reload the page by itself, which replaces the
// requested navigation. The browser may report this, or never finish the navigation; in both cases it is started again. Chromium may also
// block a navigation that starts just as the response of the page's own arrives: it asks the unloading document whether it may be left,
// and until that times out, after 3 s, rejects all others at once. So a navigation that sent no request is aborted first.

import type { Dialog, Frame, Page, Request, Response } from 'playwright'
import { evaluateInternally } from '../playwright/internals.ts'
import { isAborted, isNavigationAborted, isNavigationInterrupted, isTimeout } from '../playwright/errors.ts'
import { createDeferred } from '../../runtime/calls/deferred.ts'
import { abortNavigation } from '../tab/hang-recovery.ts'
import type { Tab } from '../tab/tab.ts'
import { isTraced } from '../tab/tracing.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { playwrightOptions, type PlaywrightOptions } from '../playwright/playwright-options.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { WaitUntil } from '../../runtime/ports/page/page.ts'

const NAVIGATION_ATTEMPTS = 15
/** Time in which a pending navigation ends after another document has loaded. */
const REPLACEMENT_GRACE_MS = 1000

/** What a navigation did before it ended. */
export interface NavigationProgress {
  /** The latest request for a document of the main frame. */
  readonly lastRequest: Request | undefined
}

/** Runs `startNavigation`, which must be safe to repeat, until no other navigation replaces it. `work` is the last run. */
export async function retryNavigation(
  { page, recovery }: Pick<Tab, 'page' | 'recovery'>,
  startNavigation: (options: PlaywrightOptions) => Promise<Response | null>,
  waitUntil: WaitUntil,
  deadline: Deadline,
): Promise<{ readonly work: Promise<Response | null>; readonly progress: NavigationProgress }> {
  for (let attempt = 1; ; attempt += 1) {
    const watch = watchNavigationProgress(page)
    const stop = new AbortController()
    const signal = AbortSignal.any([deadline.signal, stop.signal])
    const work = startNavigation({ ...playwrightOptions(deadline), signal })
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
    if (!mustRetry) return { work, progress: watch }
    stop.abort()
    if (end === REPLACED || !watch.lastRequest) await abortNavigation(page, recovery)
  }
}

// --- internal ---

const REPLACED = 'replaced'

interface NavigationProgressWatch extends NavigationProgress {
  /** Whether a `beforeunload` dialog was opened. */
  readonly hasUnloadDialog: boolean
  /** Resolves when a document has been committed and loaded. Its request may have been sent before. */
  readonly replacement: Promise<void>
  end(): void
}

function watchNavigationProgress(page: Page): NavigationProgressWatch {
  let lastRequest: Request | undefined
  let hasUnloadDialog = false
  let hasNavigated = false
  const replacement = createDeferred()
  const onRequest = (request: Request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) lastRequest = request
  }
  const onFrame = (frame: Frame) => {
    if (frame === page.mainFrame()) hasNavigated = true
  }
  const onLoad = () => hasNavigated && replacement.resolve()
  const onDialog = (dialog: Dialog) => {
    if (dialog.type() === 'beforeunload') hasUnloadDialog = true
  }
  page.on('request', onRequest)
  page.on('framenavigated', onFrame)
  page.on('load', onLoad)
  page.on('dialog', onDialog)
  return {
    get lastRequest() {
      return lastRequest
    },
    get hasUnloadDialog() {
      return hasUnloadDialog
    },
    replacement: replacement.promise,
    end() {
      page.off('request', onRequest)
      page.off('framenavigated', onFrame)
      page.off('load', onLoad)
      page.off('dialog', onDialog)
    },
  }
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
  { lastRequest, hasUnloadDialog }: NavigationProgressWatch,
): Promise<boolean> {
  if (end === REPLACED) return true
  if (!end || hasUnloadDialog || isTimeout(end) || isAborted(end)) return false
  if (isNavigationInterrupted(end)) return true
  if (!isNavigationAborted(end)) return false
  // Responses without content end a navigation with the same error.
  const response = await settleWithin(REPLACEMENT_GRACE_MS, lastRequest?.response() ?? Promise.resolve(null))
  return !(response && 'status' in response && [204, 205].includes(response.status()))
}
