// The video of a session. record-video.ts records it, session-video.ts starts it, ends it and writes its file.

import type { Outcome } from '../../core/base/failure.ts'
import type { Image } from '../../core/base/image.ts'

declare module '../../core/sessions/types/page.ts' {
  interface FeaturePage {
    /** Starts to record a video of what it shows. Fails with BROWSER_ERROR if the browser cannot. */
    recordVideo(captions: CaptionSource): Promise<Outcome<VideoRecording>>
  }
}

declare module '../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    readonly video: SessionVideo
  }
}

/** What an action did, or what was verified, in words. */
export interface Caption {
  readonly kind: 'action' | 'check'
  readonly text: string
}

export interface CaptionSource {
  /** Those that have come since it was read last, in their order. */
  read(): readonly Caption[]
  /** Calls `listener` when an action has ended; returns a function that stops that. */
  watch(listener: () => void): () => void
}

export interface VideoRecording {
  /** Ends the recording; the second time it returns the same video. */
  finish(): Promise<RecordedVideo>
}

export interface RecordedVideo {
  /** A WebM file. */
  readonly bytes: Uint8Array
  /** In milliseconds. */
  readonly duration: number
  /** The contact sheet; undefined if the browser ended before it was drawn. */
  readonly sheet?: Image
  /** Why the recording ended by itself. */
  readonly note?: string
}

/** At most one video of a session is recorded at a time. */
export interface SessionVideo {
  /** Fails with INVALID_PARAMETERS if one is recorded, with BROWSER_ERROR if the browser cannot. */
  start(): Promise<Outcome<void>>
  /** Ends the recording and writes it: to a path that an agent names, else into the folder of the session. Fails with INVALID_PARAMETERS
   * if there is none, and as files do; then it can be called again. */
  stop(path?: string): Promise<Outcome<SavedVideo>>
  /** Whether there is one that was not written. */
  isRecording(): boolean
}

interface SavedVideo extends Omit<RecordedVideo, 'bytes'> {
  readonly path: string
  readonly resource?: string
  readonly bytes: number
  /** Of the contact sheet, in the folder of the session. */
  readonly sheetPath?: string
}
