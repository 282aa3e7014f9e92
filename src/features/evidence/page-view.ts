// The state of the page after a failed call: a screenshot, the elements closest to a missing target, and the trace.

import type { Failure, Outcome } from '../../core/base/failure.ts'
import type { Artifact, Folder } from '../../core/base/files/files.ts'
import type { Image } from '../../core/base/image.ts'
import { isErrorPage } from '../../core/base/text/parse-url.ts'
import type { OwnedPage } from '../../core/sessions/types/browsers.ts'
import type { EvidenceMode } from '../../core/tool/evidence.ts'
import type { FailureView } from './failure-view.ts'

declare module '../../core/sessions/types/owned-session.ts' {
  interface OwnedSession {
    /** The screenshots of its failures, as files. */
    readonly images: EvidenceImages
  }
}

interface EvidenceImages {
  save(image: Image): Promise<Outcome<Artifact>>
}

export interface EvidenceRequest {
  readonly mode: EvidenceMode | undefined
  /** Size limit of the screenshot. */
  readonly maximumPixels: number
  /** Whether the call may have changed the page before it failed. */
  readonly changesPage: boolean
  /** Whether the answer leaves out this evidence, as that of a later failure of `steps`. */
  readonly omitsEvidence?: boolean
}

/** The view of the page, gathered within `timeoutMs`; `missing` has the reasons for missing parts. */
export async function viewPage(
  page: OwnedPage,
  failure: Failure,
  { mode, maximumPixels }: EvidenceRequest,
  timeoutMs: number,
): Promise<FailureView> {
  if (failure.code === 'PAGE_HUNG' && !failure.freed)
    return { missing: { screenshot: 'the page does not respond' } }
  if (failure.code === 'BROWSER_CRASHED') return { missing: { screenshot: 'the browser has exited' } }
  if (isBrowserErrorPage(failure, page)) return { missing: {} }
  const target = failure.code === 'ELEMENT_NOT_FOUND' ? { target: failure.was ?? failure.target } : {}
  const element =
    failure.code === 'ELEMENT_NOT_CLICKABLE' || failure.code === 'ELEMENT_NOT_EDITABLE'
      ? { element: failure.target }
      : {}
  const pixels = mode === 'text' ? 0 : maximumPixels
  return page.viewFailure({ maximumPixels: pixels, ...target, ...element }, timeoutMs)
}

/** Whether the page is the browser's own error page, which has no information beyond the failure. */
export const isBrowserErrorPage = (failure: Failure, page: OwnedPage): boolean =>
  failure.code === 'NAVIGATION_FAILED' && isErrorPage(page.url())

// Only the newest are kept, to limit the disk space.
const IMAGE_LIMIT = 20

/** The screenshots of a session's failures, as files. */
export function createEvidenceImages(folder: Folder): EvidenceImages {
  const paths: string[] = []
  let count = 0
  return {
    async save({ bytes, mimeType }) {
      // Each number is used once, so a path that a result contains never refers to the image of another failure.
      count += 1
      const file = await folder.write(`failure-${count}.${mimeType.slice('image/'.length)}`, bytes)
      if (!file.ok) return file
      paths.push(file.value.path)
      const expired = paths.splice(0, Math.max(0, paths.length - IMAGE_LIMIT))
      await Promise.all(expired.map((path) => folder.remove(path).catch(() => {})))
      return file
    },
  }
}
