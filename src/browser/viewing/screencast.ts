// The screencast of a tab of Chromium. It sends a picture when the page changes, but only a few that are not acknowledged: so as many are made
// as are taken. What changes while it waits is never sent, unless something changes after that; a screencast that starts sends what is there.

import type { CdpSession } from '../playwright/cdp-session.ts'
import { settleWithin, createDeferred } from '../../runtime/system/settle-within.ts'
import { JPEG_QUALITY, type Picture, type PictureSource } from './picture.ts'

interface ScreencastFrame {
  readonly data: string
  readonly metadata: { readonly deviceWidth: number; readonly deviceHeight: number }
  /** Of the screencast: it grows with each start. */
  readonly sessionId: number
}

/** How many Chromium sends that are not acknowledged. */
const UNACKNOWLEDGED_LIMIT = 3
const MAXIMUM_PIXELS = 1280
const COMMAND_TIMEOUT_MS = 1000
/** The time for the first picture, and for one after an acknowledgement. */
const PICTURE_TIMEOUT_MS = 250

const SCREENCAST_OPTIONS = {
  format: 'jpeg',
  quality: JPEG_QUALITY,
  maxWidth: MAXIMUM_PIXELS,
  maxHeight: MAXIMUM_PIXELS,
} as const

export function startScreencast(cdp: CdpSession): PictureSource {
  let newest: Picture | undefined
  let screencast = 0
  let unacknowledgedCount = 0
  let isFirst = true
  let arrival = createDeferred()

  const send = (...message: Parameters<CdpSession['send']>) =>
    settleWithin(COMMAND_TIMEOUT_MS, cdp.send(...message))
  const waitForPicture = (ms: number) => settleWithin(ms, (arrival = createDeferred()).promise)
  const start = () => void send('Page.startScreencast', SCREENCAST_OPTIONS)
  const stop = () => void send('Page.stopScreencast')

  function handleFrame({ data, metadata, sessionId }: ScreencastFrame): void {
    if (sessionId < screencast) return
    if (sessionId > screencast) unacknowledgedCount = 0
    screencast = sessionId
    unacknowledgedCount += 1
    const { deviceWidth: width, deviceHeight: height } = metadata
    newest = { bytes: Buffer.from(data, 'base64'), width, height }
    arrival.resolve()
  }

  async function renew(): Promise<void> {
    unacknowledgedCount -= 1
    void send('Page.screencastFrameAck', { sessionId: screencast })
    const count = unacknowledgedCount
    await waitForPicture(PICTURE_TIMEOUT_MS)
    if (unacknowledgedCount > count) return
    stop()
    start()
    await waitForPicture(PICTURE_TIMEOUT_MS)
  }

  cdp.on('Page.screencastFrame', handleFrame)
  start()
  return {
    async take(ms) {
      if (unacknowledgedCount >= UNACKNOWLEDGED_LIMIT) await renew()
      else if (!newest) await waitForPicture(isFirst ? PICTURE_TIMEOUT_MS : ms)
      if (isFirst) newest ??= await takeScreenshot(cdp)
      isFirst = false
      const picture = newest
      newest = undefined
      return picture
    },
    noteAction: () => {},
    stop() {
      cdp.off('Page.screencastFrame', handleFrame)
      stop()
    },
  }
}

// --- internal ---

async function takeScreenshot(cdp: CdpSession): Promise<Picture | undefined> {
  const taking = Promise.all([
    cdp.send('Page.captureScreenshot', { format: 'jpeg', quality: JPEG_QUALITY }),
    cdp.send('Page.getLayoutMetrics'),
  ])
  const answer = await settleWithin(COMMAND_TIMEOUT_MS, taking)
  if (!answer || answer instanceof Error) return undefined
  const [{ data }, { cssLayoutViewport }] = answer
  const { clientWidth: width, clientHeight: height } = cssLayoutViewport
  return { bytes: Buffer.from(data, 'base64'), width, height }
}
