// Lines that a dev server printed together are one entry for people, and redacted as one text: a secret may span several.

import type { JournalEntry } from '../../../core/sessions/journal/journal.ts'

export interface JoinedEntry extends JournalEntry {
  /** The number of its last line, if it has several; `seq` is that of the first. */
  readonly lastSeq?: number
}

const JOINED_LINES_MS = 500

export function joinServerLines(entries: readonly JournalEntry[]): readonly JoinedEntry[] {
  const joined: JoinedEntry[] = []
  for (const entry of entries) {
    const last = joined.at(-1)
    const isNext = last?.kind === 'server' && entry.kind === 'server' && last.level === entry.level
    if (isNext && entry.at - last.at < JOINED_LINES_MS)
      joined[joined.length - 1] = { ...last, text: `${last.text}\n${entry.text}`, lastSeq: entry.seq }
    else joined.push(entry)
  }
  return joined
}
