// Pages opened ahead, so that a session starts at once.

import { isAnswering } from '../tab/while-alive.ts'
import type { Tab } from '../tab/tabs.ts'
import type { Outcome } from '../../core/failure.ts'
import { createExpiryTimer } from '../../runtime/sessions/expiry-timer.ts'

export interface WarmContexts {
  /** Opens what is missing, unless it has ended. */
  fill(): void
  /** One that answers, if there is one ahead. */
  take(): Promise<Tab | undefined>
  /** Opens no more. */
  end(): void
}

// Milliseconds in which the session that has just begun has the machine to itself, before a page is opened for the next one.
const QUIET = 300

export function keepWarmContexts(most: number, open: () => Promise<Outcome<Tab>>): WarmContexts {
  const ahead: Promise<Outcome<Tab>>[] = []
  let ended = false
  let due = false
  const fill = () => {
    due = false
    while (!ended && ahead.length < most) ahead.push(open())
  }
  const later = createExpiryTimer(() => performance.now(), fill)
  return {
    fill,
    async take() {
      const ready = await ahead.shift()
      const answering = ready?.ok && (await isAnswering(ready.value))
      if (!due) later.arm(performance.now() + QUIET)
      due = true
      if (ready?.ok && answering) return ready.value
      if (ready?.ok) void ready.value.context.close().catch(() => {})
      return undefined
    },
    end: () => void (ended = true),
  }
}
