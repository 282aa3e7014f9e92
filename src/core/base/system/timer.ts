const SLICE_MS = 100
const SLICES = 20

export interface Timer {
  stop(): void
  /** Has no effect once the timer has ended. */
  prolong(ms: number): void
}

/** Calls `onEnd` once after `ms` milliseconds in which this process ran: where a machine stands still, nothing can be answered in time,
 * so a pause of it counts as one slice at most. */
export function startTimer(ms: number, onEnd: () => void): Timer {
  const sliceMs = Math.max(SLICE_MS, ms / SLICES)
  let left = Math.max(0, ms)
  let timer: ReturnType<typeof setTimeout>
  const waitForSlice = () => {
    const slice = Math.min(left, sliceMs)
    left -= slice
    timer = setTimeout(() => (left > 0 ? waitForSlice() : onEnd()), slice)
  }
  waitForSlice()
  return { stop: () => clearTimeout(timer), prolong: (more) => void (left += more) }
}

/** Unix milliseconds that never jump: the wall clock is read once, at start, and a monotonic clock counts from there. */
export type Clock = () => number

export const clock: Clock = () => Math.floor(performance.timeOrigin + performance.now())
