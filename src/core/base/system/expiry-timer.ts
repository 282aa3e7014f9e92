// The only timer of all sessions. It is set to the next wake time of the state; setting it again replaces the previous time.

import type { Clock } from './timer.ts'

/** The maximum delay of `setTimeout`. */
const DELAY_LIMIT_MS = 2 ** 31 - 1

export function createExpiryTimer(clock: Clock, onExpiry: () => void): { arm(at: number | undefined): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let armedFor: number | undefined
  return {
    arm(at) {
      if (at === armedFor) return
      clearTimeout(timer)
      armedFor = at
      if (at === undefined) return
      const delay = Math.min(Math.max(0, at - clock()), DELAY_LIMIT_MS)
      timer = setTimeout(() => {
        armedFor = undefined
        onExpiry()
      }, delay)
      timer.unref?.()
    },
  }
}
