// The pictures of a tab of a browser that does not say when a page changes: screenshots, which are compared.

import type { Page } from 'playwright'
import { readImageSize } from '../../../core/base/image-plan.ts'
import { createDeferred, settleWithin } from '../../../core/base/system/settle-within.ts'
import { JPEG_QUALITY, type Picture, type PictureSource } from './picture.ts'

const SCREENSHOT_TIMEOUT_MS = 5000
/** Between two screenshots of a page on which nothing is done. */
const IDLE_INTERVAL_MS = 1000

/** No screenshot is taken while the page is blocked. */
export function openScreenshots(page: Page, isBlocked: () => boolean): PictureSource {
  let newest: Picture | undefined
  let last: Picture | undefined
  let change = createDeferred()
  const noteAction = () => change.resolve()
  page.on('framenavigated', noteAction)
  async function make(): Promise<void> {
    change = createDeferred()
    const picture = isBlocked() ? undefined : await takeScreenshot(page, JPEG_QUALITY)
    if (!picture || (last && Buffer.compare(picture.bytes, last.bytes) === 0)) return
    last = newest = picture
  }

  return {
    async take(_, run) {
      newest = undefined
      await run(make)
      if (!newest) await settleWithin(IDLE_INTERVAL_MS, change.promise)
      return newest
    },
    noteAction,
    stop: () => void page.off('framenavigated', noteAction),
  }
}

/** A picture of what a window would show. */
export async function takeScreenshot(page: Page, quality: number): Promise<Picture | undefined> {
  const size = page.viewportSize()
  const options = {
    type: 'jpeg',
    quality,
    scale: 'css',
    caret: 'initial',
    timeout: SCREENSHOT_TIMEOUT_MS,
  } as const
  const bytes = await settleWithin(SCREENSHOT_TIMEOUT_MS, page.screenshot(options))
  if (!bytes || bytes instanceof Error) return undefined
  return { bytes, ...(size ?? readImageSize(bytes)) }
}
