// Writes frames that are encoded with VP8 as a WebM file. Its head says its duration and leads to the positions of its key frames, so that a
// player shows a progress bar and seeks. It also says what the colors mean, because players guess by the size of the picture.

import { ArrayBufferTarget, Muxer } from 'webm-muxer'

export interface EncodedFrame {
  /** Milliseconds from the start, as an integer; no two frames have the same. */
  readonly time: number
  /** Whether it can be shown without the frames before it. */
  readonly isKey: boolean
  readonly bytes: Uint8Array
}

export interface WebmVideo {
  readonly width: number
  readonly height: number
  /** In the order of their times; the first one is a key frame. The video ends with the last one. */
  readonly frames: readonly EncodedFrame[]
}

/** sRGB in the planes of VP8, which have the limited range. */
export const VIDEO_COLORS = {
  primaries: 'bt709',
  transfer: 'iec61966-2-1',
  matrix: 'smpte170m',
  fullRange: false,
} as const

export function writeWebm({ width, height, frames }: WebmVideo): Uint8Array<ArrayBuffer> {
  const target = new ArrayBufferTarget()
  const muxer = new Muxer({ target, video: { codec: 'V_VP8', width, height } })
  const meta = { decoderConfig: { codec: 'vp8', colorSpace: VIDEO_COLORS } }
  for (const { time, isKey, bytes } of frames)
    muxer.addVideoChunkRaw(bytes, isKey ? 'key' : 'delta', time * MICROSECONDS_PER_MS, meta)
  muxer.finalize()
  return new Uint8Array(target.buffer)
}

// --- internal ---

const MICROSECONDS_PER_MS = 1000
