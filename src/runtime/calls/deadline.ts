// Every call has a deadline of our own, because many of Playwright's have none. A call that is stopped is left behind: what it
// still does is ignored, and its signal is aborted so that it ends soon.

import type { Clock } from '../clock.ts'
import type { Deadline } from '../ports/page.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'

export type Stop = 'deadline' | 'cancelled' | 'closed'

/** `rest` settles when the work that was left behind does. */
export interface Stopped {
  readonly stopped: Stop
  readonly rest: Promise<void>
}

export type Raced<T> = Stopped | { readonly value: T }

/** A deadline that begins now, in milliseconds. */
export function createDeadline(timeout: number, signal: AbortSignal, clock: Clock): Deadline {
  const start = clock()
  return { timeout, signal, remaining: () => Math.max(1, timeout - (clock() - start)) }
}

/** The longest time that a timer takes. */
const MAXIMUM_TIMER_MS = 2 ** 31 - 1

/** Aborts with a `Stop` as its reason. */
export const stopWith = (controller: AbortController, stop: Stop): void => controller.abort(stop)

/** Runs `work` for at most `ms` milliseconds (undefined: without limit), or until one of `signals` aborts. An aborted signal's reason is
 * the answer's `stopped`. */
export async function race<T>(
  ms: number | undefined,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Raced<T>> {
  const controller = new AbortController()
  const stop = new Promise<Stop>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(reasonOf(controller.signal)), { once: true })
  })
  const forward = signals.map((signal) => {
    const abort = () => stopWith(controller, reasonOf(signal))
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    return () => signal.removeEventListener('abort', abort)
  })
  const timer = setTimeout(() => stopWith(controller, 'deadline'), ms ?? MAXIMUM_TIMER_MS)
  try {
    if (controller.signal.aborted) return { stopped: reasonOf(controller.signal), rest: Promise.resolve() }
    const done = work(controller.signal).then((value): Raced<T> => ({ value }))
    const rest = done.then(
      () => {},
      () => {},
    )
    return await Promise.race([done, stop.then((stopped): Raced<T> => ({ stopped, rest }))])
  } finally {
    clearTimeout(timer)
    for (const remove of forward) remove()
  }
}

const reasonOf = (signal: AbortSignal): Stop =>
  signal.reason === 'deadline' || signal.reason === 'closed' ? signal.reason : 'cancelled'

/** Settles as a failure when the signal aborts, and never otherwise. */
export function aborted(signal: AbortSignal, why: () => Failure): Promise<Outcome<never>> {
  if (signal.aborted) return Promise.resolve(err(why()))
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(err(why())), { once: true }))
}
