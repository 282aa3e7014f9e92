// What the agent was last shown of a page, so that it can be told what changed since, and what a ref was that is gone.

import { createBoundedMap } from '../limits/bounded-map.ts'
import { describeChanges } from './changes.ts'
import { isLayerChanging, visibleLines } from './modal-layers.ts'
import { linesOf, textOf, type SnapshotLine, type AriaTree } from './snapshot-lines.ts'

export interface LastSnapshot {
  /** Remembers a look at the whole page. */
  record(tree: AriaTree): readonly SnapshotLine[]
  /** Whether the agent has looked at all. */
  readonly isRecorded: boolean
  /** Whether a layer has begun to open or to close since the last look. */
  isLayerChanging(tree: AriaTree): boolean
  /** What changed since the last look, which this one becomes. */
  describeChanges(tree: AriaTree, maxChars: number): string
  /** The whole of the last look. */
  text(): string
  /** What an earlier ref stood for, such as `button "Save"`. */
  describeRef(ref: string): string | undefined
}

const REF_LIMIT = 20_000

export function createLastSnapshot(): LastSnapshot {
  let last: readonly SnapshotLine[] | undefined
  const refs = createBoundedMap<string, string>(REF_LIMIT)
  const remember = (lines: readonly SnapshotLine[]) => {
    last = lines
    for (const { ref, role, name } of lines) {
      if (ref !== undefined) refs.set(ref, `${role} ${JSON.stringify(name.slice(0, 80))}`)
    }
    return lines
  }
  // A tree is asked about more than once.
  let lately: { readonly tree: AriaTree; readonly lines: readonly SnapshotLine[] } | undefined
  const read = (tree: AriaTree) => {
    if (lately?.tree !== tree) lately = { tree, lines: linesOf(tree) }
    return lately.lines
  }
  return {
    record: (tree) => remember(read(tree)),
    get isRecorded() {
      return last !== undefined
    },
    isLayerChanging: (tree) => last !== undefined && isLayerChanging(last, read(tree)),
    describeChanges(tree, maxChars) {
      const before = last ?? []
      return describeChanges(before, remember(read(tree)), maxChars)
    },
    text: () => textOf(visibleLines(last ?? [])),
    describeRef: (ref) => refs.get(ref),
  }
}
