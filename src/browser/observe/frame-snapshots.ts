// The accessibility tree of a page and its frames, each read with one message where Playwright's internals can be reached.

import type { Locator, Page } from 'playwright'
import type { AriaJson } from '../playwright/injected-script.ts'
import { placeFrameTree } from './frame-origins.ts'
import { LISTENER_EVENTS, prepareListenerScan, repeatPreparation } from './listener-scan.ts'
import { ariaTree } from '../in-page/snapshot/aria-tree.ts'
import { createAriaState } from '../in-page/snapshot/aria-state.ts'
import { findClickableElements } from '../in-page/snapshot/clickable-elements.ts'
import { describeIcon } from '../in-page/snapshot/describe-icon.ts'
import { findListeners } from '../in-page/snapshot/find-listeners.ts'
import { requestListeners } from '../in-page/snapshot/listener-reports.ts'
import { createElementPlaces } from '../in-page/snapshot/element-places.ts'
import { createRedrawnElements } from '../in-page/snapshot/redrawn-elements.ts'
import { installAriaTree, takeAriaTree } from '../in-page/snapshot/take-aria-tree.ts'
import { isUnseen } from '../in-page/snapshot/unseen-element.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { AriaTree } from '../../core/snapshot/snapshot-lines.ts'

const composedInstallAriaTree = composeInPage(installAriaTree, {
  createAriaState: composeInPage(createAriaState, { createRedrawnElements, createElementPlaces }),
  ariaTree: composeInPage(ariaTree, {
    describeIcon,
    isUnseen,
    findClickableElements: composeInPage(findClickableElements, {
      requestListeners: composeInPage(requestListeners, { findListeners }),
    }),
  }),
})

const FRAME_TIMEOUT_MS = 3000
// Playwright's injected script is sent to each frame that is read, by the one process that all sessions share.
const FRAME_LIMIT = 50
const FRAMES_AT_ONCE = 5
const SKIPPED_FRAME_NOTE = `not read, because the page has more than ${FRAME_LIMIT} frames; take a snapshot of its ref`

export interface SnapshotOptions {
  readonly depth?: number
  readonly first: boolean
  /** Adds the box of each element, in CSS pixels of the page's viewport. */
  readonly boxes?: boolean
}

/** The number of frames that may still be read. */
interface FrameBudget {
  remaining: number
  /** Whether no snapshot of the page's document was taken before. */
  isFirst: boolean
}

/** The tree of the element that the locator matches. Undefined where Playwright's client has to be used, also to explain an error. */
export async function snapshotWithFrames(
  page: Page,
  locator: Locator,
  options: SnapshotOptions,
  budget: FrameBudget = { remaining: FRAME_LIMIT, isFirst: false },
): Promise<AriaTree | undefined> {
  const isMainFrame = budget.remaining === FRAME_LIMIT
  if (isMainFrame) budget.isFirst = await prepareListenerScan(page)
  const first = await readTree(locator, options, budget)
  const isRepeated = isMainFrame && first?.hasListeners === false && (await repeatPreparation(page))
  const tree = isRepeated ? await readTree(locator, options, budget) : first
  if (!tree) return undefined
  const { json, iframeRefs, iframeDepths } = tree
  const frames = new Map<string, AriaTree>()
  const readFrame = async (ref: string) => {
    const depth = options.depth && options.depth - (iframeDepths[ref] ?? 0) - 1
    if (!(ref in iframeDepths) || (depth !== undefined && depth < 1)) return
    if ((budget.remaining -= 1) < 0) return void frames.set(ref, [SKIPPED_FRAME_NOTE])
    const frameOptions = { ...options, first: true, ...(depth !== undefined && { depth }) }
    const frameTree = await settleWithin(FRAME_TIMEOUT_MS, readFrameTree(page, ref, frameOptions, budget))
    if (frameTree && !(frameTree instanceof Error)) frames.set(ref, frameTree)
  }
  for (let from = 0; from < iframeRefs.length; from += FRAMES_AT_ONCE)
    await Promise.all(iframeRefs.slice(from, from + FRAMES_AT_ONCE).map(readFrame))
  return frames.size === 0 ? (json as AriaTree) : insertFrames(json as AriaTree, frames)
}

async function readFrameTree(
  page: Page,
  ref: string,
  options: SnapshotOptions,
  budget: FrameBudget,
): Promise<AriaTree | undefined> {
  const body = page.locator(`aria-ref=${ref} >> internal:control=enter-frame >> body,frameset`)
  const tree = await snapshotWithFrames(page, body, options, budget)
  return tree && options.boxes ? placeFrameTree(page, ref, tree) : tree
}

async function readTree(
  locator: Locator,
  options: SnapshotOptions,
  { isFirst }: FrameBudget,
): Promise<AriaJson | undefined> {
  const treeOptions = { ...options, events: LISTENER_EVENTS }
  const shortReply = isFirst ? undefined : await evaluateInternally(locator, takeAriaTree, treeOptions)
  const reply =
    shortReply?.result === null || isFirst
      ? await evaluateInternally(locator, composedInstallAriaTree, treeOptions)
      : shortReply
  return reply?.result ? (JSON.parse(reply.result) as AriaJson) : undefined
}

const insertFrames = (tree: AriaTree, frames: ReadonlyMap<string, AriaTree>): AriaTree =>
  tree.map((node) => {
    if (typeof node === 'string') return node
    const frameTree = node.role === 'iframe' ? frames.get(node.ref ?? '') : undefined
    if (frameTree) return { ...node, children: frameTree }
    return node.children ? { ...node, children: insertFrames(node.children, frames) } : node
  })
