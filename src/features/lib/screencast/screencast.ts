// The pictures of a tab of Chromium. A screencast sends what is there when it starts, and each change after that, which costs the browser as
// much as all that the page draws: so it ends with the first picture that is new, and starts again for the next one. A screenshot ends it too.

import type { Page } from 'playwright'
import { createDeferred, settleWithin } from '../../../core/base/system/settle-within.ts'
import type { CdpSession } from '../../../core/browser/playwright/cdp-session.ts'
import {
  takePictureAlone,
  waitForPictures,
  watchPictures,
} from '../../../core/browser/playwright/picture-queue.ts'
import { JPEG_QUALITY, type Picture, type PictureSource } from './picture.ts'

interface ScreencastFrame {
  readonly data: string
  readonly metadata: { readonly deviceWidth: number; readonly deviceHeight: number }
  /** Of the screencast: it grows with each start. */
  readonly sessionId: number
}

const MAXIMUM_PIXELS = 1280
const COMMAND_TIMEOUT_MS = 1000
const SCREENSHOT_TIMEOUT_MS = 3000
/** The time for the first picture of a screencast. */
const START_TIMEOUT_MS = 500

const SCREENCAST_OPTIONS = {
  format: 'jpeg',
  quality: JPEG_QUALITY,
  maxWidth: MAXIMUM_PIXELS,
  maxHeight: MAXIMUM_PIXELS,
} as const

export function openScreencast(page: Page, cdp: CdpSession): PictureSource {
  let newest: Picture | undefined
  let isRunning = false
  let lastData = ''
  let lastScreencast = 0
  let endedScreencast = 0
  let arrival = createDeferred()

  const send = (...message: Parameters<CdpSession['send']>) =>
    settleWithin(COMMAND_TIMEOUT_MS, cdp.send(...message))

  async function start(): Promise<void> {
    await waitForPictures(page)
    isRunning = true
    arrival = createDeferred()
    void send('Page.startScreencast', SCREENCAST_OPTIONS)
    await settleWithin(START_TIMEOUT_MS, arrival.promise)
    if (lastData === '') newest ??= await captureScreenshot(page, cdp, JPEG_QUALITY)
  }

  function stop(): void {
    if (isRunning) void send('Page.stopScreencast')
    isRunning = false
    endedScreencast = lastScreencast
  }

  function handleFrame({ data, metadata, sessionId }: ScreencastFrame): void {
    if (!isRunning || sessionId <= endedScreencast) return
    lastScreencast = sessionId
    const { deviceWidth: width, deviceHeight: height } = metadata
    const acknowledge = () => void send('Page.screencastFrameAck', { sessionId })
    const viewport = page.viewportSize()
    // The page still has the size of a screenshot.
    if (viewport && (viewport.width !== width || viewport.height !== height)) return acknowledge()
    arrival.resolve()
    if (data === lastData) return acknowledge()
    lastData = data
    newest = { bytes: Buffer.from(data, 'base64'), width, height }
    stop()
  }

  cdp.on('Page.screencastFrame', handleFrame)
  const stopWatching = watchPictures(page, stop)
  return {
    async take(ms, run) {
      if (!isRunning && !newest) await run(start)
      if (!newest) await settleWithin(ms, (arrival = createDeferred()).promise)
      const picture = newest
      newest = undefined
      return picture
    },
    noteAction: () => {},
    stop() {
      stopWatching()
      cdp.off('Page.screencastFrame', handleFrame)
      stop()
    },
  }
}

/** A picture of what a window would show. */
export async function captureScreenshot(
  page: Page,
  cdp: CdpSession,
  quality: number,
): Promise<Picture | undefined> {
  const take = () =>
    Promise.all([
      cdp.send('Page.captureScreenshot', { format: 'jpeg', quality }),
      cdp.send('Page.getLayoutMetrics'),
    ])
  const answer = await takePictureAlone(page, () => settleWithin(SCREENSHOT_TIMEOUT_MS, take()))
  if (!answer || answer instanceof Error) return undefined
  const [{ data }, { cssLayoutViewport }] = answer
  const { clientWidth: width, clientHeight: height } = cssLayoutViewport
  return { bytes: Buffer.from(data, 'base64'), width, height }
}
