// The evidence of a failure: a small screenshot, and the elements that come closest to a missing target. Each part has the same short
// time, and a reason why it is missing if that was not enough.

import type { Locator, Page } from 'playwright'
import type { ElementName } from '../../core/base/action.ts'
import type { Failure } from '../../core/base/failure.ts'
import type { Box } from '../../core/base/geometry.ts'
import { readImageSize } from '../../core/base/image-plan.ts'
import type { Image } from '../../core/base/image.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import type { PageParts } from '../../core/browser/page/page-parts.ts'
import type { PageFeature } from '../../core/browser/page/performers.ts'
import type { CdpSession } from '../../core/browser/playwright/cdp-session.ts'
import { messageOf } from '../../core/browser/playwright/errors.ts'
import { evaluateTarget, locatorOfDescription, locatorOfRef } from '../../core/browser/playwright/locator.ts'
import { takePictureAlone } from '../../core/browser/playwright/picture-queue.ts'
import { takeCandidateTree } from '../../core/browser/snapshot/aria-snapshot.ts'
import { readPageTitle, type Tab } from '../../core/browser/tab/tab.ts'
import type { SecretHooks } from '../../core/sessions/types/browsers.ts'
import type { ElementOrigin } from '../../core/sessions/types/sources.ts'
import { findClosestElements } from '../../core/snapshot/closest-elements.ts'
import { linesOf } from '../../core/snapshot/snapshot-lines.ts'
import { redactTree } from '../../core/snapshot/tree-redaction.ts'
import { readElementOrigin } from '../sources/element-origin.ts'
import { readOverlay } from './in-page/generated.ts'

const SIDE_LIMIT_PX = 1024
const IMAGE_LIMIT_BYTES = 60_000
const JPEG_QUALITIES = [60, 30, 10]
const REASON_LIMIT_CHARS = 200

declare module '../../core/sessions/types/page.ts' {
  interface FeaturePage {
    /** Gathers the view within `ms` milliseconds: a screenshot, unless `maximumPixels` is 0, the elements closest to a missing `target`, and the
     * origin of an `element` that is there. If the browser cannot scale, the screenshot has more pixels. */
    viewFailure(options: FailureViewOptions, ms: number): Promise<FailureView>
  }
}

interface FailureViewOptions {
  readonly maximumPixels: number
  readonly target?: string
  readonly element?: string
}

/** The view of a page after a failure. `missing` has the reason for each missing part. */
export interface FailureView {
  readonly title?: string
  readonly image?: Image
  readonly candidates?: readonly ViewedCandidate[]
  /** What is noted about the source of the element that the failed call acted on. */
  readonly origin?: ElementOrigin
  /** Where it is in the picture, in parts of its size. */
  readonly targetBox?: Box
  readonly missing: Readonly<Record<string, string>>
}

/** An element that may be the intended one; its ref is valid. */
export interface ViewedCandidate extends ElementName {
  readonly origin?: ElementOrigin
}

export const createFailureView = ({ tabs, dialogs, redaction, secrets }: PageParts): PageFeature => ({
  explainFailure: addErrorOverlay,
  members: {
    async viewFailure(options, timeoutMs) {
      const openDialog = dialogs.current()
      if (openDialog) return { missing: { screenshot: `a ${openDialog.type} dialog is open` } }
      const tab = tabs.active()
      const capture = async () =>
        captureFailureView(tab.page, await tab.recovery.cdp, options, timeoutMs, secrets)
      if (options.maximumPixels <= 0) return capture()
      const missing = { page: `it did not report its secret fields within ${timeoutMs} ms` }
      return (await redaction.withMasks(tab, timeoutMs, capture)) ?? { missing }
    },
  },
})

// --- internal ---

async function captureFailureView(
  page: Page,
  cdp: CdpSession | undefined,
  { maximumPixels, target, element }: FailureViewOptions,
  timeoutMs: number,
  secrets: SecretHooks | undefined,
): Promise<FailureView> {
  const missing: Record<string, string> = {}
  const capture = async <T>(part: string, work: () => Promise<T>): Promise<T | undefined> => {
    const result = await settleWithin(timeoutMs, work())
    if (result instanceof Error) missing[part] = messageOf(result).slice(0, REASON_LIMIT_CHARS)
    if (result === undefined) missing[part] = `the page did not return it within ${timeoutMs} ms`
    return result instanceof Error ? undefined : result
  }
  const [title, image, candidates, origin, targetBox] = await Promise.all([
    capture('title', () => readPageTitle(page)),
    maximumPixels > 0 ? capture('screenshot', () => captureImage(page, cdp, maximumPixels)) : undefined,
    target === undefined
      ? undefined
      : capture('candidates', () => findCandidates(page, target, timeoutMs, secrets)),
    element === undefined ? undefined : findOriginOf(page, element, timeoutMs),
    element === undefined || maximumPixels <= 0 ? undefined : findBoxOf(page, element, timeoutMs),
  ])
  return { missing, title, image, candidates, origin, ...(targetBox && { targetBox }) }
}

async function findCandidates(
  page: Page,
  target: string,
  timeoutMs: number,
  secrets: SecretHooks | undefined,
): Promise<readonly ViewedCandidate[]> {
  const tree = await takeCandidateTree(page)
  const redactedTree = secrets ? redactTree(tree, secrets.redactText, new Set()) : tree
  return Promise.all(
    findClosestElements(target, linesOf(redactedTree)).map(async (candidate) => {
      const origin = await findOrigin(locatorOfRef(page, candidate.ref), timeoutMs / 2)
      return { ...candidate, origin }
    }),
  )
}

async function findOriginOf(
  page: Page,
  element: string,
  timeoutMs: number,
): Promise<ElementOrigin | undefined> {
  const locator = await locatorOfDescription(page, element)
  return locator.ok ? findOrigin(locator.value, timeoutMs) : undefined
}

async function findBoxOf(page: Page, element: string, timeoutMs: number): Promise<Box | undefined> {
  const [locator, viewport] = [await locatorOfDescription(page, element), page.viewportSize()]
  if (!locator.ok || !viewport) return undefined
  const box = await settleWithin(timeoutMs, locator.value.boundingBox({ timeout: timeoutMs }))
  if (!box || box instanceof Error) return undefined
  const { width, height } = viewport
  return { x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height }
}

// An element that is gone or not alone has none.
async function findOrigin(locator: Locator, timeoutMs: number): Promise<ElementOrigin | undefined> {
  const origin = await settleWithin(timeoutMs, readElementOrigin(locator, timeoutMs))
  return origin instanceof Error ? undefined : origin
}

// Chromium scales the screenshot itself; the other engines return it in full size, so its quality is lower.
async function captureImage(page: Page, cdp: CdpSession | undefined, maximumPixels: number): Promise<Image> {
  for (const quality of JPEG_QUALITIES) {
    const bytes = cdp
      ? await takePictureAlone(page, () => captureScaledJpeg(cdp, quality, maximumPixels))
      : await page.screenshot({ type: 'jpeg', quality: quality / 2, scale: 'css' })
    if (bytes.length <= IMAGE_LIMIT_BYTES || quality === JPEG_QUALITIES.at(-1))
      return { bytes, mimeType: 'image/jpeg', ...readImageSize(bytes) }
  }
  throw new Error('no picture')
}

async function captureScaledJpeg(
  cdp: CdpSession,
  quality: number,
  maximumPixels: number,
): Promise<Uint8Array> {
  const { cssVisualViewport, visualViewport } = await cdp.send('Page.getLayoutMetrics')
  const { pageX: x, pageY: y, clientWidth: width, clientHeight: height } = cssVisualViewport
  const devicePixelRatio = visualViewport.clientWidth / width
  const scaleForSide = SIDE_LIMIT_PX / Math.max(width, height)
  const scaleForPixels = Math.sqrt(maximumPixels / width / height)
  const scale = Math.min(1, Math.min(scaleForSide, scaleForPixels) / devicePixelRatio)
  const { data } = await cdp.send('Page.captureScreenshot', {
    format: 'jpeg',
    quality,
    clip: { x, y, width, height, scale },
    optimizeForSpeed: true,
  })
  return Buffer.from(data, 'base64')
}

// The error overlays of dev servers and frameworks. An element that is missing or covered on such a page has that error as its cause.
const READ_TIMEOUT_MS = 500
const MESSAGE_LENGTH = 500
const ROOT = { selector: 'html' }

/** The failure with the error of the page's overlay, if there is one. */
async function addErrorOverlay(failure: Failure, { page }: Tab): Promise<Failure> {
  switch (failure.code) {
    case 'ELEMENT_NOT_FOUND':
    case 'ELEMENT_NOT_CLICKABLE':
    case 'ELEMENT_NOT_EDITABLE':
    case 'TIMEOUT': {
      const overlay = await settleWithin(
        READ_TIMEOUT_MS,
        evaluateTarget({ locator: page.locator(ROOT.selector), target: ROOT }, readOverlay, MESSAGE_LENGTH),
      )
      return overlay && !(overlay instanceof Error) ? { ...failure, overlay } : failure
    }
    default:
      return failure
  }
}
