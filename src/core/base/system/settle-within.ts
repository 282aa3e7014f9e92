import { startTimer, type Timer } from './timer.ts'

/** The value of `work`, or its error, or undefined after `ms` milliseconds. Never rejects. */
export async function settleWithin<T>(ms: number, work: Promise<T>): Promise<T | Error | undefined> {
  let timer: Timer | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = startTimer(ms, () => resolve(undefined))
  })
  const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
  const result = await Promise.race([work.catch(toError), timeout])
  timer?.stop()
  return result
}

export interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T | PromiseLike<T>) => void
}

/** A promise that is resolved from outside. `Promise.withResolvers` is missing in Node 20. */
export function createDeferred<T = void>(): Deferred<T> {
  let resolve: Deferred<T>['resolve'] = () => {}
  const promise = new Promise<T>((settle) => (resolve = settle))
  return { promise, resolve }
}
