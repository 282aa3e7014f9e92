// Detects that the processes of a server are idle, so that no better URL is expected. If their activity cannot be read, a time limit
// decides.

import type { ProcessActivity } from '../process/process-activity.ts'

const QUIET_DURATION_MS = 1500
const BUSY_LIMIT_MS = 10_000
/** CPU time that an idle server may use, in clock ticks of 10 ms. */
const QUIET_LIMIT_TICKS = 3

/** Returns a function for every poll; `isPending`: an announced URL does not respond yet. */
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
