// The one timer of all sessions. It is armed for the time the state derives; arming again replaces, and there is nothing to cancel.

import type { Clock } from '../clock.ts'

export interface ExpiryTimer {
  arm(at: number | undefined): void
}

const LONGEST = 2 ** 31 - 1

export function createExpiryTimer(clock: Clock, ring: () => void): ExpiryTimer {
  let timer: ReturnType<typeof setTimeout> | undefined
  let armedFor: number | undefined
  return {
    arm(at) {
      if (at === armedFor) return
      clearTimeout(timer)
      armedFor = at
      if (at === undefined) return
      const delay = Math.min(Math.max(0, at - clock()), LONGEST)
      timer = setTimeout(() => {
        armedFor = undefined
        ring()
      }, delay)
      timer.unref?.()
    },
  }
}
