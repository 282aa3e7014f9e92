// The function for the tree is large, so a document keeps it: only the first snapshot sends its text. Runs in Playwright's world.

import type { AriaInjected, AriaSnapshotState, AriaTreeOptions } from '../../playwright/injected-script.ts'
import type { ElementMatches } from '../dom/element-arguments.ts'

type TakeTree = AriaSnapshotState['takeTree']

/** The tree as `ariaTree` returns it, by the function that the document has kept; null if it has none. */
export function takeAriaTree(matches: ElementMatches, options: AriaTreeOptions): string | undefined | null {
  const { footlight } = matches.injected as unknown as AriaInjected
  return footlight ? footlight.takeTree(matches, options) : null
}

interface Dependencies {
  createAriaState(aria: AriaInjected): Omit<AriaSnapshotState, 'takeTree'>
  ariaTree: TakeTree
}

/** The same with the text of the function, which the document keeps. */
export function installAriaTree(
  { createAriaState, ariaTree }: Dependencies,
  matches: ElementMatches,
  options: AriaTreeOptions,
): string | undefined {
  const aria = matches.injected as unknown as AriaInjected
  aria.footlight ??= Object.assign(createAriaState(aria), { takeTree: ariaTree })
  return aria.footlight.takeTree(matches, options)
}
