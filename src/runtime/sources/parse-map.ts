// Source maps, parsed with trace-mapping, which is loaded with the first one.

import type { SourceMapInput, TraceMap } from '@jridgewell/trace-mapping'
import type { ScriptPosition } from '../../core/source/script-positions.ts'

/** Finds the position in a source, as the map names it, with the text of the source if the map has it. */
export interface SourceMap {
  find(position: Pick<ScriptPosition, 'line' | 'column'>): MappedPosition | undefined
  /** The names of its sources. */
  readonly sources: readonly string[]
  /** The text of a source. */
  contentOf(source: string): string | undefined
}

export interface MappedPosition {
  readonly source: string
  readonly line: number
  readonly column: number
}

/** Parses a map of a script with `lineCount` lines; undefined if it is no map or one of another version of the script. */
export async function parseSourceMap(json: string, lineCount: number): Promise<SourceMap | undefined> {
  const { AnyMap, decodedMappings, originalPositionFor, sourceContentFor } =
    await import('@jridgewell/trace-mapping')
  const map = readMap(json, (input) => {
    const trace = new AnyMap(input)
    return decodedMappings(trace).length <= lineCount ? trace : undefined
  })
  if (!map) return undefined
  return {
    find({ line, column }) {
      if (line < 1 || column < 1) return undefined
      const position = originalPositionFor(map, { line, column: column - 1 })
      return position.source === null
        ? undefined
        : { source: position.source, line: position.line, column: position.column + 1 }
    },
    sources: map.sources.filter((source) => source !== null),
    contentOf: (source) => sourceContentFor(map, source) ?? undefined,
  }
}

// --- internal ---

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
