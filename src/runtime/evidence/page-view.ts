// What a failed call left on the page: a picture of it, the elements closest to a missing target, and the trace that led there.

import { race } from '../calls/deadline.ts'
import type { FailureView, OwnedPage } from '../ports/browsers.ts'
import type { Artifact } from '../ports/files.ts'
import type { SessionResources } from '../resources/session-resources.ts'
import type { Failure } from '../../core/failure.ts'

export type EvidenceMode = 'full' | 'text' | 'none'

export interface EvidenceRequest {
  readonly mode: EvidenceMode | undefined
  /** Size limit of the picture. */
  readonly maximumPixels: number
}

/** What the page shows within `timeoutMs`; what cannot be had is in `missing`. */
export async function viewPage(
  page: OwnedPage,
  failure: Failure,
  { mode, maximumPixels }: EvidenceRequest,
  timeoutMs: number,
): Promise<FailureView> {
  if (failure.code === 'PAGE_HUNG' && !failure.freed)
    return { missing: { screenshot: 'the page does not respond' } }
  if (failure.code === 'BROWSER_CRASHED') return { missing: { screenshot: 'the browser has exited' } }
  const target = failure.code === 'ELEMENT_NOT_FOUND' ? { target: failure.was ?? failure.target } : {}
  const showsPage = mode !== 'text' && !isBrowserErrorPage(failure, page)
  return page.viewFailure({ maximumPixels: showsPage ? maximumPixels : 0, ...target }, timeoutMs)
}

/** Whether the page is the browser's own, about an address without an answer: it shows nothing that the failure does not say. */
export const isBrowserErrorPage = (failure: Failure, page: OwnedPage): boolean =>
  failure.code === 'NAVIGATION_FAILED' && /^(chrome-error|about:neterror):?/.test(page.url())

/** The trace up to this failure, where each failure gets one; the next trace begins here. */
export async function saveFailureTrace(
  { trace, folder }: SessionResources,
  page: OwnedPage,
  timeoutMs: number,
): Promise<Artifact | 'late' | undefined> {
  if (trace !== 'on-failure') return undefined
  const path = await folder.place('trace.zip')
  if (!path.ok) return undefined
  const raced = await race(timeoutMs, [], () => page.stopTrace(path.value, 'go on'))
  if ('stopped' in raced) return 'late'
  if (raced.value.ok) return folder.done(path.value)
  await folder.drop(path.value)
  return undefined
}
