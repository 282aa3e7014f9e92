import { startTimer } from './timer.ts'

/** The value of `work`, or its error, or undefined after `ms` milliseconds. Never rejects. */
export async function settleWithin<T>(ms: number, work: Promise<T>): Promise<T | Error | undefined> {
  let stopTimer: (() => void) | undefined
  const timeout = new Promise<undefined>((resolve) => {
    stopTimer = startTimer(ms, () => resolve(undefined))
  })
  const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
  const result = await Promise.race([work.catch(toError), timeout])
  stopTimer?.()
  return result
}
