// The verdict on a change, from facts alone: which of its lines ran in their present content, what failed, and what was claimed.

import { groupBy } from '../../../core/base/group-by.ts'
import type { ChangedText } from '../change/changed-text.ts'
import { linesWithCode } from '../change/code-lines.ts'
import { fileKindOf } from '../change/file-kind.ts'
import type { FlowVerdict } from '../flows/judge-flows.ts'
import { type ErrorEntry, type LedgerEntry, type RunEntry, splitLines } from '../ledger/entry.ts'
import { isByEvaluation, runsOfContent } from '../ledger/runs-of-content.ts'
import { hashText } from '../ledger/text-hash.ts'

export interface FileVerdict {
  readonly file: string
  readonly ran: readonly number[]
  readonly partly: readonly number[]
  readonly notRun: readonly number[]
  readonly notLoaded: readonly number[]
  /** Those of `partly` with a function that did not run at all. */
  readonly idle: readonly number[]
  /** Why nothing can tell. */
  readonly notSeen?: string
  /** Whether a page of Chromium could have told. */
  readonly couldBeSeen?: true
  /** The call that ran some of its lines last; an evaluation, if some ran by that alone. */
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
  /** Those that the change touches. */
  readonly flows: readonly FlowVerdict[]
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
  /** The tests that the change touches. */
  readonly flows?: readonly FlowVerdict[]
  readonly stale: readonly string[]
  /** What is known of a server whose lines nobody counts; empty without one. */
  readonly serverNote: string
  /** The files that a server has loaded whose lines nobody counts, relative to the top of the work tree. */
  readonly serverFiles: ReadonlySet<string>
  /** Why nothing is known of what the pages of the session run, if so. */
  readonly unseen?: string | undefined
}

export function judge({ base, changed, entries, claims, flows = [], stale, ...known }: Evidence): Verdict {
  const byFile = groupBy(entries, ({ file }) => file)
  const entriesOf = ({ path }: ChangedText) => byFile.get(path) ?? []
  const files = changed.flatMap((file) => judgeFile(file, entriesOf(file), known) ?? [])
  const lastEditAt = Math.max(...changed.map(({ editedAt = 0 }) => editedAt))
  const errors = changed.flatMap((file) => errorsOf(file, entriesOf(file), lastEditAt))
  const isFailed = errors.length > 0 || [...claims, ...flows].some(({ verdict }) => verdict === 'FAIL')
  const isOpen =
    stale.length > 0 ||
    claims.some(({ verdict }) => verdict === 'UNVERIFIED') ||
    files.some(isOpenFile) ||
    // Where nothing ran, nothing was shown.
    (!files.some(hasRun) && (files.length > 0 || (changed.length === 0 && claims.length > 0)))
  const verdict = isFailed ? 'FAIL' : isOpen ? 'UNVERIFIED' : 'PASS'
  return { verdict, base, files, claims, flows, errors, stale }
}

export const hasRun = ({ ran, partly }: FileVerdict): boolean => ran.length + partly.length > 0

// --- internal ---

const isOpenFile = ({ notRun, notLoaded, idle, couldBeSeen }: FileVerdict): boolean =>
  couldBeSeen === true || notRun.length + notLoaded.length + idle.length > 0

function judgeFile(
  { path, content, lines }: ChangedText,
  entries: readonly LedgerEntry[],
  { serverNote, serverFiles, unseen }: Pick<Evidence, 'serverNote' | 'serverFiles' | 'unseen'>,
): FileVerdict | undefined {
  const kind = fileKindOf(path)
  const nothing = { file: path, ran: [], partly: [], notRun: [], notLoaded: [], idle: [] }
  if (kind.kind === 'none') return undefined
  if (kind.kind === 'unseen')
    return { ...nothing, notSeen: [kind.reason, kind.isServer && serverNote].filter(Boolean).join('; ') }
  if (content === undefined) return { ...nothing, notSeen: 'no text, or too large' }
  const own = entries.filter((entry): entry is RunEntry => entry.kind === 'run')
  const { isLoaded, lines: runs } = runsOfContent(content, own)
  const coded = new Set(linesWithCode(content, lines))
  const findStateAround = createStateFinder(content, kind.kind === 'script')
  const stateOf = (line: number) => {
    const run = runs.get(line)
    if (run) return run.state === 'partly' && run.entry.isCutOff ? 'not run' : run.state
    if (!coded.has(line)) return undefined
    return isLoaded ? findStateAround(line, runs) : 'not loaded'
  }
  const states = lines.map((line) => ({ line, state: stateOf(line) }))
  if (states.every(({ state }) => state === undefined)) return undefined
  const isUnloaded = states.every(({ state }) => state === undefined || state === 'not loaded')
  const ofServer = ['no coverage of this server', serverNote].filter(Boolean).join('; ')
  if (isUnloaded && serverFiles.has(path)) return { ...nothing, notSeen: ofServer }
  if (isUnloaded && unseen !== undefined) return { ...nothing, notSeen: unseen, couldBeSeen: true }
  const of = (state: ReturnType<typeof stateOf>) =>
    states.filter((entry) => entry.state === state).map(({ line }) => line)
  const active = lines
    .flatMap((line) => runs.get(line) ?? [])
    .filter(({ state }) => state !== 'not run')
    .toSorted((a, b) => a.entry.at - b.entry.at)
  const last = active.findLast(({ entry }) => isByEvaluation(entry)) ?? active.at(-1)
  return {
    file: path,
    ran: of('ran'),
    partly: of('partly'),
    notRun: of('not run'),
    notLoaded: of('not loaded'),
    idle: of('partly').filter((line) => runs.get(line)?.hasIdleFunction),
    by: last && { call: last.entry.call, session: last.entry.session, at: last.entry.at },
  }
}

const STATEMENT_LIMIT_LINES = 40

type Runs = ReturnType<typeof runsOfContent>['lines']

/** A line of code that has no position of its own, such as a text within a call, is part of what begins before it. Whether it is evaluated
 * with it is not certain. What begins after the end of that has been left out by a compiler, or nobody knows of it. */
function createStateFinder(
  content: string,
  isScript: boolean,
): (line: number, runs: Runs) => 'partly' | 'not run' | undefined {
  const texts = splitLines(content)
  return (line, runs) => {
    if (isScript && BETWEEN.test(texts[line - 1] ?? '')) return undefined
    if (!isScript && AROUND_RULES.test(texts[line - 1] ?? '')) return stateBelow(line, runs)
    let depth = 0
    for (let above = line - 1; above >= line - STATEMENT_LIMIT_LINES && above > 0; above--) {
      const text = (texts[above - 1] ?? '').replace(QUOTED, '')
      depth += text.split(OPENING).length - text.split(CLOSING).length
      const run = runs.get(above)
      if (!run) continue
      const isWithin = depth > 0 || isContinued(text, texts[line - 1] ?? '')
      // Nobody counts the steps of an animation, or a font.
      if (!isScript) return isWithin && run.state === 'not run' ? 'not run' : 'partly'
      if (run.state === 'not run') return 'not run'
      return isWithin || IMPORT.test(texts[line - 1] ?? '') ? 'partly' : 'not run'
    }
    // The first imports are evaluated with the file.
    const isEvaluated = [...runs.values()].some(({ state }) => state !== 'not run')
    return isScript && isEvaluated && IMPORT.test(texts[line - 1] ?? '') ? 'partly' : undefined
  }
}

/** A condition of rules is used where one of its rules is. */
function stateBelow(line: number, runs: Runs): 'partly' | 'not run' {
  for (let below = line + 1; below <= line + STATEMENT_LIMIT_LINES; below++) {
    const run = runs.get(below)
    if (run) return run.state === 'not run' ? 'not run' : 'partly'
  }
  return 'partly'
}

const AROUND_RULES = /^\s*@(media|supports|container|layer|scope|starting-style)\b[^;]*$/

/** What has no code of its own between the parts of a statement. */
const BETWEEN = /^[\s});\]]*(else|try|catch(\s*\([^()]*\))?|finally|do|default\s*:)?[\s{(]*$/
const IMPORT = /^\s*(import|export)\b.*['"]\s*;?\s*$|^\s*import\b/
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\/.*$/g
const OPENING = /[{([]|<[A-Za-z]/
const CLOSING = /[})\]]|<\/|\/>/

const isContinued = (above: string, text: string): boolean =>
  /[=+\-*/%&|?:,.(<`]\s*$/.test(above) || /^\s*([?:.&|+*/%,<`=]|\$\{)/.test(text)

/** Errors that name a changed line of the present content, each place once. One from before the last edit is over when its line has run since. */
function errorsOf(
  { content, lines }: ChangedText,
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
      entry.kind === 'error' && entry.content === hash && lines.includes(entry.line) && !isOver(entry),
  )
  // Each error is one of the page too; that it left the page blank says more.
  const ordered = errors.toSorted((a, b) => Number(a.isBlank) - Number(b.isBlank))
  return [...new Map(ordered.map((entry) => [entry.line, entry])).values()]
}
