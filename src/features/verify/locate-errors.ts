// Where in the work tree uncaught errors were thrown, for the ledger: their places and kinds, never their texts.

import { join } from 'node:path'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import type { LocatedSource } from '../../core/sessions/types/sources.ts'
import { pathInTree, realFolderOf } from './change/path-in-tree.ts'
import type { ErrorEntry } from './ledger/entry.ts'
import { hashText } from './ledger/text-hash.ts'

const LOCATE_TIMEOUT_MS = 1000
const ERROR_LIMIT = 20

/** The uncaught errors after an entry of the journal. */
export function findErrors({ journal }: OwnedSession, since: number): readonly JournalEntry[] {
  const accept = ({ message = '' }: JournalEntry) => message.startsWith('uncaught ')
  return journal.read({ kinds: ['console'], since, limit: ERROR_LIMIT, accept }).entries
}

/** Those whose place is known and lies in the work tree at `top`. */
export async function locateErrors(
  session: OwnedSession,
  errors: readonly JournalEntry[],
  top: string,
): Promise<readonly ErrorEntry[]> {
  const entriesWithSource = await session.sources.locateEntries(errors, LOCATE_TIMEOUT_MS)
  return entriesWithSource.flatMap((entry) => {
    const source = session.sources.firstSourceOf(entry)
    return (source && errorEntryOf(entry, source, session, top)) ?? []
  })
}

/** Undefined of a place outside of the work tree. */
export function errorEntryOf(
  { at, message = '' }: Pick<JournalEntry, 'at' | 'message'>,
  source: LocatedSource,
  { server, record }: OwnedSession,
  top: string,
  isBlank = false,
): ErrorEntry | undefined {
  const folder = server?.code?.()?.folder
  if (folder === undefined) return undefined
  const file = pathInTree(top, join(realFolderOf(folder), source.file))
  if (file.startsWith('../')) return undefined
  const content = source.content ?? readRegularFile(join(top, file))?.toString('utf8')
  if (content === undefined) return undefined
  const name = /\b[A-Z]\w*(?:Error|Exception)\b/.exec(message)?.[0] ?? 'uncaught error'
  const place = { file, content: hashText(content), line: source.line }
  return { kind: 'error', at, session: record.name, ...place, name, isBlank }
}
