// Where the element is written that the server rendered differently than the browser: the error about it has a stack of the framework only.

import type { Deadline } from '../ports/deadline.ts'
import type { OpenSession } from '../ports/open-session.ts'
import type { Page } from '../ports/page/page.ts'
import { findHydrationMismatch, selectorOf } from '../../core/evidence/hydration-mismatch.ts'
import type { JournalEntry } from '../../core/session/journal.ts'
import { summarizeSource } from '../../core/source/element-source.ts'

/** Such as `app/page.tsx:12:7 in Page`; undefined if no entry reports a mismatch, or if the page has no such element or several. */
export async function findMismatchSource(
  entries: readonly JournalEntry[],
  page: Page,
  session: Pick<OpenSession, 'sources' | 'url' | 'redact'>,
  deadline: Deadline,
): Promise<string | undefined> {
  for (const { kind, level, text } of entries) {
    const mismatch =
      kind === 'console' && (level === 'error' || level === 'warning')
        ? findHydrationMismatch(text)
        : undefined
    if (!mismatch) continue
    const origin = await page.origin({ selector: selectorOf(mismatch) }, deadline)
    if (!origin.ok) return undefined
    const source = await session.sources.locateElement(origin.value, session.url)
    const summary = source.ancestor === undefined ? summarizeSource(source) : undefined
    return summary && session.redact(summary)
  }
  return undefined
}
