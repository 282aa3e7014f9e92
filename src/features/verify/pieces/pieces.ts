// What of a change can run or be shown: the lines that are added, and the places of what was removed.

import type { ChangedPath, RemovedLines } from '../change/changed-path.ts'
import { isCode, readStructure } from '../source/source-structure.ts'
import type { SourceStructure } from '../source/structure.ts'

export interface Pieces {
  /** Undefined where the text has no parser. */
  readonly structure: SourceStructure | undefined
  /** Whether its language runs, or styles. */
  readonly isCode: boolean
  /** Whether nothing differs but comments, blank space and types. */
  readonly isEmpty: boolean
  readonly lines: readonly number[]
  readonly removals: readonly RemovedLines[]
}

/** The pieces of a path that is not gone. */
export function piecesOf(file: ChangedPath): Pieces {
  const { path, from = path, change, content, baseContent, lines } = file
  const structure = structureOf(path, content)
  const before = structureOf(from, change === 'added' ? '' : baseContent)
  const isSame = isSameText(file) || (before !== undefined && structure?.describe() === before.describe())
  const coded = isSame ? [] : lines.filter(codeFilterOf(structure, content, lines))
  const wasCode = codeFilterOf(before, baseContent, [])
  const removals = isSame ? [] : file.removals.flatMap((removal) => countCode(removal, wasCode) ?? [])
  const isBlank = structure === undefined && lines.length > 0 && coded.length + removals.length === 0
  const isEmpty = (isSame || isBlank) && change !== 'renamed'
  return { structure, isCode: isCode(path), isEmpty, lines: coded, removals }
}

// --- internal ---

const structureOf = (path: string, content: string | undefined): SourceStructure | undefined =>
  content === undefined ? undefined : readStructure(path, withoutMark(content))

const withoutMark = (content: string): string => content.replace(/^\uFEFF/, '')

/** A bracket alone is a piece where nothing else of the same edit is. */
function codeFilterOf(
  structure: SourceStructure | undefined,
  content: string | undefined,
  edited: readonly number[],
): (line: number) => boolean {
  if (!structure) {
    const texts = withoutMark(content ?? '').split(LINE_END)
    return (line) => content === undefined || (texts[line - 1] ?? '').trim() !== ''
  }
  const { codeLines, bracketLines } = structure
  const isFull = (line: number) => codeLines.has(line) && !bracketLines.has(line)
  const groups = new Map<number, { hasCode: boolean }>()
  for (const line of edited) {
    const group = groups.get(line - 1) ?? { hasCode: false }
    groups.set(line, group)
    if (isFull(line)) group.hasCode = true
  }
  return (line) => isFull(line) || (codeLines.has(line) && groups.get(line)?.hasCode !== true)
}

const LINE_END = /\r\n?|\n/

const isSameText = ({ content, baseContent }: ChangedPath): boolean =>
  content !== undefined && content.replaceAll('\r\n', '\n') === baseContent?.replaceAll('\r\n', '\n')

function countCode(removal: RemovedLines, hadCode: (line: number) => boolean): RemovedLines | undefined {
  const lines = Array.from({ length: removal.count }, (_, index) => removal.oldLine + index)
  const count = lines.filter(hadCode).length
  return count > 0 ? { ...removal, count } : undefined
}
