// Looking at a page after a failure: a small picture, and the elements that come closest to a missing target. Each part has the
// same little time, and says why it is missing when that was not enough.

import type { Page } from 'playwright'
import type { CdpSession } from '../playwright/cdp-session.ts'
import { messageOf } from '../playwright/errors.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { readPageTitle } from '../tab/title-and-url.ts'
import { takeCandidateTree } from './aria-snapshot.ts'
import { readImageSize } from '../../core/evidence/image-size.ts'
import { findClosestElements } from '../../core/snapshot/closest-elements.ts'
import { redactTree } from '../../core/redaction/tree-redaction.ts'
import { linesOf } from '../../core/snapshot/snapshot-lines.ts'
import type { Candidate, FailureView, SecretHooks } from '../../runtime/ports/browsers.ts'
import type { Image } from '../../runtime/ports/page.ts'

const LONG_SIDE = 1024
const BYTES = 60_000

export async function captureFailureView(
  page: Page,
  cdp: CdpSession | undefined,
  wanted: { readonly maximumPixels: number; readonly target?: string },
  ms: number,
  secrets: SecretHooks | undefined,
): Promise<FailureView> {
  const missing: Record<string, string> = {}
  const part = async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> => {
    const done = await settleWithin(ms, work())
    if (done instanceof Error) missing[name] = messageOf(done).slice(0, 200)
    if (done === undefined) missing[name] = `the page did not return it within ${ms} ms`
    return done instanceof Error ? undefined : done
  }
  const { maximumPixels, target } = wanted
  const [title, image, candidates] = await Promise.all([
    part('title', () => readPageTitle(page)),
    maximumPixels > 0 ? part('screenshot', () => photograph(page, cdp, maximumPixels)) : undefined,
    target === undefined ? undefined : part('candidates', () => candidatesFor(page, target, secrets)),
  ])
  return {
    missing,
    ...(title !== undefined && { title }),
    ...(image && { image }),
    ...(candidates && { candidates }),
  }
}

async function candidatesFor(
  page: Page,
  target: string,
  secrets: SecretHooks | undefined,
): Promise<readonly Candidate[]> {
  const tree = await takeCandidateTree(page)
  const redacted = secrets ? redactTree(tree, secrets.text, new Set()) : tree
  return findClosestElements(target, linesOf(redacted))
}

// Chromium scales while it takes the picture; another engine takes it whole, and at a lower quality.
async function photograph(page: Page, cdp: CdpSession | undefined, maximumPixels: number): Promise<Image> {
  for (const quality of [60, 30, 10]) {
    const bytes = cdp
      ? await small(cdp, quality, maximumPixels)
      : await page.screenshot({ type: 'jpeg', quality: quality / 2, scale: 'css' })
    if (bytes.length <= BYTES || quality === 10)
      return { bytes, mimeType: 'image/jpeg', ...readImageSize(bytes) }
  }
  throw new Error('no picture')
}

async function small(cdp: CdpSession, quality: number, maximumPixels: number): Promise<Uint8Array> {
  const { cssVisualViewport, visualViewport } = await cdp.send('Page.getLayoutMetrics')
  const { pageX: x, pageY: y, clientWidth: width, clientHeight: height } = cssVisualViewport
  const density = visualViewport.clientWidth / width
  const longest = LONG_SIDE / Math.max(width, height)
  const scale = Math.min(1, Math.min(longest, Math.sqrt(maximumPixels / width / height)) / density)
  const clip = { x, y, width, height, scale }
  const { data } = await cdp.send('Page.captureScreenshot', {
    format: 'jpeg',
    quality,
    clip,
    optimizeForSpeed: true,
  })
  return Buffer.from(data, 'base64')
}
