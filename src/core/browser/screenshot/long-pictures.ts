// Pictures of pages and elements that are too large to be drawn at once: a page of a hundred thousand pixels takes gigabytes. Their first
// part is taken in their place.

import type { Locator, Page } from 'playwright'
import { serverContextOf, serverPageOf, protocolSessionsOf } from '../playwright/context-internals.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import { readArea } from '../in-page/generated.ts'
import type { PictureArea } from '../in-page/page/picture-area.ts'
import type { Size } from '../../base/geometry.ts'

export interface BoundedPicture {
  readonly bytes: Buffer
  /** The size of what it shows the first part of, in its own pixels. */
  readonly cutFrom?: Size
}

interface PictureOptions {
  readonly type: 'png' | 'jpeg'
  /** `css`: a pixel for each CSS pixel, whatever the screen has. */
  readonly scale?: 'css'
}

const LIMIT_PIXELS = 25_000_000
const READ_TIMEOUT_MS = 1000

/** The picture that `take` takes of an element, or of the page for its root; the first part of it where all of it would take too much memory. */
export async function takeWithinLimit(
  element: Locator,
  options: PictureOptions,
  take: () => Promise<Buffer>,
): Promise<BoundedPicture> {
  const reply = await settleWithin(READ_TIMEOUT_MS, evaluateInternally(element, readArea, undefined))
  const area = reply instanceof Error ? undefined : reply?.result
  const part = area && limitArea(area)
  if (!area || part?.height === area.height) return { bytes: await take() }
  const bytes = part && (await takeArea(element.page(), part, options))
  if (!bytes)
    throw new Error(`a picture of ${Math.round(area.height)} px in height would take too much memory`)
  const pixels = options.scale === 'css' ? 1 : area.scale
  const sizeOf = (length: number) => Math.round(length * pixels)
  return { bytes, cutFrom: { width: sizeOf(area.width), height: sizeOf(area.height) } }
}

/** Says what a picture of a part does not show. */
export const describeCut = (whole: Size, part: Size): string =>
  `The whole picture would have ${whole.height} rows of pixels, which takes too much memory: this one has the first ${part.height}. For the rest, scroll and take the viewport, or take an element.`

// --- internal ---

function limitArea(area: PictureArea): PictureArea {
  const { width, scale } = area
  const rowLimit = Math.floor(LIMIT_PIXELS / Math.max(1, width * scale * scale))
  return rowLimit < area.height ? { ...area, height: Math.max(1, rowLimit) } : area
}

/** Undefined where the browser cannot be asked for a part of the document. */
async function takeArea(
  page: Page,
  { scale, ...area }: PictureArea,
  { type, scale: unit }: PictureOptions,
): Promise<Buffer | undefined> {
  const [session] = protocolSessionsOf(page)
  if (session) {
    const clip = { ...area, scale: unit === 'css' ? 1 / scale : 1 }
    const message = {
      format: type,
      clip,
      captureBeyondViewport: true,
      ...(type === 'jpeg' && { quality: 80 }),
    }
    return decode(await session.send('Page.captureScreenshot', message))
  }
  const context = serverPageOf(page)?.delegate._session?.sessionId
  const browser = serverContextOf(page.context())?._browser._browserSession
  if (context === undefined || !browser) return undefined
  const message = {
    context,
    origin: 'document',
    clip: { type: 'box', ...area },
    format: { type: `image/${type}` },
  }
  return decode(await browser.send('browsingContext.captureScreenshot', message))
}

const decode = (answer: unknown): Buffer | undefined => {
  const { data } = (answer ?? {}) as { data?: string }
  return data === undefined ? undefined : Buffer.from(data, 'base64')
}
