// Every call has its own deadline, because several Playwright methods have none. The result of stopped work is ignored, and its signal is
// aborted so that it ends early.

import type { Failure, Outcome } from '../failure.ts'
import { err } from '../result.ts'
import type { Deadline } from './deadline.ts'
import { type Clock, startTimer } from './timer.ts'

export type StopReason = 'deadline' | 'cancelled' | 'closed'

/** `rest` settles when the stopped work does. */
export interface StoppedWork {
  readonly stopReason: StopReason
  readonly rest: Promise<void>
}

type RaceResult<T> = StoppedWork | { readonly value: T }

/** A deadline `timeout` milliseconds from now. */
export function createDeadline(timeout: number, signal: AbortSignal, clock: Clock): Deadline {
  const start = clock()
  return { timeout, signal, remaining: () => Math.max(1, timeout - (clock() - start)) }
}

/** The time of work that may be given more of it while it runs. */
export interface ProlongableDeadline extends Deadline {
  prolong(ms: number): void
}

/** Runs `work` for at most `ms` milliseconds and what it is given in addition, or until one of `signals` aborts. */
export async function raceProlongable<T>(
  ms: number,
  signals: readonly AbortSignal[],
  clock: Clock,
  work: (deadline: ProlongableDeadline) => Promise<T>,
): Promise<RaceResult<T>> {
  const controller = new AbortController()
  let end = clock() + ms
  const timer = startTimer(ms, () => abortWith(controller, 'deadline'))
  const prolong = (more: number) => {
    end += more
    timer.prolong(more)
  }
  const remaining = () => Math.max(1, end - clock())
  const result = await race(undefined, [...signals, controller.signal], (signal) =>
    work({ timeout: ms, signal, remaining, prolong }),
  )
  timer.stop()
  return result
}

export const abortWith = (controller: AbortController, reason: StopReason): void => controller.abort(reason)

/** Runs `work` for at most `ms` milliseconds (undefined: no limit), or until one of `signals` aborts; the reason of that signal is then
 * `stopReason`. */
export async function race<T>(
  ms: number | undefined,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<RaceResult<T>> {
  const controller = new AbortController()
  const stopRequested = new Promise<StopReason>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(reasonOf(controller.signal)), { once: true })
  })
  // AbortSignal.any would stay attached to a signal that outlives the call, such as that of a session.
  const unsubscribers = signals.map((signal) => {
    const abort = () => abortWith(controller, reasonOf(signal))
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    return () => signal.removeEventListener('abort', abort)
  })
  const timer = ms === undefined ? undefined : startTimer(ms, () => abortWith(controller, 'deadline'))
  try {
    if (controller.signal.aborted) return { stopReason: reasonOf(controller.signal), rest: Promise.resolve() }
    const completion = work(controller.signal).then((value): RaceResult<T> => ({ value }))
    const rest = completion.then(
      () => {},
      () => {},
    )
    return await Promise.race([
      completion,
      stopRequested.then((stopReason): RaceResult<T> => ({ stopReason, rest })),
    ])
  } finally {
    timer?.stop()
    for (const remove of unsubscribers) remove()
  }
}

const reasonOf = (signal: AbortSignal): StopReason =>
  signal.reason === 'deadline' || signal.reason === 'closed' ? signal.reason : 'cancelled'

/** Resolves to a failure when the signal aborts; stays pending otherwise. */
export function failWhenAborted(signal: AbortSignal, createFailure: () => Failure): Promise<Outcome<never>> {
  if (signal.aborted) return Promise.resolve(err(createFailure()))
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(err(createFailure())), { once: true }),
  )
}
