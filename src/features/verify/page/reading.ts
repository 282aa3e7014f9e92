// What a reading of a page yields: the scripts and styles that came from files that were changed, with what V8 and Blink say of them.

import type { SourceMap } from '../../sources/parse-map.ts'
import type { FunctionCoverage } from '../coverage/counts.ts'
import type { StyleLines } from './style-lines.ts'

/** Without `isBlockCoverage` a count above 0 says that the function was called, not which of its branches ran: no reading has such a one. */
export interface CountedFunction extends FunctionCoverage {
  readonly isBlockCoverage: boolean
}

interface CountedScript {
  readonly url: string
  readonly source: string
  readonly functions: readonly CountedFunction[]
}

/** `source`: the name in the source map, empty for a file that is served as it is; `file`: relative to the work tree; `content`: of what the
 * script was made, undefined where its map does not have it. */
export interface WantedSource {
  readonly source: string
  readonly file: string
  readonly content: string | undefined
}

export interface ReadScript {
  readonly script: CountedScript
  /** `json` is its text. */
  readonly map?: { readonly json: string; readonly sourceMap: SourceMap }
  readonly sources: readonly WantedSource[]
}

/** The rules of a sheet that came from a file, by the lines of that file. */
export interface ReadStyle extends StyleLines {
  readonly file: string
  readonly content: string
}

/** A file of which nobody counts lines; `content` is the hash of its bytes. */
export interface ReceivedFile {
  readonly file: string
  readonly content: string
}

export interface Reading {
  readonly scripts: readonly ReadScript[]
  readonly styles: readonly ReadStyle[]
  readonly received: readonly ReceivedFile[]
}
