// What is known of one changed path. Each has a ground, or is open.

import type { ChangedPath, RemovedLines } from '../change/changed-path.ts'
import type { LedgerEntry, RunEntry } from '../ledger/entry.ts'
import { isByEvaluation, runsOfContent } from '../ledger/runs-of-content.ts'
import { isDocumentation } from '../pieces/documentation.ts'
import { createLineStates, type LineState } from '../pieces/line-states.ts'
import { type Pieces, piecesOf } from '../pieces/pieces.ts'
import { isUnitTest } from '../pieces/unit-test.ts'
import { functionAround } from '../source/source-structure.ts'

export interface FileVerdict {
  readonly file: string
  readonly ran: readonly number[]
  readonly partly: readonly number[]
  readonly notRun: readonly number[]
  readonly notLoaded: readonly number[]
  /** Those of the lines that stand for what was removed beside them. */
  readonly beside: readonly RemovedLines[]
  /** By whom its present bytes were received. */
  readonly seen?: string
  /** Why it is known to be in use, though nothing can see into it. */
  readonly vouched?: string
  /** Why nothing can tell. */
  readonly notSeen?: string
  /** Why it does not count. */
  readonly notCounted?: string
  /** The call that ran some of its lines last; an evaluation, if some ran by that alone. */
  readonly by?: Pick<RunEntry, 'call' | 'session' | 'at'>
  /** What would tell. */
  readonly next?: string
}

/** What is known beside the change and the ledger. */
export interface Surroundings {
  /** The files that the project's own runner takes for tests. */
  readonly tests: ReadonlySet<string>
  /** The files that a server has loaded whose lines nobody counts. */
  readonly serverFiles: ReadonlySet<string>
  /** What is known of that server; empty without one. */
  readonly serverNote: string
  /** Why nothing is known of what the pages of the session run, if so. */
  readonly unseen?: string | undefined
  /** Why a page or a server may have loaded a file that nobody counted, with what would tell. */
  readonly uncounted?: string | undefined
  /** A server that has answered its page since it started, where a claim holds. */
  readonly voucher?: Voucher | undefined
}

export interface Voucher {
  /** In Unix milliseconds. */
  readonly startedAt: number
  readonly ground: string
}

export interface JudgedFile extends FileVerdict {
  /** The lines of which an error counts. */
  readonly errorLines: ReadonlySet<number>
}

const hasRun = ({ ran, partly }: FileVerdict): boolean => ran.length + partly.length > 0

/** Whether something of it is not known to have run, or to be in use. */
export const isOpen = ({ notRun, notLoaded, notSeen }: FileVerdict): boolean =>
  notRun.length + notLoaded.length > 0 || notSeen !== undefined

/** `entries` are those of the path, oldest first. */
export function judgeFile(
  file: ChangedPath,
  entries: readonly LedgerEntry[],
  around: Surroundings,
): JudgedFile {
  const nothing = nothingOf(file)
  const runs = entries.filter((entry): entry is RunEntry => entry.kind === 'run')
  const isLoaded = runs.length > 0 || around.serverFiles.has(file.path)
  if (isTest(file, around) && !isLoaded) return { ...nothing, notCounted: 'a test' }
  const pieces = piecesOf(file)
  if (pieces.isEmpty) return { ...nothing, notCounted: 'comments, blank space or types alone' }
  if (file.content !== undefined && (pieces.isCode || runs.length > 0))
    return judgeCode({ ...file, content: file.content }, pieces, runs, around)
  if (!isLoaded && isForPeople(file)) return { ...nothing, notCounted: 'documentation' }
  const receipt = entries.findLast(({ kind, content }) => kind === 'seen' && content === file.hash)
  if (receipt) return { ...nothing, seen: 'received by a page', by: byOf(receipt) }
  const reason = file.noContent ?? (pieces.isCode ? 'no text, or too large' : 'nothing counts what uses it')
  return vouch(file, [reason, around.serverNote].filter(Boolean).join('; '), around)
}

/** A path that is gone counts by what named it, which must have loaded since without it. */
export function judgeRemoved(
  file: ChangedPath,
  others: readonly { readonly file: ChangedPath; readonly verdict: FileVerdict }[],
  around: Surroundings,
): JudgedFile {
  const nothing = nothingOf(file)
  if (isTest(file, around)) return { ...nothing, notCounted: 'a test' }
  if (isForPeople(file)) return { ...nothing, notCounted: 'documentation' }
  const names = namesOf(file.path)
  const naming = others.filter(
    ({ file: { baseContent = '', content } }) =>
      content !== undefined && names.test(baseContent) && !names.test(content),
  )
  if (naming.length > 0 && naming.every(({ verdict }) => isInUse(verdict)))
    return {
      ...nothing,
      seen: `gone; ${naming.map((other) => other.file.path).join(', ')} loaded without it`,
    }
  return vouch(file, 'removed; nothing shows that what used it has loaded since', around)
}

// --- internal ---

const nothingOf = ({ path }: ChangedPath): JudgedFile => ({
  ...{ file: path, ran: [], partly: [], notRun: [], notLoaded: [], beside: [] },
  errorLines: new Set(),
})

const isInUse = (verdict: FileVerdict): boolean =>
  !isOpen(verdict) && (hasRun(verdict) || verdict.seen !== undefined)

/** How a text names a file: at the end of a path in quotes, with or without its extension. */
function namesOf(path: string): RegExp {
  const stem = nameOf(path).replace(/(.)\.[^.]*$/, '$1')
  const escaped = stem.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(`["'\`/]${escaped}(?:\\.\\w+)*["'\`?#)]`)
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const isTest = (file: ChangedPath, { tests }: Surroundings): boolean =>
  tests.has(file.path) || isUnitTest(file)

const isForPeople = ({ path, content, baseContent }: ChangedPath): boolean =>
  isDocumentation(path, content ?? baseContent)

const byOf = (entry: LedgerEntry): Required<FileVerdict>['by'] => ({
  call: 'call' in entry ? entry.call : '',
  session: entry.session,
  at: entry.at,
})

/** What nothing sees into is in use where its server has started since its edit, and shows what a claim says. */
function vouch(file: ChangedPath, notSeen: string, { voucher }: Surroundings): JudgedFile {
  const nothing = nothingOf(file)
  const isVouched = voucher !== undefined && file.editedAt !== undefined && file.editedAt <= voucher.startedAt
  return isVouched ? { ...nothing, vouched: voucher.ground } : { ...nothing, notSeen, next: STEP }
}

const STEP = 'restart the server, open its page, and pass a claim with a check'

function judgeCode(
  file: ChangedPath & { readonly content: string },
  { structure, lines, removals }: Pieces,
  runs: readonly RunEntry[],
  around: Surroundings,
): JudgedFile {
  const known = runsOfContent(file.content, runs)
  const states = createLineStates(known, structure)
  const whole = lines.length + removals.length === 0 ? [1] : []
  const stateOf = new Map<number, LineState>([
    ...removals.map(({ line }) => [line, states.around(line)] as const),
    ...whole.map((line) => [line, states.around(line)] as const),
  ])
  for (const line of lines) stateOf.set(line, worst(states.of(line), stateOf.get(line)))
  const of = (state: LineState) =>
    [...stateOf].flatMap(([line, one]) => (one === state ? line : [])).toSorted((a, b) => a - b)
  const notLoaded = of('not loaded')
  if (notLoaded.length === stateOf.size) {
    if (around.serverFiles.has(file.path))
      return vouch(file, ['no coverage of this server', around.serverNote].filter(Boolean).join('; '), around)
    if (around.unseen !== undefined)
      return { ...nothingOf(file), notSeen: around.unseen, next: 'verify it in a session with Chromium' }
    if (around.uncounted !== undefined) return { ...nothingOf(file), notSeen: around.uncounted }
  }
  const active = [...stateOf.keys()]
    .flatMap((line) => known.lines.get(line) ?? [])
    .filter(({ state }) => state !== 'not run')
    .toSorted((a, b) => a.entry.at - b.entry.at)
  const last = active.findLast(({ entry }) => isByEvaluation(entry)) ?? active.at(-1)
  const around_ = removals.flatMap(({ line }) => {
    const part = structure && functionAround(structure, Math.max(1, line - 1), line)
    return part ? linesOf(part.firstLine, part.lastLine) : linesOf(1, file.content.split('\n').length)
  })
  return {
    file: file.path,
    ran: of('ran'),
    partly: of('partly'),
    notRun: of('not run'),
    notLoaded,
    beside: removals,
    ...(last && { by: byOf(last.entry) }),
    ...(notLoaded.length > 0 && { next: 'open a page that uses it' }),
    errorLines: new Set([...lines, ...around_]),
  }
}

const RANKS: readonly (LineState | undefined)[] = [undefined, 'ran', 'partly', 'not run', 'not loaded']

const worst = (one: LineState, other: LineState | undefined): LineState =>
  RANKS.indexOf(one) < RANKS.indexOf(other) ? (other ?? one) : one

const linesOf = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
