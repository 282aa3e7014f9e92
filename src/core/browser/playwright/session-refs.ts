// The refs that clients get. Playwright numbers the elements of each document anew, so that another tab, another session and, without
// Playwright's internals, another document would have the same refs. Here each element has a number of its owner's series.

import type { BrowserContext, Page } from 'playwright'
import type { AriaTree } from '../../sessions/types/snapshot.ts'
import { internalsOf } from './internals.ts'

interface PageRefs {
  /** By the refs of Playwright, and the other way round; the oldest first. */
  readonly numbered: Map<string, string>
  readonly originals: Map<string, string>
}

/** A part of Playwright's server. The refs of a frame begin with its number, those of the first document of the page with none. */
interface ServerFrame {
  seq: number
  parentFrame(): unknown
  readonly _contextData?: ReadonlyMap<
    string,
    { readonly context: { _injectedScriptPromise?: unknown } | null }
  >
  readonly _page: { readonly frameManager: { _allocateFrameSeq(): number } }
}
interface ServerPage {
  readonly frameManager: { frames(): readonly ServerFrame[] }
}
interface ServerContext {
  on(event: 'internalframenavigatedtonewdocument', listener: (frame: ServerFrame) => void): void
}

const REF_LIMIT = 20_000

const numberings = new WeakMap<BrowserContext, () => number>()
const pages = new WeakMap<Page, PageRefs>()

/** Numbers the refs of a context with `next`. */
export function numberRefs(context: BrowserContext, next: () => number): void {
  numberings.set(context, next)
  // Playwright gives a new document of the page another number, but not one of a frame in it.
  internalsOf<Partial<ServerContext>>(context)?.on?.('internalframenavigatedtonewdocument', (frame) => {
    if (!frame.parentFrame()) return
    frame.seq = frame._page.frameManager._allocateFrameSeq()
    // The first document of a frame may take over the window of the empty one, with an injected script that has that one's number.
    for (const { context } of frame._contextData?.values() ?? []) delete context?._injectedScriptPromise
  })
}

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

/** The ref of Playwright for one that a client got; undefined for one of another tab or session, or of a document that is gone. */
export function playwrightRefOf(page: Page, ref: string): string | undefined {
  const original = pages.get(page)?.originals.get(ref)
  const frames = internalsOf<Partial<ServerPage>>(page)?.frameManager?.frames()
  const number = Number(/^f(\d+)/.exec(original ?? '')?.[1] ?? 0)
  return frames && !frames.some(({ seq }) => seq === number) ? undefined : original
}

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
