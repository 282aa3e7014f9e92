// What makes the pictures of one tab, for people who watch it.

import type { Frame } from '../../runtime/ports/viewing.ts'

export type Picture = Omit<Frame, 'sequence'>

/** Makes pictures of a tab until it is stopped. */
export interface PictureSource {
  /** The newest picture that was not taken before; undefined if the page does not change within `ms` milliseconds. Never rejects. */
  take(ms: number): Promise<Picture | undefined>
  /** Says that an action or an input has ended. */
  noteAction(): void
  stop(): void
}

export const JPEG_QUALITY = 60
