// The changes of a page since the last report to the client, and whether an action may still have an effect.

import type { Page } from 'playwright'
import type { ChangeReading } from '../in-page/snapshot/aria-injected.ts'
import { readChangeWatch, readPending } from '../in-page/generated.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { forgetOwnTimers, noteOwnTimers, ownTimersOf } from '../playwright/own-timers.ts'
import { settleWithin } from '../../base/system/settle-within.ts'

const TIMEOUT_MS = 1000
const FRAME_LIMIT = 50
const NO_CHANGES: ChangeReading = { hasChanged: false, messages: [] }

/** The changes since the last tree that was reported to the client. An action begins. */
export async function readChangesSince(page: Page): Promise<ChangeReading> {
  forgetOwnTimers(page)
  const [main, ...others] = await askFrames(page, readChangeWatch, undefined)
  if (main === undefined) return NO_CHANGES
  // Another document has come.
  if (main === null) return { hasChanged: true, messages: [] }
  const readings = [main, ...others.filter((reading): reading is ChangeReading => Boolean(reading))]
  return {
    hasChanged: readings.some(({ hasChanged }) => hasChanged),
    messages: readings.flatMap(({ messages }) => messages),
  }
}

/** Whether the page has begun something since the news were read that has not ended, as far as that can be known. */
export async function isPending(page: Page): Promise<boolean> {
  if (page.workers().length > 0 || page.context().pages().length > 1) return true
  const frames = page.frames()
  const answers = await askFrames(page, readPending, ownTimersOf(page))
  // The question itself sets one.
  noteOwnTimers(page, 1)
  return frames.length > FRAME_LIMIT || answers.some((answer) => answer !== false)
}

// --- internal ---

/** The answer of each frame, the main one first; undefined of one that gives none in time. */
const askFrames = <A, T>(
  page: Page,
  question: Parameters<typeof evaluateInternally<A, T>>[1],
  arg: A,
): Promise<(T | undefined)[]> =>
  Promise.all(
    page
      .frames()
      .slice(0, FRAME_LIMIT)
      .map(async (frame) => {
        const answer = await settleWithin(
          TIMEOUT_MS,
          evaluateInternally(frame.locator(':root'), question, arg),
        )
        return answer && 'result' in answer ? answer.result : undefined
      }),
  )
