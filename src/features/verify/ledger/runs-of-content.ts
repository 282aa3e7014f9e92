// What the entries of the ledger say of the lines of a file as it is now.

import { groupBy } from '../../../core/base/group-by.ts'
import { type FunctionEntry, type RunEntry, splitLines } from './entry.ts'
import { hashText } from './text-hash.ts'

interface LineRun {
  readonly state: 'ran' | 'partly' | 'not run'
  /** The last entry that says so. */
  readonly entry: RunEntry
  /** Whether one of several functions on the line did not run at all. */
  readonly hasIdleFunction: boolean
}

export interface ContentRuns {
  /** Whether a page or a server has loaded this content. */
  readonly isLoaded: boolean
  /** By line; a line without code is in none. */
  readonly lines: ReadonlyMap<number, LineRun>
}

/** `entries` are those of the file, oldest first. Of another content only the functions count whose text is in this one: what an edit did not
 * touch. */
export function runsOfContent(content: string, entries: readonly RunEntry[]): ContentRuns {
  const hash = hashText(content)
  const findText = createTextFinder(content)
  const lines: FunctionLines = new Map()
  const [present, past] = [[] as RunEntry[], [] as RunEntry[]]
  for (const entry of entries) (entry.content === hash ? present : past).push(entry)
  for (const version of groupBy(past, (entry) => entry.content).values()) {
    const findOffset = createOffsetFinder(version, findText)
    for (const entry of version)
      for (const part of entry.functions) {
        const offset = findOffset(part)
        if (offset !== undefined) noteFunction(lines, part, offset, entry)
      }
  }
  const isKnown = present.length > 0 ? new Set<number>() : undefined
  for (const entry of present)
    for (const part of entry.functions) {
      noteFunction(lines, part, 0, entry)
      for (const line of [...part.ran, ...part.partly, ...part.notRun]) isKnown?.add(line)
    }
  // What was code before may be in a comment now.
  const folded = [...lines].filter(([line]) => isKnown?.has(line) ?? true)
  return {
    isLoaded: present.length > 0,
    lines: new Map(folded.map(([line, runs]) => [line, foldLine(runs)])),
  }
}

/** Whether an evaluation of the agent is what ran it. */
export const isByEvaluation = ({ call }: Pick<RunEntry, 'call'>): boolean => /(?:^| or )evaluate$/.test(call)

// --- internal ---

type FunctionRun = Omit<LineRun, 'hasIdleFunction'>
/** By line, then by what ran it and by function. */
type FunctionLines = Map<number, Map<string, FunctionRun>>

const RANKS = { 'not run': 0, partly: 1, ran: 2 } as const

function noteFunction(
  lines: FunctionLines,
  { firstLine, lastLine, copy = 0, ran, partly, notRun }: FunctionEntry,
  offset: number,
  entry: RunEntry,
): void {
  const key = `${entry.part ?? ''}:${firstLine + offset}-${lastLine + offset}:${copy}`
  const note = (places: readonly number[], state: LineRun['state']) => {
    for (const place of places) {
      const runs = lines.get(place + offset) ?? new Map<string, FunctionRun>()
      lines.set(place + offset, runs)
      const known = runs.get(key)
      if (!known || outweighs({ state, entry }, known)) runs.set(key, { state, entry })
    }
  }
  note(notRun, 'not run')
  note(partly, 'partly')
  note(ran, 'ran')
}

/** What a user could have done says more than an evaluation. */
function outweighs(run: FunctionRun, known: FunctionRun): boolean {
  const more = RANKS[run.state] - RANKS[known.state]
  if (more !== 0) return more > 0
  if (isByEvaluation(run.entry) !== isByEvaluation(known.entry)) return isByEvaluation(known.entry)
  return run.entry.at >= known.entry.at
}

/** A line ran if each function on it did, in a page or in a server. */
function foldLine(runs: ReadonlyMap<string, FunctionRun>): LineRun {
  const parts = groupBy(runs, ([key]) => key.slice(0, key.indexOf(':'))).values()
  const folded = [...parts].map((part) => foldFunctions(part.map(([, run]) => run)))
  return folded.reduce((best, one) => (outweighs(one, best) ? one : best))
}

function foldFunctions(runs: readonly FunctionRun[]): LineRun {
  const active = runs.filter(({ state }) => state !== 'not run')
  const last = (active.length > 0 ? active : runs).reduce((best, one) =>
    one.entry.at >= best.entry.at ? one : best,
  )
  const state = active.length === 0 ? 'not run' : runs.every((run) => run.state === 'ran') ? 'ran' : 'partly'
  // An evaluation that was needed is named.
  const entry = active.find((run) => isByEvaluation(run.entry))?.entry ?? last.entry
  return { state, entry, hasIdleFunction: active.length > 0 && active.length < runs.length }
}

type FindText = (part: FunctionEntry) => number | undefined

/** By how many lines the functions of another content have moved. One line alone is no function that could be told from others: it moves with the
 * one around it. */
function createOffsetFinder(version: readonly RunEntry[], findText: FindText): FindText {
  const isLong = ({ firstLine, lastLine }: FunctionEntry) => lastLine > firstLine
  const around = version.flatMap(({ functions }) => functions).filter(isLong)
  return (part) => {
    if (isLong(part)) return findText(part)
    const own = around.filter(
      ({ firstLine, lastLine }) => firstLine <= part.firstLine && lastLine >= part.lastLine,
    )
    return own.map(findText).find((offset) => offset !== undefined)
  }
}

/** Finds by how many lines a function has moved; undefined where its text is not there once. */
function createTextFinder(content: string): FindText {
  const texts = splitLines(content)
  const hashes = new Map<number, ReadonlyMap<string, number>>()
  // Each length of functions is looked up once for a file.
  const placesOf = (length: number): ReadonlyMap<string, number> => {
    const known = hashes.get(length)
    if (known) return known
    const places = new Map<string, number>()
    for (let start = 0; start + length <= texts.length; start++) {
      const hash = hashText(texts.slice(start, start + length).join('\n'))
      places.set(hash, places.has(hash) ? SEVERAL : start + 1)
    }
    hashes.set(length, places)
    return places
  }
  return ({ firstLine, lastLine, text }) => {
    const place = placesOf(lastLine - firstLine + 1).get(text) ?? SEVERAL
    return place === SEVERAL ? undefined : place - firstLine
  }
}

const SEVERAL = 0
