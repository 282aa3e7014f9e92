import type { Change } from '../change/read-change.ts'
import type { ChangedLines } from './judge-flows.ts'

/** The lines of a change that a test can meet: those that are added or changed, and those beside removed ones. */
export function changedLinesOf({ files, removals }: Change): readonly ChangedLines[] {
  const byPath = new Map<string, ChangedLines>(files.map((file) => [file.path, file]))
  for (const { path, besides, editedAt } of removals) {
    const lines = [...(byPath.get(path)?.lines ?? []), ...besides]
    byPath.set(path, {
      path,
      lines: [...new Set(lines)].toSorted((a, b) => a - b),
      ...(editedAt !== undefined && { editedAt }),
    })
  }
  return [...byPath.values()]
}
