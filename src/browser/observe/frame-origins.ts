// Where frames are in the viewport of their page, so that the boxes of their elements can be given there.

import type { Locator, Page } from 'playwright'
import { readFrameOrigin } from '../in-page/dom/frame-origin.ts'
import { placeFrame } from '../../core/snapshot/element-boxes.ts'
import type { AriaTree } from '../../core/snapshot/snapshot-lines.ts'

const ORIGIN_TIMEOUT_MS = 3000

/** The tree of the frame with this ref, with its boxes in the viewport of the frame's parent. */
export async function placeFrameTree(page: Page, ref: string, tree: AriaTree): Promise<AriaTree> {
  const frame = page.locator(`aria-ref=${ref}`)
  return placeFrame(tree, await frame.evaluate(readFrameOrigin, undefined, { timeout: ORIGIN_TIMEOUT_MS }))
}

/** The tree of an element with its boxes in the viewport of the page, whatever frame it is in. */
export async function placeElementTree(locator: Locator, tree: AriaTree): Promise<AriaTree> {
  const element = await locator.elementHandle({ timeout: ORIGIN_TIMEOUT_MS })
  let frame = await element?.ownerFrame()
  await element?.dispose()
  let placed = tree
  for (let parent = frame?.parentFrame(); frame && parent; frame = parent, parent = frame.parentFrame()) {
    const frameElement = await frame.frameElement()
    placed = placeFrame(placed, await frameElement.evaluate(readFrameOrigin))
    await frameElement.dispose()
  }
  return placed
}
