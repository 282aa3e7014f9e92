// Where the elements of pins are now. One whose ref is lost, because its page was loaded again, is found by its locator if that is still one element
// of the same page.

import type { Locator, Page } from 'playwright'
import type { Target } from '../../core/base/action.ts'
import type { Box } from '../../core/base/geometry.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { attempt } from '../../core/browser/playwright/errors.ts'
import { evaluateInternally } from '../../core/browser/playwright/internals.ts'
import { evaluateTarget, locatorOfRef } from '../../core/browser/playwright/locator.ts'
import { sessionRefOf } from '../../core/browser/playwright/session-refs.ts'
import { takeAriaSnapshot, takeUnseenTree } from '../../core/browser/snapshot/aria-snapshot.ts'
import { placedElementsOf } from '../../core/snapshot/changed-elements.ts'
import { readRef } from './in-page/generated.ts'
import type { ShownElement } from './in-page/viewed-session.ts'

export interface PinnedElement {
  readonly ref: string
  readonly locator?: { readonly selector: string }
  readonly url: string
}

/** `gone`: the page has no such element. Undefined: the page did not say. */
export type PinPlace = { readonly ref: string; readonly box?: Box } | 'gone' | undefined

export async function findPlaces(
  page: Page,
  pins: readonly PinnedElement[],
  deadline: Deadline,
): Promise<readonly PinPlace[]> {
  const places: PinPlace[] = []
  for (const pin of pins) {
    const place = await settleWithin(deadline.remaining(), findPlace(page, pin))
    places.push(place instanceof Error ? undefined : place)
  }
  return places
}

/** The elements with a name that the viewport shows, in the order of the document. */
export async function listShownElements(page: Page, deadline: Deadline): Promise<readonly ShownElement[]> {
  const tree = await takeAriaSnapshot(page, { boxes: true, isInternal: true }, deadline)
  if (!tree.ok) return []
  const size = await settleWithin(
    deadline.remaining(),
    page.evaluate(() => ({ width: innerWidth, height: innerHeight })),
  )
  if (!size || size instanceof Error) return []
  const isShown = ({ x, y, width, height }: Box) => {
    const [centerX, centerY] = [x + width / 2, y + height / 2]
    return centerX >= 0 && centerY >= 0 && centerX < size.width && centerY < size.height
  }
  return placedElementsOf(tree.value)
    .filter(({ role, name, box }) => isShown(box) && (role !== 'generic' || name !== ''))
    .slice(0, ELEMENT_LIMIT)
    .map(({ ref, role, name, box }) => ({ ref, role, name, box }))
}

export const withoutFragment = (url: string): string => url.replace(/#.*$/, '')

// --- internal ---

const ELEMENT_LIMIT = 1000
const BOX_TIMEOUT_MS = 300

async function findPlace(page: Page, { ref, locator, url }: PinnedElement): Promise<PinPlace> {
  const byRef = locatorOfRef(page, ref)
  const count = await countOf(byRef, { ref })
  if (count === undefined) return undefined
  if (count > 0) return { ref, box: await boxOf(byRef) }
  if (!locator || withoutFragment(page.url()) !== url) return 'gone'
  const bySelector = page.locator(locator.selector)
  if ((await countOf(bySelector, locator)) !== 1) return 'gone'
  const newRef = await refOf(page, bySelector)
  return newRef === undefined ? 'gone' : { ref: newRef, box: await boxOf(bySelector) }
}

/** 0 also while the page loads. */
async function countOf(locator: Locator, target: Target): Promise<number | undefined> {
  const count = await attempt(
    evaluateTarget({ locator, target }, (elements) => elements.length, undefined),
    (error) => error,
  )
  if (count.ok) return count.value
  return /context was destroyed|Frame was detached/.test(count.error.message) ? 0 : undefined
}

async function boxOf(locator: Locator): Promise<Box | undefined> {
  const box = await attempt(locator.boundingBox({ timeout: BOX_TIMEOUT_MS }), () => undefined)
  return box.ok && box.value ? box.value : undefined
}

// A document that was not read yet gives refs with the next snapshot.
async function refOf(page: Page, locator: Locator): Promise<string | undefined> {
  const read = async () => (await evaluateInternally(locator, readRef, undefined))?.result
  let ref = await read()
  if (ref === undefined) {
    await takeUnseenTree(page)
    ref = await read()
  }
  return ref === undefined ? undefined : sessionRefOf(page, ref)
}
