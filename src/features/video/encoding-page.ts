// A page that draws and encodes a video, so that no program has to be installed. It has a context of its own, so that it is no tab of the
// session; its address is made up, because encoders exist in secure contexts only, and every request of it is answered here.

import type { Browser, BrowserContext, Page } from 'playwright'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import type { Size } from '../../core/base/geometry.ts'
import { IMAGE_LIMIT_BYTES, LONG_SIDE_LIMIT_PIXELS, readImageSize } from '../../core/base/image-plan.ts'
import type { Image } from '../../core/base/image.ts'
import { err, ok } from '../../core/base/result.ts'
import { attempt, browserError } from '../../core/browser/playwright/errors.ts'
import { chooseMoments, formatTime, type Moment, planSheet, SHEET_FONT_PIXELS } from './contact-sheet.ts'
import type { DrawnFrame } from './in-page/draw-frame.ts'
import type { EncodedChunk } from './in-page/encode-video.ts'
import { drawSheet, encodeFrame, finishEncoding, openEncoder } from './in-page/generated.ts'
import type { MaskedPicture } from './masked-picture.ts'
import { type EncodedFrame, VIDEO_COLORS } from './webm.ts'

export interface VideoFrame extends Pick<DrawnFrame, 'point' | 'isPressed' | 'caption'> {
  readonly picture: MaskedPicture
}

/** Its functions reject if the browser is gone. */
export interface EncodingPage {
  readonly width: number
  readonly height: number
  /** Returns the frames that are encoded by now. */
  add(frame: VideoFrame, time: number, isKey: boolean): Promise<readonly EncodedFrame[]>
  /** Returns those that are left. */
  finish(): Promise<readonly EncodedFrame[]>
  drawSheet(moments: readonly Moment<VideoFrame>[]): Promise<Image>
  close(): Promise<void>
}

const ADDRESS = 'https://video.footlight.invalid/'
const BLANK_DOCUMENT = { contentType: 'text/html', body: '<!doctype html><title>Video</title>' }
const VIDEO_SIDE_LIMIT_PIXELS = 1280
const CAPTION_HEIGHT_PIXELS = 40
const CAPTION_FONT_PIXELS = 20
/** So that plain areas keep their colors. */
const BITS_PER_PIXEL = 3

const NO_ENCODER: Failure = {
  code: 'BROWSER_ERROR',
  text: 'this browser cannot encode a video: it has no WebCodecs encoder for VP8',
  next: 'Use Chromium, or Firefox 130 or newer. In every browser report has a picture after each action.',
}

/** Opens the page for pictures like `first`. Fails with BROWSER_ERROR if the browser cannot encode. */
export async function openEncodingPage(
  browser: Browser,
  first: MaskedPicture,
): Promise<Outcome<EncodingPage>> {
  const context = await attempt(browser.newContext({ serviceWorkers: 'block' }), browserError)
  if (!context.ok) return context
  const close = () => context.value.close().catch(() => {})
  const size = chooseSize(first)
  const page = await attempt(loadPage(context.value), browserError)
  const isOpen = page.ok
    ? await attempt(
        page.value.evaluate(openEncoder, { ...size, bitrate: size.width * size.height * BITS_PER_PIXEL }),
        browserError,
      )
    : page
  if (page.ok && isOpen.ok && isOpen.value) return ok({ ...size, ...createEncoding(page.value, size), close })
  await close()
  return isOpen.ok ? err(NO_ENCODER) : isOpen
}

// --- internal ---

async function loadPage(context: BrowserContext): Promise<Page> {
  await context.route('**/*', (route) =>
    route.request().url() === ADDRESS ? route.fulfill(BLANK_DOCUMENT) : route.abort(),
  )
  const page = await context.newPage()
  await page.goto(ADDRESS)
  return page
}

/** The size of the picture, within the limit, with the caption below it. Encoders want even numbers. */
function chooseSize({ bytes }: MaskedPicture): Size {
  const { width, height } = readImageSize(bytes)
  const scale = Math.min(1, VIDEO_SIDE_LIMIT_PIXELS / Math.max(width, height))
  const even = (pixels: number) => Math.max(2, 2 * Math.round((pixels * scale) / 2))
  return { width: even(width), height: even(height) + CAPTION_HEIGHT_PIXELS }
}

const createEncoding = (page: Page, size: Size): Pick<EncodingPage, 'add' | 'finish' | 'drawSheet'> => ({
  async add(frame, time, isKey) {
    const input = {
      frame: drawnFrameOf(frame),
      time,
      isKey,
      captionSize: { height: CAPTION_HEIGHT_PIXELS, fontSize: CAPTION_FONT_PIXELS },
      colorSpace: VIDEO_COLORS,
    }
    return (await page.evaluate(encodeFrame, input)).map(toFrame)
  },
  finish: async () => (await page.evaluate(finishEncoding)).map(toFrame),
  async drawSheet(moments) {
    const chosen = chooseMoments(moments).map(({ time, frame }) =>
      drawnFrameOf({ ...frame, caption: `${formatTime(time)}  ${frame.caption}` }),
    )
    const picture = { ...size, height: size.height - CAPTION_HEIGHT_PIXELS }
    const captionChars = Math.max(...chosen.map(({ caption }) => caption.length))
    const plan = planSheet(chosen.length, picture, LONG_SIDE_LIMIT_PIXELS, captionChars)
    const { width, height, captionHeight } = plan
    const cells = chosen.flatMap((frame, index) => {
      const box = plan.cells[index]
      return box ? [{ frame, box }] : []
    })
    const base64 = await page.evaluate(drawSheet, {
      width,
      height,
      cells,
      captionSize: { height: captionHeight, fontSize: SHEET_FONT_PIXELS },
      maximumBytes: IMAGE_LIMIT_BYTES,
    })
    return { bytes: Buffer.from(base64, 'base64'), mimeType: 'image/jpeg', width, height }
  },
})

const drawnFrameOf = ({ picture: { bytes, ...picture }, ...frame }: VideoFrame): DrawnFrame => ({
  ...picture,
  ...frame,
  jpeg: Buffer.from(bytes).toString('base64'),
})

const toFrame = ({ data, ...frame }: EncodedChunk): EncodedFrame => ({
  ...frame,
  bytes: Buffer.from(data, 'base64'),
})
