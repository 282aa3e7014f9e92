// The evidence of a failure: a small screenshot, and the elements that come closest to a missing target. Each part has the same short
// time, and a reason why it is missing if that was not enough.

import type { Locator, Page } from 'playwright'
import type { Failure } from '../../core/base/failure.ts'
import { readImageSize } from '../../core/base/image-plan.ts'
import type { Image } from '../../core/base/image.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import type { CdpSession } from '../../core/browser/playwright/cdp-session.ts'
import { messageOf } from '../../core/browser/playwright/errors.ts'
import { evaluateTarget, locatorOfDescription, locatorOfRef } from '../../core/browser/playwright/locator.ts'
import { takePictureAlone } from '../../core/browser/playwright/picture-queue.ts'
import { takeCandidateTree } from '../../core/browser/snapshot/aria-snapshot.ts'
import { readPageTitle } from '../../core/browser/tab/tab.ts'
import type {
  FailureView,
  FailureViewOptions,
  SecretHooks,
  ViewedCandidate,
} from '../../core/sessions/types/browsers.ts'
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

export async function captureFailureView(
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
  const [title, image, candidates, origin] = await Promise.all([
    capture('title', () => readPageTitle(page)),
    maximumPixels > 0 ? capture('screenshot', () => captureImage(page, cdp, maximumPixels)) : undefined,
    target === undefined
      ? undefined
      : capture('candidates', () => findCandidates(page, target, timeoutMs, secrets)),
    element === undefined ? undefined : findOriginOf(page, element, timeoutMs),
  ])
  return { missing, title, image, candidates, origin }
}

// --- internal ---

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
export async function addErrorOverlay(page: Page, failure: Failure): Promise<Failure> {
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
