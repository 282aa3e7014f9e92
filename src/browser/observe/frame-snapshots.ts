// The accessibility tree of a page and its frames, each with one message where what stands behind Playwright's client can be reached.

import type { Locator, Page } from 'playwright'
import type { AriaJson } from '../playwright/injected-script.ts'
import { ariaTree } from '../in-page/observe/aria-tree.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { AriaTree } from '../../core/snapshot/snapshot-lines.ts'

const FRAME_TIMEOUT_MS = 3000
// Playwright's script travels into each frame that is read, through the one process that all sessions share.
const FRAMES_MAX = 50
const FRAMES_AT_ONCE = 5
const UNREAD = `not read, because the page has more than ${FRAMES_MAX} frames; take a snapshot of its ref`

interface Wanted {
  readonly depth?: number
  readonly first: boolean
}

/** How many more frames may be read. */
interface Budget {
  frames: number
}

/** The tree of what the locator finds. Undefined where it has to be asked of Playwright's client: it explains what is wrong. */
export async function snapshotWithFrames(
  page: Page,
  locator: Locator,
  wanted: Wanted,
  budget: Budget = { frames: FRAMES_MAX },
): Promise<AriaTree | undefined> {
  const told = await evaluateInternally(locator, ariaTree, wanted)
  if (told?.result === undefined) return undefined
  const { json, iframeRefs, iframeDepths } = JSON.parse(told.result) as AriaJson
  const frames = new Map<string, AriaTree>()
  const read = async (ref: string) => {
    const depth = wanted.depth && wanted.depth - (iframeDepths[ref] ?? 0) - 1
    if (!(ref in iframeDepths) || (depth !== undefined && depth < 1)) return
    if ((budget.frames -= 1) < 0) return void frames.set(ref, [UNREAD])
    const body = page.locator(`aria-ref=${ref} >> internal:control=enter-frame >> body,frameset`)
    const inner = snapshotWithFrames(
      page,
      body,
      { first: true, ...(depth !== undefined && { depth }) },
      budget,
    )
    const tree = await settleWithin(FRAME_TIMEOUT_MS, inner)
    if (tree && !(tree instanceof Error)) frames.set(ref, tree)
  }
  for (let from = 0; from < iframeRefs.length; from += FRAMES_AT_ONCE)
    await Promise.all(iframeRefs.slice(from, from + FRAMES_AT_ONCE).map(read))
  return frames.size === 0 ? (json as AriaTree) : withFrames(json as AriaTree, frames)
}

const withFrames = (tree: AriaTree, frames: ReadonlyMap<string, AriaTree>): AriaTree =>
  tree.map((node) => {
    if (typeof node === 'string') return node
    const inner = node.role === 'iframe' ? frames.get(node.ref ?? '') : undefined
    if (inner) return { ...node, children: inner }
    return node.children ? { ...node, children: withFrames(node.children, frames) } : node
  })
