// Loading a page that a page before it interferes with: dev servers' clients load it again by themselves, and that takes the place of the
// navigation that was asked for. The browser may report this, or never end the navigation; either way it is asked for again. Chromium may
// also hold one back that comes just as the page's own is answered: it asks a document that is going whether it may leave, and until that
// times out, after 3 s, it refuses every other one at once. So what sent no request is stopped first.

import type { Dialog, Frame, Page, Request, Response } from 'playwright'
import { isAborted, isTimeout, messageOf } from '../playwright/errors.ts'
import { createDeferred } from '../../runtime/calls/deferred.ts'
import { abortNavigation } from '../tab/hang-recovery.ts'
import type { Tab } from '../tab/tab.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { Call, WaitUntil } from '../../runtime/ports/page.ts'

const NAVIGATION_ATTEMPTS = 6
/** After another document has loaded, milliseconds in which a navigation that is still under way ends. */
const REPLACEMENT_GRACE_MS = 1000

/** What was seen of a navigation while it was under way. */
export interface NavigationProgress {
  /** The last request for a document of the main frame. */
  readonly lastRequest: Request | undefined
}

/** Runs `go`, which must be right to do twice, until it is through. `work` is the last run, `passage` what was seen of it. */
export async function retryNavigation(
  { page, recovery }: Pick<Tab, 'page' | 'recovery'>,
  go: (call: Call) => Promise<Response | null>,
  waitUntil: WaitUntil,
  call: Call,
): Promise<{ readonly work: Promise<Response | null>; readonly passage: NavigationProgress }> {
  const since = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    const watch = watchNavigationProgress(page)
    const stop = new AbortController()
    const timeout = Math.max(1, call.timeout - Math.round(performance.now() - since))
    const work = go({ timeout, signal: AbortSignal.any([call.signal, stop.signal]) })
    const settled = work.then(
      () => undefined,
      (error: Error) => error,
    )
    // After the load of its own document only a wait for a quiet network goes on.
    const end = await (waitUntil === 'networkidle'
      ? settled
      : Promise.race([settled, waitUntilReplaced(watch.replaced, settled)]))
    const isAgain = attempt < NAVIGATION_ATTEMPTS && !call.signal.aborted && (await isReplaced(end, watch))
    // The one that came in between is let through first, or it would come in between again.
    if (isAgain) await settleWithin(REPLACEMENT_GRACE_MS, watch.replaced)
    watch.end()
    if (!isAgain) return { work, passage: watch }
    stop.abort()
    if (end === REPLACED || !watch.lastRequest) await abortNavigation(page, recovery)
  }
}

// --- internal ---

const REPLACED = 'lost'

interface NavigationProgressWatch extends NavigationProgress {
  /** Whether the page asked to be left. */
  readonly isHeld: boolean
  /** Resolves once a document has come and loaded. Its request may have been sent before. */
  readonly replaced: Promise<void>
  end(): void
}

function watchNavigationProgress(page: Page): NavigationProgressWatch {
  let last: Request | undefined
  let isHeld = false
  let hasCome = false
  const replacement = createDeferred()
  const onRequest = (request: Request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) last = request
  }
  const onFrame = (frame: Frame) => {
    if (frame === page.mainFrame()) hasCome = true
  }
  const onLoad = () => hasCome && replacement.resolve()
  const onDialog = (dialog: Dialog) => {
    if (dialog.type() === 'beforeunload') isHeld = true
  }
  page.on('request', onRequest)
  page.on('framenavigated', onFrame)
  page.on('load', onLoad)
  page.on('dialog', onDialog)
  return {
    get lastRequest() {
      return last
    },
    get isHeld() {
      return isHeld
    },
    replaced: replacement.promise,
    end() {
      page.off('request', onRequest)
      page.off('framenavigated', onFrame)
      page.off('load', onLoad)
      page.off('dialog', onDialog)
    },
  }
}

async function waitUntilReplaced(
  replaced: Promise<void>,
  settled: Promise<unknown>,
): Promise<typeof REPLACED> {
  await replaced
  await settleWithin(REPLACEMENT_GRACE_MS, settled)
  return REPLACED
}

async function isReplaced(
  end: Error | typeof REPLACED | undefined,
  { lastRequest, isHeld }: NavigationProgressWatch,
): Promise<boolean> {
  if (end === REPLACED) return true
  if (!end || isHeld || isTimeout(end) || isAborted(end)) return false
  const text = messageOf(end)
  if (/interrupted by another navigation/.test(text)) return true
  if (!/net::ERR_ABORTED|NS_BINDING_ABORTED/.test(text)) return false
  // Such an answer ends a navigation in the same way.
  const response = await settleWithin(REPLACEMENT_GRACE_MS, lastRequest?.response() ?? Promise.resolve(null))
  return !(response && 'status' in response && [204, 205].includes(response.status()))
}
