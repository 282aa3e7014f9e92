// A page whose picture or stream never ends: it has what it needs, though its load event does not come.

import type { Frame, Page, Request } from 'playwright'
import { createDeferred, settleWithin } from '../../base/system/settle-within.ts'
import { clip } from '../../base/text/clip.ts'
import type { WaitUntil } from '../../base/action.ts'

/** Time without progress after which a page that is parsed counts as loaded. */
const STALL_TIME_MS = 5000
const TEXT_TIMEOUT_MS = 500
const AWAITED_LIMIT = 3
const URL_LIMIT_CHARS = 200

/** Watches the requests of a navigation that waits for the load event, until `end`. */
export function watchLoadStall(page: Page, waitUntil: WaitUntil) {
  const reached = createDeferred()
  const pending = new Set<Request>()
  let [hasNavigated, isParsed, isStalled] = [false, false, false]
  let timer: NodeJS.Timeout | undefined
  // A script or a stylesheet may be what makes the page; of a stream, what has come is there.
  async function isUsable(): Promise<boolean> {
    if ([...pending].some((request) => /^(script|stylesheet)$/.test(request.resourceType()))) return false
    if (isParsed) return pending.size > 0
    return (await settleWithin(TEXT_TIMEOUT_MS, page.evaluate(hasVisibleText))) === true
  }
  const noteProgress = () => {
    clearTimeout(timer)
    if (!hasNavigated || waitUntil !== 'load') return
    timer = setTimeout(async () => {
      isStalled = await isUsable().catch(() => false)
      if (isStalled) reached.resolve()
    }, STALL_TIME_MS)
  }
  const onRequest = (request: Request) => {
    pending.add(request)
    noteProgress()
  }
  const onEnd = (request: Request) => {
    pending.delete(request)
    noteProgress()
  }
  const onFrame = (frame: Frame) => {
    if (frame !== page.mainFrame()) return
    hasNavigated = true
    noteProgress()
  }
  const onParsed = () => {
    isParsed = hasNavigated
    noteProgress()
  }
  page.on('request', onRequest).on('requestfinished', onEnd).on('requestfailed', onEnd)
  page.on('framenavigated', onFrame).on('domcontentloaded', onParsed)
  return {
    /** Resolves when nothing came for a while, and the page shows what it has. */
    reached: reached.promise,
    isStalled: () => isStalled,
    /** The addresses of the first requests that have not ended. */
    awaiting: (): string[] =>
      [...pending].slice(0, AWAITED_LIMIT).map((request) => clip(request.url(), URL_LIMIT_CHARS)),
    end() {
      clearTimeout(timer)
      page.off('request', onRequest).off('requestfinished', onEnd).off('requestfailed', onEnd)
      page.off('framenavigated', onFrame).off('domcontentloaded', onParsed)
    },
  }
}

// --- internal ---

const hasVisibleText = (): boolean => /\S/.test(document.body?.innerText ?? '')
