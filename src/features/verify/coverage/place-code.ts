// Which functions of a script have code of the sources that are asked for, and where each piece of it is in these. It does not depend on counts.

import { buildRegion } from './build-region.ts'
import { functionsIn, type OwnCode } from './functions-in.ts'
import { parseScript } from './parse-script.ts'
import type { Region } from './regions.ts'

interface Position {
  readonly line: number
  readonly column: number
}

interface Place extends Position {
  readonly source: string
}

export type FindPlaces = (
  positions: readonly Position[],
) => readonly (Place | undefined)[] | Promise<readonly (Place | undefined)[]>

interface PlacedFunction {
  readonly own: OwnCode
  /** By the offset in the script. */
  readonly places: ReadonlyMap<number, Place>
}

export interface PlacedCode {
  readonly isModule: boolean
  /** The whole script first, if some of its own code is of the sources. */
  readonly functions: readonly PlacedFunction[]
  /** What is counted of a function within one of these. */
  ownOf(node: OwnCode['node']): OwnCode | undefined
}

/** Undefined if it is no JavaScript. */
export async function placeCode(
  source: string,
  findPlaces: FindPlaces,
  isWanted: (source: string) => boolean,
): Promise<PlacedCode | undefined> {
  const program = parseScript(source)
  if (!program) return undefined
  const lineOf = createLineFinder(source)
  const firsts: Firsts = new Map()
  const functions: PlacedFunction[] = []
  const owns = functionsIn(program.tree, source.length)
  for (const own of owns) {
    const offsets = [...offsetsIn(buildRegion(own, { source, at: none, of: none }, program.isModule))]
    const positions = offsets.map(lineOf)
    const placesHere = await findPlaces(positions)
    const places = new Map<number, Place>()
    for (const [index, offset] of offsets.entries()) {
      const place = placesHere[index]
      if (!place || !isWanted(place.source)) continue
      places.set(offset, place)
      noteFirst(firsts, place, offset, positions[index]?.line ?? 0, own)
    }
    if (places.size > 0) functions.push({ own, places })
  }
  const isOfInner = findInner(firsts)
  const ownFunctions = functions.map(({ own, places }) => ({
    own,
    places: new Map([...places].filter(([, place]) => !isOfInner(place, own))),
  }))
  const placed = ownFunctions.filter(({ places }) => places.size > 0)
  const isPlaced = new Set(placed.map(({ own }) => own))
  const inner = owns.filter((own) => isPlaced.has(own) || dropCode(own))
  const byNode = new Map(inner.map((own) => [keyOf(own.node), own]))
  return { isModule: program.isModule, functions: placed, ownOf: (node) => byNode.get(keyOf(node)) }
}

// --- internal ---

const none = () => 0

function* offsetsIn({ steps }: Region): Generator<number> {
  for (const step of steps) {
    if (step.kind === 'code') yield step.offset
    if ('region' in step) yield* offsetsIn(step.region)
    if ('between' in step) yield* offsetsIn(step.between)
  }
}

interface First {
  offset: number
  owns: OwnCode[]
}
/** By the place, then by the line of the script. */
type Firsts = Map<string, Map<number, First>>

const keyOfPlace = ({ source, line, column }: Place) => `${line}:${column} ${source}`

// What follows in a line without a place of its own has the place of what comes before.
function noteFirst(firsts: Firsts, place: Place, offset: number, line: number, own: OwnCode): void {
  const key = keyOfPlace(place)
  const byLine = firsts.get(key) ?? new Map<number, First>()
  firsts.set(key, byLine)
  const first = byLine.get(line)
  if (!first || offset < first.offset) byLine.set(line, { offset, owns: [own] })
  else if (offset === first.offset) first.owns.push(own)
}

/** Whether a place in the code of a function is that of a function within it: what a compiler adds, such as an import or the registration of a
 * component, often has such a place. */
function findInner(firsts: Firsts): (place: Place, own: OwnCode) => boolean {
  const ownsByPlace = new Map(
    [...firsts].map(([key, byLine]) => [
      key,
      [...new Set([...byLine.values()].flatMap(({ owns }) => owns))].sort((a, b) => a.start - b.start),
    ]),
  )
  return (place, { start, end }) => {
    const owns = ownsByPlace.get(keyOfPlace(place)) ?? []
    let [low, high] = [0, owns.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((owns[middle]?.start ?? 0) < start) low = middle + 1
      else high = middle
    }
    // Functions lie within each other or side by side, so that few of those that begin here are no inner ones.
    for (let at = low; (owns[at]?.start ?? end) < end; at += 1) {
      const other = owns[at]
      if (other && other.end <= end && other.end - other.start < end - start) return true
    }
    return false
  }
}

/** Frees what is never read again: the code of other sources. Whether something is left. */
function dropCode({ node }: OwnCode): boolean {
  if ('length' in node) return true
  if (node.type === 'Program') return false
  Object.assign(node, { params: [], body: undefined })
  return true
}

/** The fields of a class are gathered anew each time. */
const keyOf = (node: OwnCode['node']) => ('length' in node ? (node[0] ?? node) : node)

/** Lines and columns from 1. */
function createLineFinder(source: string): (offset: number) => Position {
  const starts = [0]
  for (const { 0: end, index } of source.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) starts.push(index + end.length)
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
