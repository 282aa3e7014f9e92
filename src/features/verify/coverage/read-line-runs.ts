// From what V8 counted in a script to the lines of its sources that ran. A line is said to have run only where the counters prove it.

import type { SourceMap } from '../../sources/parse-map.ts'
import { buildRegion } from './build-region.ts'
import { countAt, type FunctionCoverage, indexCounts } from './counts.ts'
import { functionsIn, type OwnCode } from './functions-in.ts'
import { parseScript } from './parse-script.ts'
import { type CodeStep, type Passes, type Region, resolveRegion } from './regions.ts'

/** One script as V8 counted it (Profiler.ScriptCoverage with `callCount` and `detailed`), with its text. */
export interface CountedScript {
  readonly url: string
  readonly source: string
  readonly functions: readonly FunctionCoverage[]
  /** Whether it is known that no exception was thrown in the page meanwhile, caught or not: then what follows a call ran too. */
  readonly isWithoutExceptions?: boolean
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
}

/** The functions of each source, by its name in the map; undefined if the script cannot be program. */
export async function readLineRuns(
  script: CountedScript,
  map?: Pick<SourceMap, 'findAll'>,
): Promise<ReadonlyMap<string, readonly FunctionRuns[]> | undefined> {
  const functions = readCodeRuns(script)
  if (!functions) return undefined
  const lineOf = createLineFinder(script.source)
  const positions = functions.flatMap(({ runs }) => runs.map(({ offset }) => lineOf(offset)))
  const places = map ? await map.findAll(positions) : positions.map((at) => ({ ...at, source: script.url }))
  const isOfInner = findInner(functions, positions, places)
  const bySource = new Map<string, FunctionRuns[]>()
  let index = 0
  for (const { own, runs } of functions) {
    const lines = new Map<string, LineNotes>()
    for (const run of runs) {
      const place = places[index++]
      if (!place || isOfInner(place, own)) continue
      const notes = lines.get(place.source) ?? new Map()
      lines.set(place.source, notes)
      noteRun(notes, place.line, run)
    }
    for (const [source, notes] of lines)
      bySource.set(source, [...(bySource.get(source) ?? []), summarize(notes)])
  }
  return bySource
}

// --- internal ---

interface CodeRun extends CodeStep {
  readonly passes: Passes
  readonly region: Region
}

interface LineNote {
  readonly regions: Set<Region>
  readonly passes: Passes[]
}
type LineNotes = Map<number, LineNote>

interface FunctionCode {
  readonly own: OwnCode
  readonly runs: readonly CodeRun[]
}

function readCodeRuns({
  source,
  functions,
  isWithoutExceptions = false,
}: CountedScript): readonly FunctionCode[] | undefined {
  const program = parseScript(source)
  if (!program) return undefined
  const owns = functionsIn(program.tree, source.length)
  const findCounts = indexCounts(functions)
  const counts = new Map(owns.map((own) => [keyOf(own.node), findCounts(own)]))
  return owns.map((own) => {
    const counted = counts.get(keyOf(own.node))
    const counters = {
      source,
      at: (offset: number) => (counted ? countAt(counted, offset) : 0),
      of: (node: OwnCode['node']) => counts.get(keyOf(node))?.ranges[0]?.count ?? 0,
    }
    const region = buildRegion(own, counters, program.isModule)
    const entryCount = counted?.ranges[0]?.count ?? 0
    const runs: CodeRun[] = []
    resolveRegion(
      region,
      { least: entryCount, most: entryCount },
      {
        note: (step, passes, within) => runs.push({ ...step, passes, region: within }),
        mayThrow: !isWithoutExceptions,
      },
    )
    return { own, runs }
  })
}

// What a compiler adds, such as an import or the registration of a component, often has the place of something within a function.
function findInner(
  functions: readonly FunctionCode[],
  positions: readonly { readonly line: number }[],
  places: readonly (Place | undefined)[],
) {
  // What follows in a line without a place of its own has the place of what comes before.
  const firsts = new Map<string, { readonly place: string; offset: number; readonly owns: Set<OwnCode> }>()
  let index = 0
  for (const { own, runs } of functions)
    for (const { offset } of runs) {
      const [position, place] = [positions[index], places[index]]
      index += 1
      if (!place) continue
      const key = `${position?.line} ${keyOfPlace(place)}`
      const first = firsts.get(key) ?? { place: keyOfPlace(place), offset, owns: new Set() }
      firsts.set(key, first)
      if (offset < first.offset) first.owns.clear()
      first.offset = Math.min(first.offset, offset)
      if (offset === first.offset) first.owns.add(own)
    }
  const owns = new Map<string, Set<OwnCode>>()
  for (const { place, owns: some } of firsts.values())
    owns.set(place, new Set([...(owns.get(place) ?? []), ...some]))
  /** Whether a place in the code of a function is that of a function within it. */
  return (place: Place, { start, end }: OwnCode): boolean =>
    [...(owns.get(keyOfPlace(place)) ?? [])].some(
      (other) => start <= other.start && other.end <= end && other.end - other.start < end - start,
    )
}

interface Place {
  readonly source: string
  readonly line: number
  readonly column: number
}

const keyOfPlace = ({ source, line, column }: Place) => `${line}:${column} ${source}`

/** The fields of a class are gathered anew each time. */
const keyOf = (node: OwnCode['node']) => ('length' in node ? (node[0] ?? node) : node)

// An exception in the middle of a line takes nothing from what began: of the code of a line that is evaluated in one go, only what
// comes first counts, and each statement.
function noteRun(notes: LineNotes, line: number, { isStatement, passes, region }: CodeRun): void {
  const note = notes.get(line) ?? { regions: new Set(), passes: [] }
  notes.set(line, note)
  if (isStatement || !note.regions.has(region)) note.passes.push(passes)
  note.regions.add(region)
}

function summarize(notes: LineNotes): FunctionRuns {
  const lines = [...notes.keys()].sort((a, b) => a - b)
  const passesOf = (line: number) => notes.get(line)?.passes ?? []
  const ran = lines.filter((line) => passesOf(line).every(({ least }) => least > 0))
  const notRun = lines.filter((line) => passesOf(line).every(({ most }) => most === 0))
  const partly = lines.filter((line) => !ran.includes(line) && !notRun.includes(line))
  return { firstLine: lines[0] ?? 0, lastLine: lines.at(-1) ?? 0, ran, partly, notRun }
}

/** Lines and columns from 1. */
function createLineFinder(source: string): (offset: number) => { line: number; column: number } {
  const starts = [0]
  for (const { index } of source.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) {
    const length = source.startsWith('\r\n', index) ? 2 : 1
    starts.push(index + length)
  }
  return (offset) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}
