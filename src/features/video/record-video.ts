// Records the video of a session: a picture after each action, at most five a second between them, and a frame where the picture, the mouse or
// the caption has changed. Frames are encoded at once, so that memory has the encoded ones and a few pictures for the contact sheet.

import type { BrowserContext } from 'playwright'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import { createDeferred, settleWithin } from '../../core/base/system/settle-within.ts'
import { isOwnBrowser } from '../../core/browser/playwright/engine.ts'
import { type EncodingPage, openEncodingPage } from './encoding-page.ts'
import { createFrameWriter, type FrameWriter, PRESS_MS } from './frame-writer.ts'
import { type PictureParts, takeMaskedPicture, type TakenPicture } from './masked-picture.ts'
import { createScenes, type Scenes, type Shot } from './scenes.ts'
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
/** For a secret field that moves. */
const LAST_PATIENCE_MS = 3000
/** For how long there may be no picture because a secret field moves. */
const MISSING_TIMEOUT_MS = 3000
/** How long after its end an action gets its caption. */
const CAPTION_TIMEOUT_MS = 2000

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
  const taken = await takeMaskedPicture(parts, { isHidden: () => false, patience: 0, coversMoving: true })
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
      const reason = findReason(change, startedAt, frames)
      if (reason !== undefined) return reason
      const interval = FRAME_INTERVAL_MS + (change === 'none' ? STILL_INTERVAL_MS : 0)
      await settleWithin(interval, Promise.race([end.promise, news.promise]))
    }
    await changes.addLast(endedAt)
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

  const look = (note: () => void): void => {
    note()
    news.resolve()
  }
  const stopWatching = captions.watch(() => look(changes.noteAction))
  const lastPictures = end.promise.then(() => settleWithin(LAST_PICTURES_TIMEOUT_MS, running))
  const running = run()
  const finished = Promise.race([running, lastPictures]).then((reason) =>
    finish(reason instanceof Error ? undefined : reason),
  )
  return {
    finish() {
      isEnded = true
      endedAt = Math.min(endedAt, performance.now())
      end.resolve()
      return finished
    },
    async during(action, work) {
      if (isEnded) return work()
      // What was waited for is seen in a picture that is begun at its end.
      if (action?.kind === 'check') return work().finally(() => look(changes.want))
      if (action) await settleWithin(ACTION_PICTURE_TIMEOUT_MS, changes.wait())
      return inputs.during(action, work)
    },
  }
}

function findReason(change: string, startedAt: number, frames: FrameWriter): string | undefined {
  if (change === 'failed') return 'the browser no longer encodes it'
  if (performance.now() - startedAt > DURATION_LIMIT_MS) return '10 minutes are the most'
  return frames.sizeBytes() > SIZE_LIMIT_BYTES ? '60 MB are the most' : undefined
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
  const scenes = createScenes(frames.last())
  const shotsOf = createShots(inputs, scenes)
  let takenAt = performance.now()
  /** How many actions had begun when the last caption came: while there are more, one is under way. */
  let captionedCount = inputs.actions().count

  /** Whether an action has no caption yet; one that has ended for a while gets none. */
  function isUnderWay(): boolean {
    const { count, endedAt, openCount } = inputs.actions()
    return count > captionedCount && (openCount > 0 || performance.now() - endedAt < CAPTION_TIMEOUT_MS)
  }

  /** No frame is later than `latest`. `failed` if the browser no longer encodes. */
  async function add(latest = Infinity, isLast = false): Promise<'some' | 'none' | 'failed'> {
    const answer = demand.begin()
    const isMissing = performance.now() - takenAt > MISSING_TIMEOUT_MS
    const taken = await takeMaskedPicture(parts, {
      isHidden: inputs.watchSecrets(),
      patience: isLast ? LAST_PATIENCE_MS : 0,
      coversMoving: isLast || isMissing,
    })
    if (taken) takenAt = performance.now()
    if (demand.isOver()) return 'none'
    const added = scenes.add({
      shots: shotsOf(taken, latest),
      captions: captions.read(),
      isUnderWay: !isLast && isUnderWay(),
      now: Math.min(latest, performance.now()),
    })
    answer(taken !== undefined)
    for (const { frame, time, action } of added) if (!(await frames.add(frame, time, action))) return 'failed'
    return added.length > 0 ? 'some' : 'none'
  }

  return {
    ...demand,
    add: () => add(),
    /** Adds what is missing when it ends. */
    async addLast(endedAt: number): Promise<void> {
      demand.want()
      for (let attempt = 0; attempt < LAST_PICTURE_ATTEMPTS && !demand.isMet(); attempt += 1)
        await add(endedAt, true)
    },
    /** Says that an action has its caption. */
    noteAction() {
      demand.want()
      captionedCount = inputs.actions().count
    },
  }
}

/** Returns a function that makes shots of a picture, of which none is later than `latest`. */
function createShots(
  inputs: SessionInputs,
  { latest: latestShot }: Pick<Scenes, 'latest'>,
): (taken: TakenPicture | undefined, latest: number) => readonly Shot[] {
  let { presses } = inputs.mouse()
  let lastAt = performance.now()
  return (taken, latest) => {
    const { point, presses: pressesNow } = inputs.mouse()
    const { begunAt } = inputs.actions()
    const time = Math.min(latest, taken ? timeOf(taken, lastAt, inputs) : performance.now())
    // Where the mouse is pressed is shown before what it causes.
    const press = { picture: latestShot().picture, isPressed: true, point }
    const pressShots = pressesNow > presses ? [{ ...press, time: Math.max(begunAt, time - PRESS_MS) }] : []
    presses = pressesNow
    lastAt = taken?.at ?? lastAt
    return [...pressShots, ...(taken ? [{ picture: taken.picture, isPressed: false, point, time }] : [])]
  }
}

/** When the page began to look like a picture, as far as it is known. The picture before was taken at `lastAt`. */
function timeOf({ at }: TakenPicture, lastAt: number, inputs: SessionInputs): number {
  const { begunAt, endedAt } = inputs.actions()
  // It may already show what the action does.
  if (begunAt > at) return begunAt
  return endedAt > lastAt && endedAt >= begunAt && endedAt <= at ? endedAt : at
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
