// The source of the errors that the page has printed since the last successful action.

import { repeatsRequest } from './evidence-lines.ts'
import type { Evidence } from '../ports/session-manager.ts'
import type { SessionResources } from '../resources/session-resources.ts'
import type { JournalEntry } from '../../core/session/journal.ts'
import { createCodeFrame } from '../../core/source/code-frame.ts'
import { formatSource } from '../../core/source/script-positions.ts'

/** More than the evidence shows of the console. */
const CONSOLE_LIMIT = 10

/** Replaces the script positions of the newest console entries; those whose source is not known in time stay. */
export async function locateConsole(
  { journal, sources, evidenceSeq }: SessionResources,
  timeoutMs: number,
): Promise<void> {
  const query = { kinds: ['console'], since: evidenceSeq, limit: CONSOLE_LIMIT } as const
  const accept = (entry: JournalEntry) => !repeatsRequest(entry)
  const errors = (entry: JournalEntry) => entry.level === 'error' && accept(entry)
  const entries = [accept, errors].flatMap((filter) => journal.read({ ...query, accept: filter }).entries)
  await sources.locateEntries([...new Set(entries)], timeoutMs)
}

/** The lines of the source around the newest error: an uncaught one, if there is any. */
export function codeFrameOf({
  journal,
  sources,
  evidenceSeq,
  redactor,
}: SessionResources): Pick<Evidence, 'codeFrame'> {
  const accept = (entry: JournalEntry) =>
    entry.level === 'error' && sources.firstSourceOf(entry) !== undefined
  const { entries } = journal.read({ kinds: ['console'], since: evidenceSeq, limit: CONSOLE_LIMIT, accept })
  const entry = entries.findLast(({ message = '' }) => message.startsWith('uncaught ')) ?? entries.at(-1)
  const source = entry && sources.firstSourceOf(entry)
  if (source?.content === undefined) return {}
  const lines = createCodeFrame(source.content, source.line, redactor.redactText)
  return lines.length > 0 ? { codeFrame: [formatSource(source), ...lines].join('\n') } : {}
}
