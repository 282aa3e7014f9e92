// Whether the processes of a server have nothing more to do, so that its address is taken although a better one might still come. Where
// that cannot be read, a time must do.

import type { ProcessActivity } from '../process/process-tree.ts'

const QUIET_DURATION_MS = 1500
const BUSY_LIMIT_MS = 10_000
/** Processor time that a waiting server may use, in clock ticks of 10 ms. */
const QUIET_LIMIT_TICKS = 3

/** Called at every poll; `isPending` says that an announced address does not answer yet. */
export function createQuietWatch(): (activity: ProcessActivity, isPending: boolean) => boolean {
  let firstAt: number | undefined
  let lastBusy = { at: 0, cpuTicks: 0 }
  return ({ cpuTicks = 0, isRunning }, isPending) => {
    const now = performance.now()
    const isBusy = isPending || isRunning || Math.abs(cpuTicks - lastBusy.cpuTicks) > QUIET_LIMIT_TICKS
    if (firstAt === undefined || isBusy) lastBusy = { at: now, cpuTicks }
    firstAt ??= now
    return now - lastBusy.at > QUIET_DURATION_MS || now - firstAt > BUSY_LIMIT_MS
  }
}
