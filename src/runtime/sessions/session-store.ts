// Holds the mutable state of all sessions. `send` assigns the new state and sets the expiry timer before it performs the effects, so an
// effect may call `send` again.

import { createExpiryTimer } from './expiry-timer.ts'
import type { Clock } from '../clock.ts'
import { nextWakeTimeOf, type SessionsState } from '../../core/session/session.ts'
import { transition, type SessionEffect, type SessionEvent } from '../../core/session/transition.ts'

export interface Store {
  get(): SessionsState
  send(event: WithoutTime<SessionEvent>): void
}

type WithoutTime<E> = E extends { at: number } ? Omit<E, 'at'> : never

export function createStore(
  initial: SessionsState,
  clock: Clock,
  perform: (effect: SessionEffect) => void,
): Store {
  let state = initial
  const expiryTimer = createExpiryTimer(clock, () => store.send({ type: 'ticked' }))
  const store: Store = {
    get: () => state,
    send(event) {
      const [next, effects] = transition(state, { ...event, at: clock() } as SessionEvent)
      state = next
      expiryTimer.arm(nextWakeTimeOf(state))
      effects.forEach(perform)
    },
  }
  return store
}
