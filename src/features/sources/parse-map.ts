// Source maps, parsed with trace-mapping, which is loaded with the first one.

import type { TraceMap } from '@jridgewell/trace-mapping'
import type { DocumentType } from '../../core/base/files/files.ts'
import { openDocument } from '../../core/base/files/open-document.ts'
import { ok, type Result } from '../../core/base/result.ts'
import { type MapRefusal, type MeasuredMap, measureMap } from './measure-map.ts'
import type { ScriptPosition } from './script-positions.ts'

/** Finds the position in a source, as the map names it, with the text of the source if the map has it. */
export interface SourceMap {
  find(position: MapPosition): Promise<MappedPosition | undefined>
  /** Those of many positions, in their order. */
  findAll(positions: readonly MapPosition[]): Promise<readonly (MappedPosition | undefined)[]>
  /** The text of a source. */
  contentOf(source: string): Promise<string | undefined>
  /** The names of all. */
  sources(): Promise<readonly string[]>
  close(): void
}

type MapPosition = Pick<ScriptPosition, 'line' | 'column'>

interface MappedPosition {
  readonly source: string
  readonly line: number
  readonly column: number
}

interface MapText {
  readonly json: string
  readonly lineCount: number
}

type MapQuestion =
  | { readonly contentOf: string }
  | { readonly positions: readonly MapPosition[] }
  | { readonly names: 'sources' }

type MapAnswer = readonly (MappedPosition | undefined)[] | string | undefined

export const sourceMap: DocumentType<MapText, MapQuestion, MapAnswer, MapRefusal> = {
  name: 'source-map',
  sharesThread: true,
  isKept: true,
  isSmall({ json, lineCount }) {
    if (json.length > SMALL_MAP_CHARS) return false
    const measured = measureMap(json, lineCount)
    return !measured.ok || measured.value.size <= SMALL_MAP_SIZE
  },
  async open({ json, lineCount }) {
    const measured = measureMap(json, lineCount)
    if (!measured.ok) return measured
    const { originalPositionFor } = await import('@jridgewell/trace-mapping')
    const { resolvedSources, sourcesContent } = await decode(measured.value)
    const contents = new Map(resolvedSources.map((source, index) => [source, sourcesContent?.[index]]))
    return ok(async (question) => {
      if ('names' in question) return [...contents.keys()].filter(Boolean).join('\n')
      if ('contentOf' in question) return contents.get(question.contentOf) ?? undefined
      const trace = await decode(measured.value)
      return question.positions.map(({ line, column }) => {
        if (line < 1 || column < 1) return undefined
        const place = originalPositionFor(trace, { line, column: column - 1 })
        // What a map says of its sources may be anything.
        return typeof place.source === 'string' && place.line > 0
          ? { source: place.source, line: place.line, column: place.column + 1 }
          : undefined
      })
    })
  },
}

/** Parses a map of `script`; undefined where its text is not known. */
export async function parseSourceMap(
  json: string,
  script: string | undefined,
): Promise<Result<SourceMap, MapRefusal | 'unreadable'>> {
  const lineCount = script === undefined ? Infinity : countLines(script)
  const map = await openDocument(sourceMap, { json, lineCount }, PARSE_TIMEOUT_MS)
  if (!map.ok) return map
  const { ask, close } = map.value
  const findAll: SourceMap['findAll'] = async (positions) =>
    ((await ask({ positions })) ?? []) as readonly (MappedPosition | undefined)[]
  return ok({
    find: async (position) => (await findAll([position]))[0],
    findAll,
    sources: async () => String((await ask({ names: 'sources' })) ?? '').split('\n'),
    contentOf: async (source) => (await ask({ contentOf: source })) as string | undefined,
    close,
  })
}

// --- internal ---

/** They take about 5 ms. */
const SMALL_MAP_CHARS = 300_000
const SMALL_MAP_SIZE = 60_000
const PARSE_TIMEOUT_MS = 10_000
const DECODED_LIMIT = 1_500_000

/** The maps of all sessions that were decoded last: together not above the limit, unless there is only one. */
const decoded = new Map<MeasuredMap, TraceMap>()

async function decode(map: MeasuredMap): Promise<TraceMap> {
  const { AnyMap, decodedMappings } = await import('@jridgewell/trace-mapping')
  const trace = decoded.get(map) ?? new AnyMap(map.input)
  decodedMappings(trace)
  decoded.delete(map)
  decoded.set(map, trace)
  let total = 0
  for (const known of [...decoded.keys()].reverse())
    if ((total += known.size) > DECODED_LIMIT && known !== map) decoded.delete(known)
  return trace
}

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
