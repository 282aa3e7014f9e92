// What is known of the cause of a difference: the line that a note of the framework or a stack names, and a changed style rule that matches the
// element. A text or a file name that fits is no evidence.

import type { FilePosition } from '../../../core/sessions/types/sources.ts'
import { type ChangedFile, changedSelectors, placeNow } from '../../lib/changes/changed-file.ts'

export interface Evidence {
  /** The version that `source` is of. */
  readonly side: 'base' | 'current'
  /** Where the element is written by the note of its framework, or where the message comes from by its stack. */
  readonly source?: FilePosition | undefined
  /** The changed style rules that match the element, where its look differs. */
  readonly selectors?: readonly string[]
}

export interface Cause {
  /** A place of the current version. */
  readonly file?: string
  readonly line?: number
  /** Undefined where the cause is not known. */
  readonly inDiff?: boolean
}

export function judgeCause(
  { source, side, selectors = [] }: Evidence,
  changed: readonly ChangedFile[],
): Cause {
  for (const file of changed)
    for (const { selector, line } of changedSelectors(file))
      if (selectors.includes(selector)) return { file: file.path, line, inDiff: true }
  const nothingChanged = changed.length === 0 && { inDiff: false }
  if (!source) return { ...nothingChanged }
  const own = changed.find(({ path }) => path === source.file)
  const place = own && source.line !== undefined ? placeNow(own, source.line, side) : { line: source.line }
  return {
    file: source.file,
    // A file that was deleted has no line.
    ...(place.line !== undefined && place.line > 0 && { line: place.line }),
    ...('isChanged' in place && place.isChanged && { inDiff: true }),
    ...nothingChanged,
  }
}
