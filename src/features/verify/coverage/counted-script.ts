// A script as a document: its code is parsed and placed once, each reading of its counts is a question. A large one is read in a thread.

import type { DocumentType } from '../../../core/base/files/files.ts'
import { err, ok } from '../../../core/base/result.ts'
import { sourceMap } from '../../sources/parse-map.ts'
import { buildRegion } from './build-region.ts'
import { indexCounts, type PackedCounts } from './counts.ts'
import type { OwnCode } from './functions-in.ts'
import { type FindPlaces, placeCode, type PlacedCode } from './place-code.ts'
import { type CodeStep, type Passes, type Region, resolveRegion } from './regions.ts'

export interface ScriptInput {
  readonly source: string
  /** Its source map; without one all of it is of the source ''. */
  readonly json?: string
  /** The names in the map of the sources that are asked for. */
  readonly sources: readonly string[]
}

export interface ScriptQuestion {
  readonly counts: PackedCounts
  /** Whether it is known that no exception was thrown meanwhile, caught or not: then what follows a call ran too. */
  readonly isWithoutExceptions: boolean
}

/** Lines of a source from 1. A line is in at most one; those without code are in none. */
interface LineRuns {
  readonly ran: readonly number[]
  /** Some of it ran, or it cannot be known. */
  readonly partly: readonly number[]
  readonly notRun: readonly number[]
}

/** The lines that are a function's own, not those of functions within it; or those of the top level. */
export interface FunctionRuns extends LineRuns {
  readonly firstLine: number
  readonly lastLine: number
  /** The columns, from 1, at which code of the lines that ran partly is that did not run. */
  readonly idle?: readonly (readonly [line: number, columns: readonly number[]])[]
}

export type SourceRuns = readonly (readonly [source: string, functions: readonly FunctionRuns[]])[]

/** The error: its map is none, or it is no JavaScript that can be parsed. */
export const countedScript: DocumentType<ScriptInput, ScriptQuestion, SourceRuns, 'unusable'> = {
  name: 'counted-script',
  sharesThread: true,
  isKept: true,
  isSmall: ({ source, json = '' }) => source.length + json.length <= SMALL_SCRIPT_CHARS,
  async open({ source, json, sources }) {
    const map = json === undefined ? undefined : await sourceMap.open({ json, lineCount: countLines(source) })
    if (map && !map.ok) return err('unusable')
    const findPlaces = (positions: Parameters<FindPlaces>[0]) =>
      map
        ? (map.value({ positions }) as ReturnType<FindPlaces>)
        : positions.map((position) => ({ ...position, source: '' }))
    // Code that is nested too deeply for the stack is not read.
    const code = await placeCode(source, findPlaces, (name) => sources.includes(name)).catch(() => undefined)
    return code ? ok((question) => readRuns(source, code, question)) : err('unusable')
  },
}

// --- internal ---

/** They take about 30 ms. */
const SMALL_SCRIPT_CHARS = 100_000

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

interface LineNote {
  readonly regions: Set<Region>
  readonly passes: Passes[]
  readonly idleColumns: Set<number>
}
type LineNotes = Map<number, LineNote>

function readRuns(
  source: string,
  { functions, isModule, ownOf }: PlacedCode,
  { counts, isWithoutExceptions }: ScriptQuestion,
): SourceRuns {
  const bySource = new Map<string, FunctionRuns[]>()
  const findCounts = indexCounts(counts)
  const of = (node: OwnCode['node']) => {
    const own = ownOf(node)
    return own ? (findCounts(own)?.count ?? 0) : 0
  }
  for (const { own, places } of functions) {
    const counted = findCounts(own)
    const entry = counted?.count ?? 0
    const counters = { source, at: (offset: number) => counted?.at(offset) ?? 0, of }
    const notes = new Map<string, LineNotes>()
    const note = (step: CodeStep, passes: Passes, region: Region) => {
      const place = places.get(step.offset)
      if (!place) return
      const lines = notes.get(place.source) ?? new Map()
      notes.set(place.source, lines)
      noteRun(lines, place, step, passes, region)
    }
    resolveRegion(
      buildRegion(own, counters, isModule),
      { least: entry, most: entry },
      { note, mayThrow: !isWithoutExceptions },
    )
    for (const [name, lines] of notes) {
      const all = bySource.get(name) ?? []
      bySource.set(name, all)
      all.push(summarize(lines))
    }
  }
  return [...bySource]
}

// An exception in the middle of a line takes nothing from what began: of the code of a line that is evaluated in one go, only what
// comes first counts, and each statement.
function noteRun(
  notes: LineNotes,
  { line, column }: { readonly line: number; readonly column: number },
  { isStatement }: CodeStep,
  passes: Passes,
  region: Region,
): void {
  const note = notes.get(line) ?? { regions: new Set(), passes: [], idleColumns: new Set() }
  notes.set(line, note)
  if (isStatement || !note.regions.has(region)) note.passes.push(passes)
  note.regions.add(region)
  if (passes.most === 0) note.idleColumns.add(column)
}

function summarize(notes: LineNotes): FunctionRuns {
  const lines = [...notes.keys()].sort((a, b) => a - b)
  const [ran, partly, notRun]: [number[], number[], number[]] = [[], [], []]
  for (const line of lines) {
    const passes = notes.get(line)?.passes ?? []
    const state = passes.every(({ least }) => least > 0)
      ? ran
      : passes.every(({ most }) => most === 0)
        ? notRun
        : partly
    state.push(line)
  }
  const idle = partly.flatMap((line): NonNullable<FunctionRuns['idle']> => {
    const columns = notes.get(line)?.idleColumns
    return columns && columns.size > 0 ? [[line, [...columns]]] : []
  })
  const range = { firstLine: lines[0] ?? 0, lastLine: lines.at(-1) ?? 0 }
  return { ...range, ran, partly, notRun, ...(idle.length > 0 && { idle }) }
}
