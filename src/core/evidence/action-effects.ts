// The errors that an action caused, in a few lines: the exit of the dev server, uncaught errors, failed requests, console errors. The
// most severe come first, without duplicates; omitted ones are counted.

import { findErrorLines, summarizeError } from './error-lines.ts'
import { clip } from '../text/clip.ts'
import type { JournalEntry } from '../session/journal.ts'

const LINE_LIMIT = 5
const LINE_LIMIT_CHARS = 200
const SERVER_LINE_LIMIT = 2

/** The resource types whose 4xx responses are reported; a missing image or icon is not. */
const REPORTED_REQUEST_TYPES = new Set(['fetch', 'xhr', 'script'])

interface RankedLine {
  readonly rank: number
  readonly text: string
}

/** Whether this is a request that the server failed to serve. Some dev servers respond with 404 for a module that does not compile. */
export const isServerFailure = ({ kind, level, data }: JournalEntry): boolean =>
  kind === 'request' &&
  data?.['mock'] === undefined &&
  (level === 'error' || (level === 'warning' && data?.['type'] === 'script'))

/** `unanswered` are requests without a response, as method and URL. Lines are redacted before they are clipped, so that no part of a
 * secret remains. */
export function describeEffects(
  entries: readonly JournalEntry[],
  unanswered: readonly string[],
  redact: (text: string) => string,
): string[] {
  const serverLines = entries.some(isServerFailure) ? serverErrorLinesOf(entries) : []
  const unansweredLines = unanswered.map((text) => ({ rank: 5, text: `${text} → no response yet` }))
  const rankedLines = [...entries.flatMap(rankedLinesOf), ...serverLines, ...unansweredLines].toSorted(
    (a, b) => a.rank - b.rank,
  )
  const uniqueLines = [
    ...new Set(rankedLines.map(({ text }) => clip(summarizeError(redact(text)), LINE_LIMIT_CHARS))),
  ]
  const omittedCount = uniqueLines.length - LINE_LIMIT
  return omittedCount > 0
    ? [...uniqueLines.slice(0, LINE_LIMIT), `and ${omittedCount} more: console_messages`]
    : uniqueLines
}

function rankedLinesOf({ kind, level, text, data }: JournalEntry): RankedLine[] {
  if (kind === 'server') return level === 'error' ? [{ rank: 0, text: `${text}.`.replace(/^t/, 'T') }] : []
  if (kind === 'request' && level === 'error') return [{ rank: 2, text }]
  if (kind === 'request' && level === 'warning')
    return REPORTED_REQUEST_TYPES.has(String(data?.['type'])) ? [{ rank: 4, text }] : []
  if (kind !== 'console' || level !== 'error' || /^error: Failed to load resource:/.test(text)) return []
  return [text.startsWith('uncaught ') ? { rank: 1, text } : { rank: 3, text: `console ${text}` }]
}

// The error lines of the server for a request that it failed to serve.
const serverErrorLinesOf = (entries: readonly JournalEntry[]): RankedLine[] =>
  findErrorLines(
    entries.filter(({ kind, level }) => kind === 'server' && level !== 'error').map(({ text }) => text),
  )
    .slice(0, SERVER_LINE_LIMIT)
    .map((text) => ({ rank: 2, text: `dev server: ${text.trim()}` }))
