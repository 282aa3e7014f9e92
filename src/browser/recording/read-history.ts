import type { CDPSession } from 'playwright'
import { clock } from '../../runtime/clock.ts'

/** The history of a tab, as Chromium has it. */
export interface History {
  readonly currentIndex: number
  readonly entries: readonly {
    readonly id: number
    readonly url: string
    readonly userTypedURL: string
    readonly transitionType: string
  }[]
}

const COMMIT_TIMEOUT_MS = 5000

/** Reads the history once `isCurrent` holds, and after 5 s as it is. A page reports its navigation before the process of the browser has
 * taken notice: until then the history is refused, or it is the one before. Rejects if the page is gone. */
export async function readHistory(
  cdp: CDPSession,
  isCurrent: (history: History) => boolean = () => true,
): Promise<History> {
  const end = clock() + COMMIT_TIMEOUT_MS
  for (;;) {
    const history: History | undefined = await cdp.send('Page.getNavigationHistory').catch((error: Error) => {
      if (clock() < end && error.message.includes('Not attached to an active page')) return undefined
      throw error
    })
    if (history && (isCurrent(history) || clock() > end)) return history
  }
}
