// Formats journal entries as short lines of the evidence.

import type { Failure } from '../../core/failure.ts'
import type { JournalEntry } from '../../core/session/journal.ts'

const TIMELINE_TEXT_LIMIT_CHARS = 110

/** The time of an entry relative to `now` (Unix milliseconds): `-1.2 s`. */
export const ageOf = ({ at }: Pick<JournalEntry, 'at'>, now: number): string =>
  `${((at - now) / 1000).toFixed(1)} s`

export const timelineLineOf = (entry: JournalEntry, now: number): string =>
  `${ageOf(entry, now)} ${entry.kind}: ${oneLine(entry.text, TIMELINE_TEXT_LIMIT_CHARS)}`

/** A text on one line of at most `limit` characters. */
export function oneLine(text: string, limit: number): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ')
  return line.length > limit ? `${line.slice(0, limit)}…` : line
}

/** Whether a console line is Chromium's own message about a failed request: `requests` has the same, and errors of the page would be
 * omitted for it. */
export const repeatsRequest = ({ kind, text }: Pick<JournalEntry, 'kind' | 'text'>): boolean =>
  kind === 'console' && /^error: Failed to load resource: (the server responded|net::ERR_)/.test(text)

/** Whether the entry is the request that a failed navigation is about. */
export const isRequestOf = (failure: Failure, { kind, text }: JournalEntry): boolean =>
  kind === 'request' &&
  failure.code === 'NAVIGATION_FAILED' &&
  text.startsWith(`GET ${failure.redirects?.at(-1) ?? failure.url} → `) &&
  text.endsWith(failure.reason)
