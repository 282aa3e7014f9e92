// Which lines of the work tree's own code are named for an error: those of its stack, and those that the framework prints of its components.

import type { JournalEntry } from '../../../core/sessions/journal/journal.ts'
import type { OwnedSession } from '../../../core/sessions/types/owned-session.ts'
import type { LocatedSource, SourcePosition } from '../../../core/sessions/types/sources.ts'

export interface Cause {
  readonly error: JournalEntry
  readonly places: readonly LocatedSource[]
}

const ENTRY_LIMIT = 20
const PLACE_LIMIT = 3
const LOCATE_TIMEOUT_MS = 1000

/** Whether an uncaught error, or a script that could not be loaded, came after an entry of the journal. */
export const hasErrorSince = ({ journal }: OwnedSession, since: number): boolean =>
  journal.read({ kinds: ['console', 'request'], since, limit: 1, accept: isFatal }).entries.length > 0

/** The first uncaught error after an entry of the journal, with the places that it and the console errors about it name. */
export async function findCause(
  { journal, sources }: OwnedSession,
  since: number,
): Promise<Cause | undefined> {
  const accept = ({ level }: JournalEntry) => level === 'error'
  const { entries } = journal.read({ kinds: ['console'], since, limit: ENTRY_LIMIT, accept })
  const error = entries.find(isUncaught)
  if (!error) return undefined
  const about = entries.filter((entry) => !isUncaught(entry) && isAbout(entry, error))
  const entriesWithSource = await sources.locateEntries([error, ...about], LOCATE_TIMEOUT_MS)
  return { error, places: choosePlaces(entriesWithSource.flatMap(sources.sourcesOf)) }
}

/** The first lines, but one of each file before others: a wrapper often has several frames above the line that is wrong. */
export function choosePlaces<P extends SourcePosition>(places: readonly P[]): readonly P[] {
  const unique = places.filter((place, index) => places.findIndex((one) => isSame(one, place)) === index)
  const isFirstOfFile = (place: P) => unique.find(({ file }) => file === place.file) === place
  const chosen = [...unique.filter(isFirstOfFile), ...unique.filter((place) => !isFirstOfFile(place))]
  const named = new Set(chosen.slice(0, PLACE_LIMIT))
  return unique.filter((place) => named.has(place))
}

// --- internal ---

const isUncaught = ({ message = '' }: JournalEntry): boolean => message.startsWith('uncaught ')

/** React prints the components in a message of its own. */
function isAbout({ message = '' }: JournalEntry, error: JournalEntry): boolean {
  const [title = ''] = error.message?.replace(/^uncaught \w*: /, '').split('\n') ?? []
  return message.startsWith('The above error occurred') || (title !== '' && message.includes(title))
}

const isFatal = (entry: JournalEntry): boolean =>
  entry.kind === 'request'
    ? entry.data?.['type'] === 'script' && (entry.level === 'error' || entry.level === 'warning')
    : isUncaught(entry)

const isSame = (a: SourcePosition, b: SourcePosition): boolean => a.file === b.file && a.line === b.line
