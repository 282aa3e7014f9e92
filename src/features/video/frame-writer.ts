// The frames of one video, from the first one to the file and its contact sheet.

import { settleWithin } from '../../core/base/system/settle-within.ts'
import { addMoment, type Moment } from './contact-sheet.ts'
import type { EncodingPage, VideoFrame } from './encoding-page.ts'
import type { RecordedVideo } from './video.ts'
import { type EncodedFrame, writeWebm } from './webm.ts'

export interface FrameWriter {
  last(): VideoFrame
  /** Adds a frame that is shown from `at` on, and keeps it for the contact sheet if it is of the end of an action. False if the browser no
   * longer encodes. */
  add(frame: VideoFrame, at: number, action?: number): Promise<boolean>
  sizeBytes(): number
  finish(at: number): Promise<Omit<RecordedVideo, 'note'>>
}

/** How long a press of a button is shown before what it causes. */
export const PRESS_MS = 300
/** The least for each frame: players show some that are shorter in the place of the next one. */
const FRAME_MS = 40
/** The least for each caption: actions may follow each other faster than people read. */
const CAPTION_MS = 300
const KEY_INTERVAL_MS = 5000
const LAST_FRAME_MS = 200
const ENCODER_TIMEOUT_MS = 5000

/** Begins with a frame, and the video with the end of this call; undefined if the browser does not encode it. Times are those of
 * `performance.now()`. */
export async function createFrameWriter(
  encoder: EncodingPage,
  first: VideoFrame,
): Promise<FrameWriter | undefined> {
  const frames: EncodedFrame[] = []
  let moments: readonly Moment<VideoFrame>[] = []
  let last = first
  let startedAt = performance.now()
  let lastTime = -1
  let captionTime = -CAPTION_MS
  let lastKeyTime = -Infinity

  async function add(frame: VideoFrame, at: number, action?: number): Promise<boolean> {
    const shownUntil = lastTime + (last.isPressed ? PRESS_MS : FRAME_MS)
    const readUntil = frame.caption === last.caption ? 0 : captionTime + CAPTION_MS
    const time = lastTime < 0 ? 0 : Math.max(Math.round(at - startedAt), shownUntil, readUntil)
    if (frame.caption !== last.caption) captionTime = time
    const isKey = time - lastKeyTime >= KEY_INTERVAL_MS
    last = frame
    lastTime = time
    if (isKey) lastKeyTime = time
    if (action !== undefined) moments = addMoment(moments, { action, time, frame })
    return collect(encoder.add(frame, time, isKey))
  }

  async function collect(encoding: Promise<readonly EncodedFrame[]>): Promise<boolean> {
    const encoded = await settleWithin(ENCODER_TIMEOUT_MS, encoding)
    if (!encoded || encoded instanceof Error) return false
    frames.push(...encoded)
    return true
  }

  if (!(await add(first, startedAt, 0))) return undefined
  startedAt = performance.now()
  return {
    last: () => last,
    add,
    sizeBytes: () => frames.reduce((sum, { bytes }) => sum + bytes.length, 0),
    async finish(at) {
      // Players end with the last frame, so that what is shown last is repeated.
      await add(last, Math.max(at, startedAt + lastTime) + LAST_FRAME_MS)
      await collect(encoder.finish())
      const sheet = await settleWithin(ENCODER_TIMEOUT_MS, encoder.drawSheet(moments))
      const bytes = writeWebm({ width: encoder.width, height: encoder.height, frames })
      return { bytes, duration: lastTime, ...(sheet && !(sheet instanceof Error) && { sheet }) }
    },
  }
}
