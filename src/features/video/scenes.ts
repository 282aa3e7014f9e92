// Which caption a picture of a video has. What an action changes is seen before it ends and has words, so that pictures which are taken
// meanwhile wait for them; each action has a frame of its own.

import type { VideoFrame } from './encoding-page.ts'
import type { Caption } from './video.ts'

/** A frame that has no caption yet. */
export interface Shot extends Omit<VideoFrame, 'caption'> {
  /** Of `performance.now()`. */
  readonly time: number
}

interface TimedFrame {
  readonly frame: VideoFrame
  readonly time: number
  /** The number of the action whose effect it shows; none where a button is pressed for it. */
  readonly action?: number
}

interface News {
  /** In their order, the last one newer than the captions. */
  readonly shots: readonly Shot[]
  readonly captions: readonly Caption[]
  /** Whether they show an action that has no caption yet. */
  readonly isUnderWay: boolean
  readonly now: number
}

export interface Scenes {
  /** The frames that are known by now. */
  add(news: News): readonly TimedFrame[]
  /** The last picture of all. */
  latest(): Omit<VideoFrame, 'caption'>
}

/** Those of an action that takes long have the caption before. */
const WAITING_LIMIT = 25

export function createScenes(first: VideoFrame): Scenes {
  let last = first
  let action = 0
  let waiting: readonly Shot[] = []
  let [actionText, verified] = [first.caption, [] as readonly string[]]

  function frameOf({ time, ...shot }: Shot): readonly TimedFrame[] {
    const caption = [actionText, ...(verified.length > 0 ? [`verified: ${verified.join(', ')}`] : [])]
    const frame = { ...shot, caption: caption.filter(Boolean).join(' – ') }
    if (isSame(frame, last)) return []
    last = frame
    return [{ frame, time, ...(!shot.isPressed && { action }) }]
  }

  function begin({ kind, text }: Caption): void {
    if (kind === 'check') verified = [...verified, text]
    else [action, actionText, verified] = [action + 1, text, []]
  }

  function add({ shots, captions, isUnderWay, now }: News): readonly TimedFrame[] {
    const frames: TimedFrame[] = []
    for (const [index, caption] of captions.entries()) {
      begin(caption)
      frames.push(...waiting.flatMap(frameOf))
      waiting = []
      const hasMore = isUnderWay || shots.length === 0 || index < captions.length - 1
      const { caption: _, ...latest } = last
      if (hasMore) frames.push(...frameOf({ ...latest, isPressed: false, time: now }))
    }
    const all = [...waiting, ...shots]
    const readyCount = isUnderWay ? Math.max(0, all.length - WAITING_LIMIT) : all.length
    waiting = all.slice(readyCount)
    return [...frames, ...all.slice(0, readyCount).flatMap(frameOf)]
  }

  return { add, latest: () => waiting.at(-1) ?? last }
}

// --- internal ---

const isSame = ({ picture, ...rest }: VideoFrame, { picture: other, ...otherRest }: VideoFrame): boolean => {
  const { bytes, ...place } = picture
  const { bytes: otherBytes, ...otherPlace } = other
  const [one, another] = [
    { place, rest },
    { place: otherPlace, rest: otherRest },
  ].map((frame) => JSON.stringify(frame))
  return one === another && areSameBytes(bytes, otherBytes)
}

const areSameBytes = (bytes: Uint8Array, other: Uint8Array): boolean =>
  bytes === other || (bytes.length === other.length && bytes.every((byte, index) => byte === other[index]))
