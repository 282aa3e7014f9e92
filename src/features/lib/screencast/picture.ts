// What makes the pictures of one tab, for people who watch it, and how often.

import { startTimer } from '../../../core/base/system/timer.ts'
import type { Frame } from '../../../core/sessions/types/person.ts'

export type Picture = Omit<Frame, 'sequence'>

export type RunPicture = (make: () => Promise<void>) => Promise<void>

/** Makes pictures of a tab until it is stopped. Nothing rejects. */
export interface PictureSource {
  /** The newest picture that was not taken before; undefined if the page does not change within about `ms` milliseconds. What makes a
   * picture is run by `run`. */
  take(ms: number, run: RunPicture): Promise<Picture | undefined>
  /** Says that an action or an input has ended. */
  noteAction(): void
  stop(): void
}

export const JPEG_QUALITY = 60

/** How much longer than a picture the rest after it is. A picture costs about as much as three clicks. */
const REST_FACTOR = 12
const LONGEST_REST_MS = 1500

let lastRest: Promise<void> = Promise.resolve()

/** Makes a picture while agents work: one at a time of all sessions, with a rest after it, so that agents lose little to those who watch. It
 * is made at once when `hurry` resolves. */
export function makeBesideAgents(hurry: Promise<void>, make: () => Promise<void>): Promise<void> {
  const making = Promise.race([lastRest, hurry]).then(async () => {
    const start = performance.now()
    await make()
    return performance.now() - start
  })
  const rest = making.then((took) => pause(Math.min(LONGEST_REST_MS, took * REST_FACTOR)))
  lastRest = Promise.all([lastRest, rest]).then(() => {})
  return making.then(() => {})
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => void startTimer(ms, () => resolve()))
