import type { Deadline } from '../../runtime/ports/deadline.ts'

/** How long a method of Playwright may wait, in milliseconds, and the signal that stops it. */
export interface PlaywrightOptions {
  readonly timeout: number
  readonly signal: AbortSignal
}

/** What is left of the deadline, as options of Playwright's methods. Never 0, which is no limit there. `graceMs` is added to it, for
 * methods that find the reason of a failure after the deadline. */
export const playwrightOptions = (deadline: Deadline, graceMs = 0): PlaywrightOptions => ({
  timeout: deadline.remaining() + graceMs,
  signal: deadline.signal,
})
