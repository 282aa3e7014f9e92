// The verdict on a change, from facts alone: which of its lines ran in their present content, what failed, and what was claimed.

import type { ChangedText } from '../change/changed-text.ts'
import { linesWithCode } from '../change/code-lines.ts'
import { fileKindOf } from '../change/file-kind.ts'
import type { ErrorEntry, LedgerEntry, RunEntry } from '../ledger/entry.ts'
import { runsOfContent } from '../ledger/runs-of-content.ts'
import { hashText } from '../ledger/text-hash.ts'

export interface FileVerdict {
  readonly file: string
  readonly ran: readonly number[]
  readonly partly: readonly number[]
  readonly notRun: readonly number[]
  readonly notLoaded: readonly number[]
  /** Why nothing can tell. */
  readonly notSeen?: string
  /** The call that ran some of its lines last. */
  readonly by?: Pick<RunEntry, 'call' | 'session' | 'at'>
}

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
  readonly files: readonly FileVerdict[]
  readonly claims: readonly ClaimVerdict[]
  readonly errors: readonly ErrorEntry[]
  /** Why pages do not count, a sentence each. */
  readonly stale: readonly string[]
}

export interface Evidence {
  readonly base: string
  readonly changed: readonly ChangedText[]
  /** Oldest first. */
  readonly entries: readonly LedgerEntry[]
  readonly claims: readonly ClaimVerdict[]
  readonly stale: readonly string[]
  /** What is known of a server whose lines nobody counts; empty without one. */
  readonly serverNote: string
  /** The files that a server has loaded whose lines nobody counts, relative to the top of the work tree. */
  readonly serverFiles: ReadonlySet<string>
  /** Why nothing is known of what the pages of the session run, if so. */
  readonly unseen?: string | undefined
}

export function judge({ base, changed, entries, claims, stale, ...known }: Evidence): Verdict {
  const files = changed.flatMap((file) => judgeFile(file, entries, known) ?? [])
  const errors = changed.flatMap((file) => errorsOf(file, entries))
  const isFailed = errors.length > 0 || claims.some(({ verdict }) => verdict === 'FAIL')
  const isOpen =
    stale.length > 0 ||
    claims.some(({ verdict }) => verdict === 'UNVERIFIED') ||
    files.some(({ notRun, notLoaded }) => notRun.length + notLoaded.length > 0) ||
    (files.length > 0 && !files.some(hasRun) && claims.length === 0)
  return { verdict: isFailed ? 'FAIL' : isOpen ? 'UNVERIFIED' : 'PASS', base, files, claims, errors, stale }
}

export const hasRun = ({ ran, partly }: FileVerdict): boolean => ran.length + partly.length > 0

// --- internal ---

function judgeFile(
  { path, content, lines }: ChangedText,
  entries: readonly LedgerEntry[],
  { serverNote, serverFiles, unseen }: Pick<Evidence, 'serverNote' | 'serverFiles' | 'unseen'>,
): FileVerdict | undefined {
  const kind = fileKindOf(path)
  const nothing = { file: path, ran: [], partly: [], notRun: [], notLoaded: [] }
  if (kind.kind === 'none') return undefined
  if (kind.kind === 'unseen')
    return { ...nothing, notSeen: [kind.reason, kind.isServer && serverNote].filter(Boolean).join('; ') }
  if (content === undefined) return { ...nothing, notSeen: 'no text, or too large' }
  const own = entries.filter((entry): entry is RunEntry => entry.kind === 'run' && entry.file === path)
  const { isLoaded, lines: runs } = runsOfContent(content, own)
  const coded = new Set(linesWithCode(content, lines))
  const stateOf = (line: number) => {
    const run = runs.get(line)
    if (run) return run.state === 'partly' && run.entry.isCutOff ? 'not run' : run.state
    if (!coded.has(line)) return undefined
    return isLoaded ? stateWithin(line, runs) : 'not loaded'
  }
  const states = lines.map((line) => ({ line, state: stateOf(line) }))
  if (states.every(({ state }) => state === undefined)) return undefined
  const isUnloaded = states.every(({ state }) => state === undefined || state === 'not loaded')
  const ofServer = ['no coverage of this server', serverNote].filter(Boolean).join('; ')
  if (isUnloaded && serverFiles.has(path)) return { ...nothing, notSeen: ofServer }
  if (isUnloaded && unseen !== undefined) return { ...nothing, notSeen: unseen }
  const of = (state: ReturnType<typeof stateOf>) =>
    states.filter((entry) => entry.state === state).map(({ line }) => line)
  const last = lines
    .flatMap((line) => runs.get(line) ?? [])
    .filter(({ state }) => state !== 'not run')
    .toSorted((a, b) => a.entry.at - b.entry.at)
    .at(-1)
  return {
    file: path,
    ran: of('ran'),
    partly: of('partly'),
    notRun: of('not run'),
    notLoaded: of('not loaded'),
    by: last && { call: last.entry.call, session: last.entry.session, at: last.entry.at },
  }
}

const STATEMENT_LIMIT_LINES = 40

/** A line of code that has no position of its own, such as a text within a call, is part of what begins before it. Whether it is evaluated
 * with it is not certain. */
function stateWithin(
  line: number,
  runs: ReturnType<typeof runsOfContent>['lines'],
): 'partly' | 'not run' | undefined {
  for (let above = line - 1; above >= line - STATEMENT_LIMIT_LINES && above > 0; above--) {
    const run = runs.get(above)
    if (run) return run.state === 'not run' ? 'not run' : 'partly'
  }
  return undefined
}

/** Errors that name a changed line of the present content, each place once. */
function errorsOf(
  { path, content, lines }: ChangedText,
  entries: readonly LedgerEntry[],
): readonly ErrorEntry[] {
  const hash = content === undefined ? undefined : hashText(content)
  const errors = entries.filter(
    (entry): entry is ErrorEntry =>
      entry.kind === 'error' && entry.file === path && entry.content === hash && lines.includes(entry.line),
  )
  // Each error is one of the page too; that it left the page blank says more.
  const ordered = errors.toSorted((a, b) => Number(a.isBlank) - Number(b.isBlank))
  return [...new Map(ordered.map((entry) => [entry.line, entry])).values()]
}
