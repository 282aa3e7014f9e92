// Source maps, parsed with trace-mapping, which is loaded with the first one.

import type { SourceMapInput, TraceMap } from '@jridgewell/trace-mapping'
import type { DocumentType } from '../../core/base/files/files.ts'
import { openDocument } from '../../core/base/files/open-document.ts'
import { err, ok } from '../../core/base/result.ts'
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

/** The error: it is no map, or one of another version of the script. */
export const sourceMap: DocumentType<MapText, MapQuestion, MapAnswer, 'unusable'> = {
  name: 'source-map',
  sharesThread: true,
  isKept: true,
  isSmall: ({ json }) => json.length <= SMALL_MAP_CHARS,
  async open({ json, lineCount }) {
    const { AnyMap, decodedMappings, originalPositionFor, sourceContentFor } =
      await import('@jridgewell/trace-mapping')
    const map = readMap(json, (input) => {
      const trace = new AnyMap(input)
      return decodedMappings(trace).length <= lineCount ? trace : undefined
    })
    if (!map) return err('unusable')
    return ok((question) => {
      if ('names' in question) return map.resolvedSources.filter(Boolean).join('\n')
      if ('contentOf' in question) return sourceContentFor(map, question.contentOf) ?? undefined
      return question.positions.map(({ line, column }) => {
        if (line < 1 || column < 1) return undefined
        const position = originalPositionFor(map, { line, column: column - 1 })
        return position.source === null
          ? undefined
          : { source: position.source, line: position.line, column: position.column + 1 }
      })
    })
  },
}

/** Parses a map of a script with `lineCount` lines; undefined if it is not usable for that. */
export async function parseSourceMap(json: string, lineCount: number): Promise<SourceMap | undefined> {
  const map = await openDocument(sourceMap, { json, lineCount }, PARSE_TIMEOUT_MS)
  if (!map.ok) return undefined
  const { ask, close } = map.value
  const findAll: SourceMap['findAll'] = async (positions) =>
    ((await ask({ positions })) ?? []) as readonly (MappedPosition | undefined)[]
  return {
    find: async (position) => (await findAll([position]))[0],
    findAll,
    sources: async () => String((await ask({ names: 'sources' })) ?? '').split('\n'),
    contentOf: async (source) => (await ask({ contentOf: source })) as string | undefined,
    close,
  }
}

// --- internal ---

/** They take about 5 ms. */
const SMALL_MAP_CHARS = 300_000
const PARSE_TIMEOUT_MS = 10_000

// A page may send anything as a map.
function readMap(json: string, read: (input: SourceMapInput) => TraceMap | undefined): TraceMap | undefined {
  try {
    // Some servers put this in front against inclusion as a script.
    const input: unknown = JSON.parse(json.replace(/^\)\]\}'[^\n]*\n/, ''))
    return typeof input === 'object' && input !== null ? read(input as SourceMapInput) : undefined
  } catch {
    return undefined
  }
}
