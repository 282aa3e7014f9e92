// Records the video of a session: a picture after each action, at most five a second between them, and a frame where the picture, the mouse or
// the caption has changed. Frames are encoded at once, so that memory has the encoded ones and a few pictures for the contact sheet.

import { isDeepStrictEqual } from 'node:util'
import type { BrowserContext } from 'playwright'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import { createDeferred, settleWithin } from '../../core/base/system/settle-within.ts'
import { isOwnBrowser } from '../../core/browser/playwright/engine.ts'
import { type EncodingPage, openEncodingPage, type VideoFrame } from './encoding-page.ts'
import { createFrameWriter, type FrameWriter, PRESS_MS } from './frame-writer.ts'
import { type PictureParts, takeMaskedPicture, type TakenPicture } from './masked-picture.ts'
import { createInputs, type SessionInputs } from './session-inputs.ts'
import type { CaptionSource, VideoRecording } from './video.ts'

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
/** How long an action waits for the picture of what the one before it did. */
const ACTION_PICTURE_TIMEOUT_MS = 2000
/** For the pictures that are missing at the end. */
const LAST_PICTURES_TIMEOUT_MS = 8000
const LAST_PICTURE_ATTEMPTS = 3
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
  const taken = await takeMaskedPicture(parts, () => false)
  if (!taken) return err(NO_PICTURE)
  const { picture } = taken
  const encoder = await openEncodingPage(browser, picture)
  if (!encoder.ok) return encoder
  const inputs = createInputs(() => parts.tabs.active().page, parts.secrets)
  const { point } = inputs.mouse()
  const first = { picture, isPressed: false, caption: '', point }
  const frames = await createFrameWriter(encoder.value, first)
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
  let endedAt = Infinity
  let news = createDeferred()

  /** Returns why it ended by itself. */
  async function run(): Promise<string | undefined> {
    while (!isEnded) {
      news = createDeferred()
      const change = await changes.add()
      if (change === 'failed') return 'the browser no longer encodes it'
      if (performance.now() - startedAt > DURATION_LIMIT_MS) return '10 minutes are the most'
      if (frames.sizeBytes() > SIZE_LIMIT_BYTES) return '60 MB are the most'
      const interval = FRAME_INTERVAL_MS + (change === 'none' ? STILL_INTERVAL_MS : 0)
      await settleWithin(interval, Promise.race([end.promise, news.promise]))
    }
    for (let attempt = 0; attempt < LAST_PICTURE_ATTEMPTS && !changes.isMet(); attempt += 1)
      await changes.add(endedAt)
    return undefined
  }

  async function finish(reason: string | undefined): ReturnType<VideoRecording['finish']> {
    isEnded = true
    stopWatching()
    changes.end()
    const video = await frames.finish(Math.min(endedAt, performance.now()))
    // Whoever ends this process may not wait for long.
    void encoder.close()
    const note = noteOf(reason, changes.isMet())
    return { ...video, ...(note && { note }) }
  }

  const stopWatching = captions.watch(() => {
    changes.noteAction()
    news.resolve()
  })
  const lastPictures = end.promise.then(() => settleWithin(LAST_PICTURES_TIMEOUT_MS, running))
  const running = run()
  const finished = Promise.race([running, lastPictures]).then((reason) =>
    finish(reason instanceof Error ? undefined : reason),
  )
  return {
    finish() {
      isEnded = true
      endedAt = Math.min(endedAt, performance.now())
      changes.want()
      end.resolve()
      return finished
    },
    async during(action, work) {
      if (action && !isEnded) await settleWithin(ACTION_PICTURE_TIMEOUT_MS, changes.wait())
      return isEnded ? work() : inputs.during(action, work)
    },
  }
}

function noteOf(reason: string | undefined, isWhole: boolean): string {
  const end = reason === undefined ? '' : `The video ended by itself: ${reason}.`
  return isWhole
    ? end
    : `${end} The page gave no picture at the end: what it showed last may be missing.`.trim()
}

/** Adds frames of what has changed since the last one. */
function createChanges({ parts, captions, inputs, frames }: RecordingParts) {
  const demand = createDemand()
  const readCaption = createCaptions(captions)
  let { presses } = inputs.mouse()
  let lastAt = performance.now()
  /** How many actions had begun when the last caption came: while there are more, what they change is not that of the last one. */
  let captionedCount = inputs.actions().count

  function compose(taken: TakenPicture | undefined, last: VideoFrame, latest: number): FrameWithTime[] {
    const { point, presses: pressesNow } = inputs.mouse()
    const { count, begunAt } = inputs.actions()
    const time = Math.min(latest, taken ? timeOf(taken, lastAt, inputs) : performance.now())
    const { seq, caption = last.caption } = readCaption()
    const picture = taken?.picture ?? last.picture
    const frame = { picture, isPressed: false, caption, point }
    // Where the mouse is pressed is shown before what it causes.
    const press = { ...frame, picture: last.picture, isPressed: true }
    const pressFrames =
      pressesNow > presses ? [{ frame: press, time: Math.max(begunAt, time - PRESS_MS) }] : []
    presses = pressesNow
    lastAt = taken?.at ?? lastAt
    const action = count === captionedCount ? { action: seq } : {}
    return [...pressFrames, ...(isSame(frame, last) ? [] : [{ frame, time, ...action }])]
  }

  return {
    ...demand,
    /** Says that an action has its caption. */
    noteAction() {
      demand.want()
      captionedCount = inputs.actions().count
    },
    /** No frame is later than `latest`. `failed` if the browser no longer encodes. */
    async add(latest = Infinity): Promise<'some' | 'none' | 'failed'> {
      const answer = demand.begin()
      const taken = await takeMaskedPicture(parts, inputs.watchSecrets())
      if (demand.isOver()) return 'none'
      const added = compose(taken, frames.last(), latest)
      answer(taken !== undefined)
      for (const { frame, time, action } of added)
        if (!(await frames.add(frame, time, action))) return 'failed'
      return added.length > 0 ? 'some' : 'none'
    },
  }
}

interface FrameWithTime {
  readonly frame: VideoFrame
  readonly time: number
  /** Whose end it shows. */
  readonly action?: number
}

/** When the page began to look like a picture, as far as it is known. The picture before was taken at `lastAt`. */
function timeOf({ at }: TakenPicture, lastAt: number, inputs: SessionInputs): number {
  const { begunAt, endedAt } = inputs.actions()
  // It may already show what the action does.
  if (begunAt > at) return begunAt
  return endedAt > lastAt && endedAt >= begunAt && endedAt <= at ? endedAt : at
}

/** Returns a function that reads the number of the last action, and the caption if there is a new one. */
function createCaptions(captions: CaptionSource) {
  let seq = captions.since(0).at(-1)?.seq ?? 0
  return (): { readonly seq: number; readonly caption?: string } => {
    const actions = captions.since(seq).filter(({ text }) => !OWN_CALL.test(text))
    seq = actions.at(-1)?.seq ?? seq
    const texts = actions.slice(-CAPTION_ACTIONS).map(({ text }) => text)
    return { seq, ...(texts.length > 0 && { caption: texts.join(' · ') }) }
  }
}

/** Which pictures are asked for: each is one that is begun after that. */
function createDemand() {
  let [wantedCount, triedCount, takenCount] = [0, 0, 0]
  let progress = createDeferred()
  let isOver = false
  return {
    want: () => void (wantedCount += 1),
    /** Begins a picture; the function that it returns says whether it was taken. */
    begin() {
      const count = wantedCount
      return (isTaken: boolean): void => {
        triedCount = count
        if (isTaken) takenCount = count
        progress.resolve()
        progress = createDeferred()
      }
    },
    /** Resolves when those that are asked for were tried. */
    async wait(): Promise<void> {
      const count = wantedCount
      while (triedCount < count && !isOver) await progress.promise
    },
    isMet: () => takenCount >= wantedCount,
    isOver: () => isOver,
    end() {
      isOver = true
      progress.resolve()
    },
  }
}

const isSame = ({ picture, ...rest }: VideoFrame, { picture: other, ...otherRest }: VideoFrame): boolean => {
  const { bytes, ...place } = picture
  const { bytes: otherBytes, ...otherPlace } = other
  return isDeepStrictEqual([place, rest], [otherPlace, otherRest]) && Buffer.compare(bytes, otherBytes) === 0
}
