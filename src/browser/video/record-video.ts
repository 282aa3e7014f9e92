// Records the video of a session: at most five pictures a second, and a frame where the picture, the mouse or the caption has changed. Frames
// are encoded at once, so that memory has the encoded ones and a few pictures for the contact sheet.

import { isDeepStrictEqual } from 'node:util'
import type { BrowserContext } from 'playwright'
import { openEncodingPage, type EncodingPage, type VideoFrame } from './encoding-page.ts'
import { createFrameWriter, type FrameWriter } from './frame-writer.ts'
import { takeMaskedPicture, type PictureParts } from './masked-picture.ts'
import { createInputs, type SessionInputs } from './session-inputs.ts'
import { isOwnBrowser } from '../playwright/engine.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { CaptionSource, VideoRecording } from '../../runtime/ports/video.ts'
import { createDeferred, settleWithin } from '../../runtime/system/settle-within.ts'

/** `during` runs what the video shows. */
export type PageVideo = VideoRecording & Pick<SessionInputs, 'during'>

interface VideoParts extends PictureParts {
  readonly context: BrowserContext
}

/** Where a recording ends by itself. */
const DURATION_LIMIT_MS = 600_000
const SIZE_LIMIT_BYTES = 60_000_000
const FRAME_INTERVAL_MS = 200
/** More, while nothing changes. */
const STILL_INTERVAL_MS = 300
const LAST_PICTURE_TIMEOUT_MS = 1500
/** Those that end within one frame have one caption. */
const CAPTION_ACTIONS = 3
/** The calls that no video shows. */
const OWN_CALL = /^video\b/

const OWN_BROWSER: Failure = {
  code: 'BROWSER_ERROR',
  text: "this session is in the user's own browser, where a video would need a window of its own",
  next: 'Create the session without attach.',
}

const NO_PICTURE: Failure = {
  code: 'BROWSER_ERROR',
  text: 'the page gives no picture now: it does not answer, or a dialog is open',
  next: 'See what the page shows with screenshot, then start again.',
}

/** Starts a recording; its first frame is encoded then. Fails with BROWSER_ERROR if the page gives no picture or the browser cannot encode. */
export async function recordVideo(parts: VideoParts, captions: CaptionSource): Promise<Outcome<PageVideo>> {
  const browser = parts.context.browser()
  if (!browser || isOwnBrowser(browser)) return err(OWN_BROWSER)
  const picture = await takeMaskedPicture(parts, () => false)
  if (!picture) return err(NO_PICTURE)
  const encoder = await openEncodingPage(browser, picture)
  if (!encoder.ok) return encoder
  const inputs = createInputs(() => parts.tabs.active().page, parts.secrets)
  const { point } = inputs.mouse()
  const first = { picture, isPressed: false, caption: '', ...(point && { point }) }
  const frames = await createFrameWriter(encoder.value, first, performance.now())
  if (frames) return ok(runRecording({ parts, captions, inputs, frames, encoder: encoder.value }))
  await encoder.value.close()
  return err(NO_PICTURE)
}

// --- internal ---

interface RecordingParts {
  readonly parts: PictureParts
  readonly captions: CaptionSource
  readonly inputs: SessionInputs
  readonly frames: FrameWriter
  readonly encoder: EncodingPage
}

function runRecording(recording: RecordingParts): PageVideo {
  const { captions, inputs, frames, encoder } = recording
  const startedAt = performance.now()
  const changes = createChanges(recording)
  const end = createDeferred()
  let isEnded = false
  let news = createDeferred()

  /** Returns why it ended by itself. */
  async function run(): Promise<string | undefined> {
    while (!isEnded) {
      news = createDeferred()
      const change = await changes.add()
      if (change === 'failed') return 'the browser no longer encodes it'
      if (performance.now() - startedAt > DURATION_LIMIT_MS) return '10 minutes are the most'
      if (frames.sizeBytes() > SIZE_LIMIT_BYTES) return '60 MB are the most'
      await settleWithin(FRAME_INTERVAL_MS, end.promise)
      if (change === 'none') await settleWithin(STILL_INTERVAL_MS, Promise.race([end.promise, news.promise]))
    }
    await settleWithin(LAST_PICTURE_TIMEOUT_MS, changes.add())
    return undefined
  }

  async function finish(reason: string | undefined): ReturnType<VideoRecording['finish']> {
    isEnded = true
    stopWatching()
    const video = await frames.finish(performance.now())
    await encoder.close()
    return { ...video, ...(reason !== undefined && { note: `The video ended by itself: ${reason}.` }) }
  }

  const stopWatching = captions.watch(() => news.resolve())
  const finished = run().then(finish)
  return {
    finish() {
      isEnded = true
      end.resolve()
      return finished
    },
    during: (action, work) => (isEnded ? work() : inputs.during(action, work)),
  }
}

/** Adds frames of what has changed since the last one. */
function createChanges({ parts, captions, inputs, frames }: RecordingParts) {
  let { presses } = inputs.mouse()
  let seq = captions.since(0).at(-1)?.seq ?? 0
  /** How many actions had begun when the last caption was read: while there are more, what they change is not that of the last one. */
  let captionedCount = inputs.actionCount()

  function readCaption(lastCaption: string): string {
    const actions = captions.since(seq).filter(({ text }) => !OWN_CALL.test(text))
    const newest = actions.at(-1)
    if (!newest) return lastCaption
    seq = newest.seq
    captionedCount = inputs.actionCount()
    const texts = actions.slice(-CAPTION_ACTIONS).map(({ text }) => text)
    return texts.join(' · ')
  }

  return {
    /** `failed` if the browser no longer encodes. */
    async add(): Promise<'some' | 'none' | 'failed'> {
      const last = frames.last()
      const taken = await takeMaskedPicture(parts, inputs.watchSecrets())
      const at = performance.now()
      const { point, presses: pressesNow } = inputs.mouse()
      const picture = taken ?? last.picture
      const frame = {
        picture,
        isPressed: false,
        caption: readCaption(last.caption),
        ...(point && { point }),
      }
      // Where the mouse is pressed is shown before what it causes.
      const press = pressesNow > presses ? [{ ...frame, picture: last.picture, isPressed: true }] : []
      presses = pressesNow
      const added = [...press, ...(isSame(frame, last) ? [] : [frame])]
      for (const one of added) {
        const isOfEnd = one === frame && inputs.actionCount() === captionedCount
        if (!(await frames.add(one, at, isOfEnd ? seq : undefined))) return 'failed'
      }
      return added.length > 0 ? 'some' : 'none'
    },
  }
}

const isSame = ({ picture, ...rest }: VideoFrame, { picture: other, ...otherRest }: VideoFrame): boolean => {
  const { bytes, ...place } = picture
  const { bytes: otherBytes, ...otherPlace } = other
  return isDeepStrictEqual([place, rest], [otherPlace, otherRest]) && Buffer.compare(bytes, otherBytes) === 0
}
