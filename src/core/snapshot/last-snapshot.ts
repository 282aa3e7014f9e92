// The last snapshot that the client saw: the changes since then, and the elements of refs that no longer exist.

import { createBoundedMap } from '../base/bounded-collections.ts'
import type { AriaTree, LastSnapshot, SnapshotLine } from '../sessions/types/snapshot.ts'
import { compactLines } from './compact-lines.ts'
import { describeChanges } from './compare-snapshots.ts'
import { isLayerChanging, visibleLines } from './modal-layers.ts'
import { linesOf, markFocus, markStates, textOf } from './snapshot-lines.ts'

const REF_LIMIT = 20_000

const focusOf = (lines: readonly SnapshotLine[]) => lines.find(({ isFocused }) => isFocused)?.key

export function createLastSnapshot(): LastSnapshot {
  let lastLines: readonly SnapshotLine[] | undefined
  const refs = createBoundedMap<string, string>(REF_LIMIT)
  const store = (lines: readonly SnapshotLine[]) => {
    lastLines = lines
    for (const { ref, role, name } of lines) {
      if (ref !== undefined) refs.set(ref, `${role} ${JSON.stringify(name.slice(0, 80))}`)
    }
    return lines
  }
  // The same tree is converted more than once.
  let cached: { readonly tree: AriaTree; readonly lines: readonly SnapshotLine[] } | undefined
  const read = (tree: AriaTree) => {
    if (cached?.tree !== tree) cached = { tree, lines: linesOf(tree) }
    return cached.lines
  }
  return {
    record: (tree) => store(read(tree)),
    get isRecorded() {
      return lastLines !== undefined
    },
    recordPart: (part, tree) => void store(mergePart(lastLines ?? [], linesOf(part), read(tree))),
    isLayerChanging: (tree) => lastLines !== undefined && isLayerChanging(lastLines, read(tree)),
    describeChanges(tree, maxChars, { isSeen = true, enteredTexts = [], movesFocus = false } = {}) {
      const before = lastLines ?? []
      const lines = isSeen ? store(read(tree)) : read(tree)
      const after = movesFocus && focusOf(lines) !== focusOf(before) ? markFocus(lines) : lines
      const changes = describeChanges(before, after, maxChars)
      const unentered =
        enteredTexts.length > 0 ? describeChanges(before, after, maxChars, enteredTexts) : changes
      return { changes, unentered }
    },
    text: () => textOf(compactLines(visibleLines(markStates(lastLines ?? [])))),
    describeRef: (ref) => refs.get(ref),
  }
}

// --- internal ---

/** The lines of before, with those of the part as they are now; `now` are all lines. What is new elsewhere is left out, and what has gone
 * elsewhere stays. */
function mergePart(
  before: readonly SnapshotLine[],
  part: readonly SnapshotLine[],
  now: readonly SnapshotLine[],
): readonly SnapshotLine[] {
  const partKeys = new Set(part.map(({ key }) => key))
  const linesBefore = new Map(before.map((line) => [line.key, line]))
  const keysNow = new Set(now.map(({ key }) => key))
  // What has gone follows the line after which it was, unless it was in the part.
  const goneAfter = new Map<string, SnapshotLine[]>()
  let previousKey = ''
  const ancestors: SnapshotLine[] = []
  for (const line of before) {
    while ((ancestors.at(-1)?.depth ?? -1) >= line.depth) ancestors.pop()
    const isInPart = ancestors.some(({ key }) => partKeys.has(key))
    if (keysNow.has(line.key)) previousKey = line.key
    else if (!isInPart) goneAfter.set(previousKey, [...(goneAfter.get(previousKey) ?? []), line])
    ancestors.push(line)
  }
  const merged = now.flatMap((line) => {
    const known = partKeys.has(line.key) ? line : linesBefore.get(line.key)
    return [...(known ? [known] : []), ...(goneAfter.get(line.key) ?? [])]
  })
  return [...(goneAfter.get('') ?? []), ...merged]
}
