/** Records the timers that the page sets from now on. The returned function resolves when the pending ones have fired. */
export function watchTimers(): () => Promise<void> {
  const [MIN_DELAY_MS, MAX_DELAY_MS] = [20, 1500]
  const { setTimeout: nativeSetTimeout, clearTimeout: nativeClearTimeout } = window
  const pendingTimers = new Set<unknown>()
  let longestDelayMs = 0
  let resolveAll = () => {}
  const endTimer = (id: unknown) => {
    pendingTimers.delete(id)
    if (pendingTimers.size === 0) resolveAll()
  }
  const watchedSetTimeout = (run: TimerHandler, ms = 0, ...args: unknown[]): number => {
    if (typeof run !== 'function' || ms < MIN_DELAY_MS || ms > MAX_DELAY_MS)
      return nativeSetTimeout(run, ms, ...args)
    const id: number = nativeSetTimeout(() => {
      endTimer(id)
      run(...args)
    }, ms)
    pendingTimers.add(id)
    longestDelayMs = Math.max(longestDelayMs, ms)
    return id
  }
  const watchedClearTimeout = (id?: number): void => {
    nativeClearTimeout(id)
    endTimer(id)
  }
  Object.assign(window, { setTimeout: watchedSetTimeout, clearTimeout: watchedClearTimeout })
  return async () => {
    if (window.setTimeout === (watchedSetTimeout as unknown)) window.setTimeout = nativeSetTimeout
    const allEnded = new Promise<void>((resolve) => (resolveAll = resolve))
    const limit = () => new Promise((resolve) => nativeSetTimeout(resolve, longestDelayMs + MIN_DELAY_MS))
    if (pendingTimers.size > 0) await Promise.race([allEnded, limit()])
    if (window.clearTimeout === watchedClearTimeout) window.clearTimeout = nativeClearTimeout
  }
}
