// Which tests an edit touches, and whether they passed since: by the lines that each one ran the last time.

import { groupBy } from '../../../core/base/group-by.ts'
import { memoize } from '../../../core/base/memoize.ts'
import type { LedgerEntry } from '../ledger/entry.ts'
import type { FlowEntry, FlowFile, TextEntry } from '../ledger/flow-entry.ts'
import { hashText } from '../ledger/text-hash.ts'
import type { ChangedLines } from '../pieces/changed-lines.ts'
import { isStyle, readStructure } from '../source/source-structure.ts'
import { findLineChanges, hashLines, type LineChange, meets, moveLine } from './line-changes.ts'

/** A file of tests that a change touches. */
export interface FlowVerdict {
  /** Relative to the top of the work tree. */
  readonly path: string
  readonly touches: readonly Place[]
  /** UNVERIFIED: it has not run since the last edit that can touch it. */
  readonly verdict: 'PASS' | 'FAIL' | 'UNVERIFIED'
  /** When it ran last, in Unix milliseconds; undefined for one that never did where that was kept. */
  readonly at?: number
  /** How long it took, in milliseconds. */
  readonly duration: number
  /** Whether a run of it is known that passed, of whatever code. */
  readonly hasPassed: boolean
}

/** Lines of a file; none where it is not known which of them the tests run. */
export interface Place {
  readonly file: string
  readonly lines: readonly number[]
}

export interface FlowFacts {
  /** Oldest first. */
  readonly entries: readonly LedgerEntry[]
  readonly changed: readonly ChangedLines[]
  /** The files with tests; those of which nothing is known may be touched. */
  readonly testFiles: readonly string[]
  /** The present text of a file; undefined if it is gone. */
  readonly read: (file: string) => string | undefined
}

/** The tests that the change touches, the quickest first. */
export function judgeFlows({ entries, changed, testFiles, read }: FlowFacts): readonly FlowVerdict[] {
  const flows = entries.filter((entry): entry is FlowEntry => entry.kind === 'flow')
  const known = new Set(flows.map(({ file }) => file))
  const unknown = changed.length > 0 ? testFiles.filter((path) => !known.has(path)) : []
  const texts = new Map(
    entries.flatMap((entry) => (entry.kind === 'text' ? [[versionOf(entry), entry.lines] as const] : [])),
  )
  const readOnce = memoize(read)
  const hashOnce = memoize((file: string) => {
    const text = readOnce(file)
    return text === undefined ? undefined : hashText(text)
  })
  const knowledge: Knowledge = {
    ...{ changed, read: readOnce, hashOf: hashOnce, texts, testFiles: new Set(testFiles) },
    pageFiles: new Set(entries.flatMap(pageFilesOf)),
    serverFiles: new Set(entries.flatMap(serverFilesOf)),
  }
  const verdicts = [...groupBy(flows, ({ file }) => file)].flatMap(
    ([path, runs]) => judgeFlow(path, runs, knowledge) ?? [],
  )
  return [
    ...verdicts.toSorted((a, b) => a.duration - b.duration),
    ...unknown.map((path) => ({ path, ...NEVER_RAN })),
  ]
}

export const versionOf = ({ file, content }: Pick<TextEntry, 'file' | 'content'>): string =>
  `${file}\0${content}`

/** The files that a page has loaded, as an entry knows it. */
export function pageFilesOf(entry: LedgerEntry): readonly string[] {
  if (entry.kind === 'flow') return entry.files.map(({ file }) => file)
  return entry.kind === 'run' && entry.part !== 'server' ? [entry.file] : []
}

/** Those that a server has run. */
export const serverFilesOf = (entry: LedgerEntry): readonly string[] =>
  entry.kind === 'run' && entry.part === 'server' ? [entry.file] : []

// --- internal ---

const NEVER_RAN = { touches: [], verdict: 'UNVERIFIED', duration: Infinity, hasPassed: false } as const

/** The last run of each test that the file has and what it tells: one that no edit has met since, or else the last one. */
function latestOf(
  runs: readonly FlowEntry[],
  knowledge: Knowledge,
): readonly { readonly run: FlowEntry; readonly touch: Touch }[] {
  const newest = runs.at(-1)
  // Tests that did not run when all of the file did are no more; the configuration names them too. A failed test may keep others from running.
  const isComplete = runs.every(({ at, isPassed }) => at !== newest?.at || isPassed)
  const isGone = ({ content, at }: FlowEntry) =>
    newest?.isAll === true && at < newest.at && (content !== newest.content || isComplete)
  return [...groupBy(runs, ({ test }) => test).values()].flatMap((own) => {
    const last = own.at(-1)
    if (!last || isGone(last)) return []
    const judged = own.slice(-JUDGED_RUN_LIMIT).map((run) => ({ run, touch: touchOf(run, runs, knowledge) }))
    const nearest = judged.toSorted((a, b) => countOf(a.touch) - countOf(b.touch))[0]
    return judged.findLast(({ touch }) => !touch.isEdited) ?? nearest ?? []
  })
}

const JUDGED_RUN_LIMIT = 10

const countOf = ({ touches }: Touch): number => touches.reduce((sum, { lines }) => sum + lines.length + 1, 0)

interface Knowledge extends Pick<FlowFacts, 'changed' | 'read'> {
  readonly testFiles: ReadonlySet<string>
  /** The hash of the present text of a file. */
  readonly hashOf: (file: string) => string | undefined
  readonly texts: ReadonlyMap<string, readonly string[]>
  /** The files that a page has loaded, as far as that is known. */
  readonly pageFiles: ReadonlySet<string>
  /** Those that a server has run. */
  readonly serverFiles: ReadonlySet<string>
}

/** What is known of one test: what of the change it runs, and what was edited since. */
interface Touch {
  readonly touches: readonly Place[]
  readonly isEdited: boolean
}

const NOTHING: Touch = { touches: [], isEdited: false }

function judgeFlow(path: string, runs: readonly FlowEntry[], knowledge: Knowledge): FlowVerdict | undefined {
  if (knowledge.read(path) === undefined) return undefined
  const latest = latestOf(runs, knowledge)
  const touches = latest.flatMap(({ touch }) => touch.touches)
  if (touches.length === 0) return undefined
  const isEdited = latest.some(({ touch }) => touch.isEdited)
  const isPassed = latest.every(({ run }) => run.isPassed)
  return {
    path,
    touches: joinPlaces(touches),
    verdict: isEdited ? 'UNVERIFIED' : isPassed ? 'PASS' : 'FAIL',
    at: Math.min(...latest.map(({ run }) => run.at)),
    duration: latest.reduce((sum, { run }) => sum + run.duration, 0),
    hasPassed: [...groupBy(runs, ({ test }) => test).values()].every((own) =>
      own.at(-1)?.past.some((run) => run.isPassed),
    ),
  }
}

function touchOf(run: FlowEntry, runs: readonly FlowEntry[], knowledge: Knowledge): Touch {
  // One that failed may have ended before it came to what it runs else.
  const whole = run.isPassed
    ? undefined
    : runs.findLast(({ test, isPassed }) => test === run.test && isPassed)
  const known = new Map([...(whole?.files ?? []), ...run.files].map((file) => [file.file, file]))
  const own = [...known.values()].map((file) => touchOfFile(file, whole?.files ?? [], knowledge))
  const others = knowledge.changed
    .filter(({ path }) => !known.has(path))
    .map((file) => touchOfOther(file, run, knowledge))
  const isOwnEdit = run.content !== knowledge.hashOf(run.file)
  const test: Touch = isOwnEdit ? { touches: [wholeOf(run.file)], isEdited: true } : NOTHING
  const all = [test, ...own, ...others]
  return {
    touches: all.flatMap(({ touches }) => touches),
    isEdited: all.some(({ isEdited }) => isEdited),
  }
}

/** What an edit of a file that the pages have loaded touches. */
function touchOfFile(
  { file, content, ran }: FlowFile,
  others: readonly FlowFile[],
  { changed, read, hashOf, texts }: Knowledge,
): Touch {
  const now = read(file)
  const lines = changed.find(({ path }) => path === file)?.lines ?? []
  if (now === undefined) return { touches: [wholeOf(file)], isEdited: true }
  const other = others.find((one) => one.file === file && one.content === content)
  const ranLines = new Set([...ran, ...(other?.ran ?? [])])
  if (content === hashOf(file))
    return placesOf(
      file,
      lines.filter((line) => ranLines.has(line)),
      false,
    )
  const before = texts.get(versionOf({ file, content }))
  // Without the text of then no line can be followed.
  if (!before) return { touches: [wholeOf(file)], isEdited: true }
  const changes = findLineChanges(before, hashLines(now))
  const codeLines = readStructure(file, now)?.codeLines
  // Added comments and blank lines alone touch no test.
  const hasCode = ({ oldStart, oldEnd, newStart, newEnd }: LineChange) =>
    oldStart < oldEnd || !codeLines || linesFrom(newStart, newEnd).some((line) => codeLines.has(line))
  const meeting = changes.filter((change) => meets(ranLines, change))
  const touching = meeting.some(hasCode) ? meeting : []
  const moved = new Set([...ranLines].flatMap((line) => moveLine(line, changes) ?? []))
  const touched = [...touching.flatMap(linesOfChange), ...lines.filter((line) => moved.has(line))]
  return placesOf(file, touched, touching.length > 0)
}

/** What a changed file that the pages of a test have not loaded means for it. */
function touchOfOther(
  { path, editedAt = Infinity }: ChangedLines,
  run: FlowEntry,
  { testFiles, pageFiles, serverFiles }: Knowledge,
): Touch {
  // Whether it ran as it is now is known by its content.
  if (path === run.file) return { touches: [wholeOf(path)], isEdited: false }
  if (testFiles.has(path)) return NOTHING
  if (run.isWhole && pageFiles.has(path) && !serverFiles.has(path)) return NOTHING
  if (isStyle(path) && run.isWhole && !isServed(path, run)) return NOTHING
  return { touches: [wholeOf(path)], isEdited: editedAt > run.at }
}

const isServed = (path: string, { resources }: FlowEntry): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
  return resources.some((resource) => resource.includes(name))
}

const linesOfChange = ({ newStart, newEnd }: LineChange): readonly number[] =>
  newStart === newEnd ? [Math.max(1, newStart - 1)] : linesFrom(newStart, newEnd)

const linesFrom = (start: number, end: number): readonly number[] =>
  Array.from({ length: end - start }, (_, index) => start + index)

const wholeOf = (file: string): Place => ({ file, lines: [] })

const placesOf = (file: string, lines: readonly number[], isEdited: boolean): Touch => ({
  touches: lines.length === 0 ? [] : [{ file, lines }],
  isEdited,
})

/** Each file once, with the lines of all its places. */
const joinPlaces = (places: readonly Place[]): readonly Place[] =>
  [...groupBy(places, ({ file }) => file)].map(([file, own]) => {
    const isWhole = own.some(({ lines }) => lines.length === 0)
    const lines = isWhole ? [] : own.flatMap((place) => place.lines)
    return { file, lines: [...new Set(lines)].toSorted((a, b) => a - b) }
  })
