// Where in the work tree an uncaught error was thrown, for the ledger: its place and its kind, never its text.

import { realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import type { ErrorEntry } from './ledger/entry.ts'
import { hashText } from './ledger/text-hash.ts'

const LOCATE_TIMEOUT_MS = 1000

/** Undefined where its place is not known, or not in the work tree at `top`. */
export async function locateError(
  session: OwnedSession,
  entry: JournalEntry,
  top: string,
): Promise<ErrorEntry | undefined> {
  const { sources, server, record } = session
  await sources.locateEntries([entry], LOCATE_TIMEOUT_MS)
  const source = sources.firstSourceOf(entry)
  const folder = server?.code?.()?.folder
  if (!source || folder === undefined) return undefined
  const file = relative(top, join(realpathSync(folder), source.file))
    .split(sep)
    .join('/')
  if (file.startsWith('../')) return undefined
  const content = source.content ?? readRegularFile(join(top, file))?.toString('utf8')
  if (content === undefined) return undefined
  const name = /\b([A-Z]\w*(?:Error|Exception))\b/.exec(entry.message ?? entry.text)?.[1] ?? 'uncaught error'
  const { at } = entry
  return {
    kind: 'error',
    at,
    session: record.name,
    file,
    content: hashText(content),
    line: source.line,
    name,
    isBlank: false,
  }
}
