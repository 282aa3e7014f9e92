// The maps of scripts that have no source map, but a file.

import type { SourceMap } from './parse-map.ts'
import { findSourceLine } from '../../core/source/module-lines.ts'

/** Each position of a file that is served as it is. */
export const createSameMap = (text: string): SourceMap => ({
  find: async ({ line, column }) => ({ source: '', line, column }),
  contentOf: async () => text,
  close: () => {},
})

/** The lines of a module that are the same in its file. webpack changes parts of lines, so the column is not known. */
export const createLineMap = (code: string, text: string): SourceMap => ({
  async find({ line }) {
    const sourceLine = findSourceLine(code, text, line)
    return sourceLine === undefined ? undefined : { source: '', line: sourceLine, column: 1 }
  },
  contentOf: async () => text,
  close: () => {},
})
