// The errors that an action caused, and those since the call before it, in a few lines: the exit of the dev server, uncaught errors, failed requests, console errors. The
// most severe come first, without duplicates; omitted ones are counted.

import { findErrors, summarizeError } from '../../base/text/error-lines.ts'
import type { JournalEntry } from '../journal/journal.ts'

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

/** The entries up to `startSeq` came before the action, and their lines say so. `unanswered` are requests without a response, as method and
 * URL. Lines are redacted before they are clipped, so that no part of a secret remains. */
export function describeEffects(
  entries: readonly JournalEntry[],
  startSeq: number,
  unanswered: readonly string[],
  redact: (text: string) => string,
): string[] {
  const linesOf = (group: readonly JournalEntry[], requests: readonly string[]) =>
    effectLinesOf(group, requests).map((text) => summarizeError(redact(text), LINE_LIMIT_CHARS))
  const isEarlier = ({ seq }: JournalEntry) => seq <= startSeq
  const ownLines = linesOf(
    entries.filter((entry) => !isEarlier(entry)),
    unanswered,
  )
  const earlierLines = linesOf(entries.filter(isEarlier), []).filter((line) => !ownLines.includes(line))
  const uniqueLines = [...new Set([...ownLines, ...earlierLines.map((line) => EARLIER + line)])]
  const omittedCount = uniqueLines.length - LINE_LIMIT
  return omittedCount > 0
    ? [...uniqueLines.slice(0, LINE_LIMIT), `and ${omittedCount} more: console_messages`]
    : uniqueLines
}

const EARLIER = 'since the last call: '

/** The events of a page as lines; those of a tab or a download have data, and say so if they came before the action. A tab that has opened and closed since the last call is none. */
export function describePageEvents(entries: readonly JournalEntry[], startSeq = 0): string[] {
  const tabsOf = (name: 'openedTab' | 'closedTab') => new Set(entries.map(({ data }) => data?.[name]))
  const [openedTabs, closedTabs] = [tabsOf('openedTab'), tabsOf('closedTab')]
  const isPassing = ({ data }: JournalEntry) => {
    const tab = data?.['openedTab'] ?? data?.['closedTab']
    return tab !== undefined && openedTabs.has(tab) && closedTabs.has(tab)
  }
  return entries
    .filter((entry) => !isPassing(entry))
    .map(({ seq, text, data }) => (data && seq <= startSeq ? EARLIER : '') + text)
}

function effectLinesOf(entries: readonly JournalEntry[], unanswered: readonly string[]): string[] {
  const serverLines = entries.some(isServerFailure) ? serverErrorLinesOf(entries) : []
  const unansweredLines = unanswered.map((text) => ({ rank: 5, text: `${text} → no response yet` }))
  const misreadPages = entries.some(isUnreadableJson) ? entries.flatMap(pageForScriptOf) : []
  const lines = [...entries.flatMap(rankedLinesOf), ...misreadPages, ...serverLines, ...unansweredLines]
  return lines.toSorted((a, b) => a.rank - b.rank).map(({ text }) => text)
}

function rankedLinesOf({ kind, level, text, data }: JournalEntry): RankedLine[] {
  if (kind === 'server') return level === 'error' ? [{ rank: 0, text: `${text}.`.replace(/^t/, 'T') }] : []
  const stack = typeof data?.['stack'] === 'string' ? `\n${data['stack']}` : ''
  if (kind === 'request' && level === 'error') return [{ rank: 2, text: text + stack }]
  if (kind === 'request' && level === 'warning')
    return REPORTED_REQUEST_TYPES.has(String(data?.['type'])) ? [{ rank: 4, text: text + stack }] : []
  if (kind !== 'console' || level !== 'error' || /^error: Failed to load resource:/.test(text)) return []
  return [text.startsWith('uncaught ') ? { rank: 1, text } : { rank: 3, text: `console ${text}` }]
}

// Browsers give this error no stack if a response is read.
const isUnreadableJson = ({ kind, text }: JournalEntry): boolean =>
  kind === 'console' &&
  /^uncaught SyntaxError: (Unexpected token .* is not valid JSON|JSON\.parse: unexpected character)[^\n]*$/.test(
    text,
  )

// A server that answers an unknown path with its page.
const pageForScriptOf = ({ kind, level, text, data }: JournalEntry): RankedLine[] =>
  kind === 'request' && level === 'info' && data?.['isHtml'] === true
    ? [{ rank: 1, text: `${text} text/html${typeof data['stack'] === 'string' ? `\n${data['stack']}` : ''}` }]
    : []

// The error lines of the server for a request that it failed to serve.
const serverErrorLinesOf = (entries: readonly JournalEntry[]): RankedLine[] =>
  findErrors(
    entries.filter(({ kind, level }) => kind === 'server' && level !== 'error').map(({ text }) => text),
  )
    .slice(0, SERVER_LINE_LIMIT)
    .map(({ line, position }) => ({
      rank: 2,
      text: `dev server: ${line.trim()}${position === undefined ? '' : `\n    at ${position}`}`,
    }))
