// The last snapshot that the client saw: the changes since then, and the elements of refs that no longer exist.

import { createBoundedMap } from '../bounded-collections.ts'
import { describeChanges } from './compare-snapshots.ts'
import { compactLines } from './compact-lines.ts'
import { isLayerChanging, visibleLines } from './modal-layers.ts'
import { linesOf, markFocus, textOf, type SnapshotLine, type AriaTree } from './snapshot-lines.ts'

/** Changes of the page as a text; `unentered` leaves out the values that the caller entered. */
export interface Changes {
  readonly changes: string
  readonly unentered: string
}

interface DescribeOptions {
  readonly isSeen?: boolean
  readonly enteredTexts?: readonly string[]
  /** Whether another element that has the focus is a change. */
  readonly movesFocus?: boolean
}

export interface LastSnapshot {
  /** Records a snapshot of the whole page. */
  record(tree: AriaTree): readonly SnapshotLine[]
  readonly isRecorded: boolean
  /** Whether a modal layer started to open or to close since the last snapshot. */
  isLayerChanging(tree: AriaTree): boolean
  /** Describes the changes since the last snapshot; `tree` becomes the last one, unless the client may not see the description. */
  describeChanges(tree: AriaTree, maxChars: number, options?: DescribeOptions): Changes
  /** The last snapshot as text. */
  text(): string
  /** The element of an earlier ref, such as `button "Save"`. */
  describeRef(ref: string): string | undefined
}

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
    text: () => textOf(compactLines(visibleLines(markFocus(lastLines ?? [])))),
    describeRef: (ref) => refs.get(ref),
  }
}
