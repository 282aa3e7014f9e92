// The verdict on a change, from facts alone: what of it ran as it is now, what failed, and what was claimed. One function counts.

import { groupBy } from '../../../core/base/group-by.ts'
import type { ChangedPath } from '../change/changed-path.ts'
import type { FlowVerdict } from '../flows/judge-flows.ts'
import type { ErrorEntry, LedgerEntry } from '../ledger/entry.ts'
import { hashText } from '../ledger/text-hash.ts'
import {
  type FileVerdict,
  isOpen,
  type JudgedFile,
  judgeFile,
  judgeRemoved,
  type Surroundings,
} from './file-verdict.ts'

export interface ClaimVerdict {
  readonly say: string
  readonly verdict: Word
  /** What the check saw instead, or why the claim is not verified. */
  readonly seen?: string
}

type Word = 'PASS' | 'FAIL' | 'UNVERIFIED'

export interface Verdict {
  readonly verdict: Word
  readonly base: string
  /** Whether something tells where the work began. */
  readonly isBaseKnown: boolean
  /** Every path that differs, once. */
  readonly files: readonly FileVerdict[]
  readonly claims: readonly ClaimVerdict[]
  /** Those that the change touches. */
  readonly flows: readonly FlowVerdict[]
  readonly errors: readonly ErrorEntry[]
  /** Why pages do not count, a sentence each. */
  readonly stale: readonly string[]
}

export interface Evidence extends Surroundings {
  readonly base: string
  readonly isBaseKnown: boolean
  readonly changed: readonly ChangedPath[]
  /** Oldest first. */
  readonly entries: readonly LedgerEntry[]
  readonly claims: readonly ClaimVerdict[]
  readonly flows: readonly FlowVerdict[]
  readonly stale: readonly string[]
}

export function judge({
  base,
  isBaseKnown,
  changed,
  entries,
  claims,
  flows,
  stale,
  ...around
}: Evidence): Verdict {
  const byFile = groupBy(entries, ({ file }) => file)
  const present = changed
    .filter(({ change }) => change !== 'removed')
    .map((file) => ({ file, verdict: judgeFile(file, byFile.get(file.path) ?? [], around) }))
  const judged = new Map(present.map(({ file, verdict }) => [file.path, verdict]))
  const files = changed.map((file) => judged.get(file.path) ?? judgeRemoved(file, present, around))
  const lastEditAt = Math.max(...changed.map(({ editedAt = 0 }) => editedAt))
  const errors = present.flatMap(({ file, verdict }) =>
    errorsOf(file, verdict, byFile.get(file.path) ?? [], lastEditAt),
  )
  const isFailed = errors.length > 0 || [...claims, ...flows].some(({ verdict }) => verdict === 'FAIL')
  const hasOpen =
    !isBaseKnown ||
    files.length === 0 ||
    stale.length > 0 ||
    claims.some(({ verdict }) => verdict === 'UNVERIFIED') ||
    flows.some(isOpenFlow) ||
    files.some(isOpen)
  const verdict = isFailed ? 'FAIL' : hasOpen ? 'UNVERIFIED' : 'PASS'
  const fileVerdicts = files.map(({ errorLines: _, ...file }) => file)
  return { verdict, base, isBaseKnown, files: fileVerdicts, claims, flows, errors, stale }
}

// --- internal ---

/** A test that nobody has seen running may have nothing to do with the change. */
const isOpenFlow = ({ verdict, touches }: FlowVerdict): boolean =>
  verdict === 'UNVERIFIED' && touches.length > 0

/** Errors of the present content, each place once. One from before the last edit is over when its line has run since. */
function errorsOf(
  { content }: ChangedPath,
  { errorLines }: JudgedFile,
  entries: readonly LedgerEntry[],
  lastEditAt: number,
): readonly ErrorEntry[] {
  const hash = content === undefined ? undefined : hashText(content)
  const isOver = ({ line, at }: ErrorEntry) =>
    at < lastEditAt &&
    entries.some(
      (entry) =>
        entry.kind === 'run' &&
        entry.content === hash &&
        entry.at > Math.max(at, lastEditAt) &&
        entry.isCutOff !== true &&
        entry.functions.some(({ ran, partly }) => ran.includes(line) || partly.includes(line)),
    )
  const errors = entries.filter(
    (entry): entry is ErrorEntry =>
      entry.kind === 'error' && entry.content === hash && errorLines.has(entry.line) && !isOver(entry),
  )
  // Each error is one of the page too; that it left the page blank says more.
  const ordered = errors.toSorted((a, b) => Number(a.isBlank) - Number(b.isBlank))
  return [...new Map(ordered.map((entry) => [entry.line, entry])).values()]
}
