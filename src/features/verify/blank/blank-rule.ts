// When a page is blank: it had content and shows nothing now, and nothing is on its way. A page that is short, loads, or never had content is not.

import type { PageContent } from './in-page/page-content.ts'

export interface BlankFacts {
  readonly now: PageContent
  /** When it had content last; undefined if it never had. */
  readonly before: PageContent | undefined
  /** Whether an uncaught error or a script that failed to load came since. */
  readonly hasError: boolean
  /** Whether requests since then are without a response. */
  readonly isRequesting: boolean
  /** Whether the page has set timers since. */
  readonly hasTimers: boolean
  /** Milliseconds since it was found blank first. */
  readonly blankFor: number
}

/** `open`: it shows nothing, but may be on its way. */
export function judgeBlank(facts: BlankFacts): 'full' | 'open' | 'blank' {
  const { now, before, hasError, isRequesting, hasTimers, blankFor } = facts
  if (!now.isBlank || !before) return 'full'
  // Another page may be empty or slow by its nature.
  if (now.document !== before.document && !hasError) return 'full'
  if (now.isLoading) return 'open'
  // Of an error it is known why nothing is shown; only what was asked for may still come.
  const isPending = isRequesting || (hasTimers && !hasError)
  return isPending && blankFor < PATIENCE_MS ? 'open' : 'blank'
}

// --- internal ---

/** What sets timers again and again is not waited for any longer. */
const PATIENCE_MS = 10_000
