// What the agent was last shown of a page, so that it can be told what changed since, and what a ref was that is gone.

import { changes } from './changes.ts'
import { isTurning, shownLines } from './modal-layers.ts'
import { linesOf, textOf, type Line, type Tree } from './snapshot-lines.ts'

export interface LastSnapshot {
  /** Remembers a look at the whole page. */
  show(tree: Tree): readonly Line[]
  /** Whether the agent has looked at all. */
  readonly shown: boolean
  /** Whether a layer has begun to open or to close since the last look. */
  isTurning(tree: Tree): boolean
  /** What changed since the last look, which this one becomes. */
  since(tree: Tree, maxChars: number): string
  /** The whole of the last look. */
  text(): string
  /** What an earlier ref stood for, such as `button "Save"`. */
  was(ref: string): string | undefined
}

const REFS = 20_000

export function createLastSnapshot(): LastSnapshot {
  let last: readonly Line[] | undefined
  const refs = new Map<string, string>()
  const remember = (lines: readonly Line[]) => {
    last = lines
    for (const { ref, role, name } of lines) {
      if (ref === undefined) continue
      refs.delete(ref)
      refs.set(ref, `${role} ${JSON.stringify(name.slice(0, 80))}`)
    }
    for (const ref of refs.keys()) {
      if (refs.size <= REFS) break
      refs.delete(ref)
    }
    return lines
  }
  // A tree is asked about more than once.
  let lately: { readonly tree: Tree; readonly lines: readonly Line[] } | undefined
  const read = (tree: Tree) => {
    if (lately?.tree !== tree) lately = { tree, lines: linesOf(tree) }
    return lately.lines
  }
  return {
    show: (tree) => remember(read(tree)),
    get shown() {
      return last !== undefined
    },
    isTurning: (tree) => last !== undefined && isTurning(last, read(tree)),
    since(tree, maxChars) {
      const before = last ?? []
      return changes(before, remember(read(tree)), maxChars)
    },
    text: () => textOf(shownLines(last ?? [])),
    was: (ref) => refs.get(ref),
  }
}
