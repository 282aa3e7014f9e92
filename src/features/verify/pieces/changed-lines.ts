// The lines of a change that a test can meet: those with code, and those beside removed ones.

import type { ChangedPath } from '../change/changed-path.ts'
import { isDocumentation } from './documentation.ts'
import { piecesOf } from './pieces.ts'

export interface ChangedLines {
  readonly path: string
  /** None where the whole file is meant. */
  readonly lines: readonly number[]
  /** In Unix milliseconds. */
  readonly editedAt?: number | undefined
}

export const changedLinesOf = (files: readonly ChangedPath[]): readonly ChangedLines[] =>
  files.flatMap((file) => {
    const { path, change, content, baseContent, editedAt } = file
    if (isDocumentation(path, content ?? baseContent)) return []
    if (change === 'removed') return { path, lines: [], editedAt }
    const { lines, removals } = piecesOf(file)
    const besides = removals.flatMap(({ line }) => [line - 1, line]).filter((line) => line > 0)
    return { path, lines: [...new Set([...lines, ...besides])].toSorted((a, b) => a - b), editedAt }
  })
