// The refs that clients get. Playwright numbers the elements of each document anew, so that another tab, another session and, without
// Playwright's internals, another document would have the same refs. Here each element has a number of its owner's series.

import type { BrowserContext, Page } from 'playwright'
import type { AriaTree } from '../../sessions/types/snapshot.ts'

interface PageRefs {
  /** By the refs of Playwright, and the other way round; the oldest first. */
  readonly numbered: Map<string, string>
  readonly originals: Map<string, string>
}

const REF_LIMIT = 20_000

const numberings = new WeakMap<BrowserContext, () => number>()
const pages = new WeakMap<Page, PageRefs>()

/** Numbers the refs of a context with `next`. */
export const numberRefs = (context: BrowserContext, next: () => number): void =>
  void numberings.set(context, next)

/** The ref that clients get for one of Playwright. */
export function sessionRefOf(page: Page, original: string): string {
  const refs = refsOf(page)
  const known = refs.numbered.get(original)
  // The leading zero says how an element is clicked.
  const ref = known ?? `${/e0\d+$/.test(original) ? 'e0' : 'e'}${nextNumber(page.context())}`
  refs.numbered.delete(original)
  refs.numbered.set(original, ref)
  if (known === undefined) refs.originals.set(ref, original)
  if (refs.numbered.size > REF_LIMIT) dropOldest(refs)
  return ref
}

/** The ref of Playwright for one that a client got; undefined for one of another tab or session. */
export const playwrightRefOf = (page: Page, ref: string): string | undefined =>
  pages.get(page)?.originals.get(ref)

/** The tree, which is changed, with the refs that clients get. */
export function renumberRefs(page: Page, tree: AriaTree): AriaTree {
  for (const node of tree) {
    if (typeof node === 'string') continue
    if (node.ref !== undefined) Object.assign(node, { ref: sessionRefOf(page, node.ref) })
    if (node.children) renumberRefs(page, node.children)
  }
  return tree
}

// --- internal ---

function refsOf(page: Page): PageRefs {
  const refs = pages.get(page) ?? { numbered: new Map(), originals: new Map() }
  pages.set(page, refs)
  return refs
}

function nextNumber(context: BrowserContext): number {
  const next = numberings.get(context) ?? createCounter()
  numberings.set(context, next)
  return next()
}

function createCounter(): () => number {
  let last = 0
  return () => (last += 1)
}

function dropOldest({ numbered, originals }: PageRefs): void {
  for (const [original, ref] of numbered) {
    numbered.delete(original)
    originals.delete(ref)
    return
  }
}
