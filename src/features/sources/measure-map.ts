// A source map is measured by what it unfolds to before anything of it is decoded: 160 characters can stand for ten million lines. What is
// handed on has only what is read of a map, and nothing of another type.

import { err, ok, type Result } from '../../core/base/result.ts'
import { hasFewValues } from '../../core/base/text/json-size.ts'
import { isRecord, parseJson } from '../../core/base/text/json.ts'

declare const isMeasured: unique symbol

/** A map that takes little more than its own text when it is decoded. */
export interface MeasuredMap {
  readonly [isMeasured]: true
  readonly input: PlainMap | IndexMap
  /** The lines and positions that decoding makes of it. */
  readonly size: number
}

interface PlainMap {
  version: 3
  names: []
  sources: (string | null)[]
  sourcesContent: (string | null)[]
  sourceRoot?: string
  mappings: string
}

interface IndexMap {
  version: 3
  sections: { offset: Offset; map: PlainMap | IndexMap }[]
}

interface Offset {
  readonly line: number
  readonly column: number
}

/** `unusable`: no map, or one of another script. `tooLarge`: the figure that is above its limit, such as `12,000,000 lines`. */
export type MapRefusal = 'unusable' | { readonly tooLarge: string }

/** The map of a script with `lineCount` lines; Infinity where its text is not known. */
export function measureMap(json: string, lineCount: number): Result<MeasuredMap, MapRefusal> {
  if (json.length > LIMITS.characters) return err(tooLarge('characters', json.length))
  if (!hasFewValues(new TextEncoder().encode(json), VALUE_LIMIT))
    return err({ tooLarge: `more than ${format(VALUE_LIMIT)} values` })
  const sums: Sums = { lines: 0, mappings: 0, sources: 0, characters: 0 }
  // Some servers put this in front against inclusion as a script.
  const input = readMap(
    parseJson(json.replace(/^\)\]\}'[^\n]*\n/, '')),
    sums,
    { line: 0, column: 0 },
    Infinity,
  )
  const exceeded = (Object.keys(sums) as (keyof Sums)[]).find((name) => sums[name] > LIMITS[name])
  if (exceeded) return err(tooLarge(exceeded, sums[exceeded]))
  if (!input || sums.lines > lineCount) return err('unusable')
  return ok({ input, size: sums.lines + sums.mappings } as MeasuredMap)
}

// --- internal ---

/** Of all sections together. `lines`: up to the last one; `characters`: of the resolved names of the sources and of their contents. */
type Sums = Record<'lines' | 'mappings' | 'sources' | 'characters', number>

/** Those of a bundle of 5 MB are a quarter of these. */
const LIMITS: Readonly<Sums> = {
  lines: 500_000,
  mappings: 1_000_000,
  sources: 50_000,
  characters: 40_000_000,
}
const VALUE_LIMIT = 500_000
const DEPTH_LIMIT = 8

const format = (count: number): string => count.toLocaleString('en-US')

const tooLarge = (name: keyof Sums, count: number): MapRefusal => ({ tooLarge: `${format(count)} ${name}` })

/** `origin` is the place of the map in its script; what it has after `lastLine` belongs to the next section. */
function readMap(
  value: unknown,
  sums: Sums,
  origin: Offset,
  lastLine: number,
  depth = 0,
): PlainMap | IndexMap | undefined {
  if (!isRecord(value) || depth > DEPTH_LIMIT) return undefined
  const { sections, mappings } = value
  if (Array.isArray(sections)) return readSections(sections, sums, origin, lastLine, depth)
  const names = readSources(value, sums)
  if (!names || typeof mappings !== 'string') return undefined
  sums.lines = Math.max(sums.lines, Math.min(origin.line + countSeparators(mappings, sums), lastLine) + 1)
  return { version: 3, names: [], mappings, ...names }
}

function readSections(
  values: readonly unknown[],
  sums: Sums,
  origin: Offset,
  lastLine: number,
  depth: number,
): IndexMap | undefined {
  const offsets = values.map((value) => (isRecord(value) ? readOffset(value['offset']) : undefined))
  const sections: IndexMap['sections'] = []
  for (const [index, offset] of offsets.entries()) {
    const next = offsets[index + 1]
    if (!offset || (next && !isBefore(offset, next))) return undefined
    const place = { line: origin.line + offset.line, column: origin.column + offset.column }
    sums.lines = Math.max(sums.lines, place.line + 1)
    const end = next ? Math.min(lastLine, origin.line + next.line) : lastLine
    const map = readMap((values[index] as { map?: unknown }).map, sums, place, end, depth + 1)
    if (!map) return undefined
    sections.push({ offset, map })
  }
  return { version: 3, sections }
}

const isBefore = (a: Offset, b: Offset): boolean =>
  a.line < b.line || (a.line === b.line && a.column <= b.column)

function readOffset(value: unknown): Offset | undefined {
  const { line, column } = isRecord(value) ? value : {}
  return isPlace(line) && isPlace(column) ? { line, column } : undefined
}

const isPlace = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const isText = (value: unknown): value is string | null => typeof value === 'string' || value === null

/** The root is put before each source. */
function readSources(
  { sources, sourcesContent, sourceRoot }: Readonly<Record<string, unknown>>,
  sums: Sums,
): Pick<PlainMap, 'sources' | 'sourcesContent' | 'sourceRoot'> | undefined {
  const contents = sourcesContent ?? []
  if (!Array.isArray(sources) || !Array.isArray(contents)) return undefined
  if (![...sources, ...contents].every(isText) || !isText(sourceRoot ?? null)) return undefined
  const root = (sourceRoot ?? '') as string
  sums.sources += sources.length
  for (const text of [...sources, ...contents] as (string | null)[]) sums.characters += text?.length ?? 0
  sums.characters += sources.length * root.length
  return { sources, sourcesContent: contents, ...(root !== '' && { sourceRoot: root }) }
}

const [SEMICOLON, COMMA] = [59, 44]

/** Adds the positions of `mappings` and returns the number of its line breaks. */
function countSeparators(mappings: string, sums: Sums): number {
  let [lines, commas] = [0, 0]
  for (let at = 0; at < mappings.length; at += 1) {
    const char = mappings.charCodeAt(at)
    if (char === SEMICOLON) lines += 1
    else if (char === COMMA) commas += 1
  }
  // Each line has one position more than it has commas, unless it is empty.
  sums.mappings += Math.min(lines + commas + 1, mappings.length - lines)
  return lines
}
