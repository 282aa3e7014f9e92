// The console messages, requests and server lines that a result reports, each once.

import { race } from '../../base/system/race-deadline.ts'
import { createDeferred } from '../../base/system/settle-within.ts'
import { isErrorLine } from '../../base/text/error-lines.ts'
import type { Journal, JournalEntry } from '../journal/journal.ts'
import type { OwnedSession } from '../types/owned-session.ts'
import type { OwnedServer } from '../types/servers.ts'
import { isServerFailure } from './action-effects.ts'

const ENTRY_LIMIT = 1000

// A server that failed to serve a request prints the reason a little later.
const SERVER_LINE_TIMEOUT_MS = 250
// The source of an error that an action caused is what its answer is read for; a source map of some megabytes is parsed first.
const LOCATE_TIMEOUT_MS = 1500
// One that refuses connections usually ends; an error page loads its scripts first.
const SERVER_EXIT_TIMEOUT_MS = 2000

/** The entries since the last call of this function or the last evidence; errors have their positions in source files. */
export async function takeNewEntries(session: OwnedSession): Promise<readonly JournalEntry[]> {
  const { journal, server } = session
  server?.sync()
  const since = session.takenSeq
  const readNew = () =>
    journal.read({ kinds: ['console', 'request', 'server'], since, limit: ENTRY_LIMIT }).entries
  if (server && !server.exitReason()) await waitForServerLine(journal, server, readNew())
  session.takenSeq = journal.lastSeq()
  return shortenPaths(await locateErrors(session, readNew()), server)
}

// Effects have errors only.
async function locateErrors(
  { locateEntries }: OwnedSession,
  entries: readonly JournalEntry[],
): Promise<readonly JournalEntry[]> {
  const errors = entries.filter(
    ({ kind, level, data }) =>
      (kind === 'console' && level === 'error') || (kind === 'request' && data?.['stack'] !== undefined),
  )
  if (errors.length === 0) return entries
  const errorsWithSource = await locateEntries(errors, LOCATE_TIMEOUT_MS)
  return entries.map((entry) => errorsWithSource[errors.indexOf(entry)] ?? entry)
}

// The server names its files by absolute paths, in errors that a failed request reports.
function shortenPaths(
  entries: readonly JournalEntry[],
  server: OwnedServer | undefined,
): readonly JournalEntry[] {
  if (!entries.some(isServerFailure)) return entries
  const folder = server?.code?.()?.folder
  if (folder === undefined) return entries
  return entries.map((entry) =>
    entry.kind === 'server' ? { ...entry, text: entry.text.replaceAll(`${folder}/`, '') } : entry,
  )
}

// A failed request may be recorded before the output of the server about it, or before the end of the server.
async function waitForServerLine(
  journal: Journal,
  server: OwnedServer,
  entries: readonly JournalEntry[],
): Promise<void> {
  const failures = entries.filter(isServerFailure)
  if (failures.length === 0) return
  const connectionFailures = failures.filter(({ data }) => data?.['status'] === undefined)
  const { origin } = new URL(server.info().url)
  const isEnding = connectionFailures.some(({ text }) => text.includes(`${origin}/`))
  const isPage = failures.some(({ data }) => data?.['type'] === 'document')
  // An error page may print its error in the browser only.
  const isLine = ({ kind, level, text }: JournalEntry) =>
    kind === 'server'
      ? level === 'error' || (connectionFailures.length === 0 && isErrorLine(text))
      : isPage && kind === 'console' && level === 'error' && !repeatsRequest({ kind, text })
  if (!isEnding && entries.some(isLine)) return
  const since = journal.lastSeq()
  const isComplete = () =>
    isEnding
      ? server.exitReason() !== undefined
      : journal.read({ kinds: ['server', 'console'], since, limit: 1, accept: isLine }).entries.length > 0
  const completion = createDeferred()
  const unwatch = journal.watch(['server', 'console'], () => isComplete() && completion.resolve())
  await race(
    isEnding || isPage ? SERVER_EXIT_TIMEOUT_MS : SERVER_LINE_TIMEOUT_MS,
    [],
    () => completion.promise,
  )
  unwatch()
}

/** Whether a console line is Chromium's own message about a failed request: `requests` has the same, and errors of the page would be
 * omitted for it. */
export const repeatsRequest = ({ kind, text }: Pick<JournalEntry, 'kind' | 'text'>): boolean =>
  kind === 'console' && /^error: Failed to load resource: (the server responded|net::ERR_)/.test(text)
