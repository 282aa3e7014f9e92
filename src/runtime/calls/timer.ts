const SLICE_MS = 100
const SLICES = 20

/** Calls `onEnd` once after `ms` milliseconds, in which this process ran: where a machine stands still, nothing can be answered in time,
 * so a pause of it counts as one slice at most. Returns what stops the timer. */
export function startTimer(ms: number, onEnd: () => void): () => void {
  const sliceMs = Math.max(SLICE_MS, ms / SLICES)
  let left = Math.max(0, ms)
  let timer: ReturnType<typeof setTimeout>
  const waitForSlice = () => {
    const slice = Math.min(left, sliceMs)
    left -= slice
    timer = setTimeout(left > 0 ? waitForSlice : onEnd, slice)
  }
  waitForSlice()
  return () => clearTimeout(timer)
}
