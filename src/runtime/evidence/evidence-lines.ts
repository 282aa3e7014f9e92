// Journal entries as the short lines of an evidence.

import type { Failure } from '../../core/failure.ts'
import type { JournalEntry } from '../../core/session/journal.ts'

/** How long before `now` (Unix milliseconds) an entry was made: `-1.2 s`. */
export const ageOf = ({ at }: Pick<JournalEntry, 'at'>, now: number): string =>
  `${((at - now) / 1000).toFixed(1)} s`

/** An entry of the timeline as a line. */
export const timelineLineOf = (entry: JournalEntry, now: number): string =>
  `${ageOf(entry, now)} ${entry.kind}: ${oneLine(entry.text, 110)}`

/** A text on one line of at most `limit` characters. */
export function oneLine(text: string, limit: number): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ')
  return line.length > limit ? `${line.slice(0, limit)}…` : line
}

/** Whether a console line is Chromium's own about a failed request: `requests` says the same, and errors of the page would be crowded out. */
export const repeatsRequest = ({ kind, text }: JournalEntry): boolean =>
  kind === 'console' && /^error: Failed to load resource: (the server responded|net::ERR_)/.test(text)

/** Whether the entry is the request that a failed navigation is about. */
export const isRequestOf = (failure: Failure, { kind, text }: JournalEntry): boolean =>
  kind === 'request' &&
  failure.code === 'NAVIGATION_FAILED' &&
  text.startsWith(`GET ${failure.redirects?.at(-1) ?? failure.url} → `) &&
  text.endsWith(failure.reason)
