// The timeline of a session as people read it: what was done and verified in words, and everything else as it is.

import { stripTerminalCodes } from '../../core/base/text/terminal-codes.ts'
import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import { readTimeline } from '../../core/sessions/journal/read-timeline.ts'
import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import { withoutOrigin } from '../lib/html/report.ts'
import { type DescribedStep, describeSteps } from '../lib/recording/describe-steps.ts'
import { type JoinedEntry, joinServerLines } from '../lib/recording/join-server-lines.ts'
import type {} from '../recording/recording.ts'
import type { ReportNotes } from '../report/report-notes.ts'
import type { ViewedEntry } from './in-page/viewed-session.ts'

const ENTRY_LIMIT = 500

/** The entries after a number, and what was verified since the action before them: a check has no number of its own. */
export async function readViewedEntries(
  session: OwnedSession,
  after: number,
): Promise<{ readonly entries: readonly ViewedEntry[]; readonly dropped: number }> {
  const { journal, network, sources, server } = session
  server?.sync()
  const { entries, dropped } = readTimeline(journal, network, { since: after, limit: ENTRY_LIMIT })
  const pending = network.read({
    since: after,
    limit: ENTRY_LIMIT,
    accept: ({ state }) => state === 'pending',
  }).entries
  const open = new Set(pending.map(({ seq }) => seq))
  const entriesWithSource = joinServerLines(await sources.locateEntries(entries))
  const steps = describeActions(
    session,
    entries.filter(({ kind }) => kind === 'action'),
    after + 1,
  )
  const words = new Map(steps.flatMap((step) => (step.kind === 'action' ? [[step.seq, step.words]] : [])))
  const viewed = entriesWithSource.map((entry) =>
    viewEntry(entry, session, words.get(entry.seq), open.has(entry.seq)),
  )
  const checks = steps.flatMap((step) => (step.kind === 'check' ? [viewCheck(step, session)] : []))
  // The sort is stable: entries of one millisecond keep their order.
  return { entries: [...viewed, ...checks].toSorted((a, b) => a.at - b.at), dropped }
}

/** The newest action in words. */
export function describeLastAction(session: OwnedSession): string | undefined {
  const { entries } = session.journal.read({ kinds: ['action'], limit: 1 })
  const [action] = entries
  if (!action) return undefined
  const step = describeActions(session, entries, action.seq).find(
    ({ seq, kind }) => kind === 'action' && seq === action.seq,
  )
  return wordsFor(action, session, step?.words)
}

// --- internal ---

/** With the checks since the action before `before`. */
function describeActions(
  { journal, recording }: OwnedSession,
  actions: readonly JournalEntry[],
  before: number,
): readonly DescribedStep[] {
  const [previous] = journal.read({ kinds: ['action'], before, limit: 1 }).entries
  return describeSteps(actions, recording.read(previous?.seq).steps)
}

const wordsFor = ({ text }: JournalEntry, { redactor }: OwnedSession, words: string | undefined): string =>
  stripTerminalCodes(redactor.redactText(words || text))

function viewEntry(
  entry: JoinedEntry,
  session: OwnedSession,
  words: string | undefined,
  isOpen: boolean,
): ViewedEntry {
  const { seq, lastSeq, at, kind, level } = entry
  const notes: ReportNotes = session.notes
  const text = wordsFor(entry, session, words)
  const changes = kind === 'action' ? notes.changes.get(seq) : undefined
  return {
    seq,
    at,
    kind,
    level,
    text: kind === 'request' ? withoutOrigin(text, session.url) : text,
    ...(lastSeq !== undefined && { lastSeq }),
    ...(words === '' && { isSilent: true }),
    ...(changes && { changes: session.redactor.redactText(changes) }),
    ...(isOpen && { isOpen: true }),
  }
}

const viewCheck = ({ seq, at, words }: DescribedStep, { redactor }: OwnedSession): ViewedEntry => ({
  seq,
  at,
  kind: 'check',
  level: 'info',
  text: redactor.redactText(words),
})
