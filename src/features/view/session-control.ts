// Who acts in a session now, and the note that a person leaves for its agent when they return the session.

import { createDeferred, type Deferred } from '../../core/base/system/settle-within.ts'
import { type Clock, startTimer, type Timer } from '../../core/base/system/timer.ts'
import type { WithoutTime } from '../../core/sessions/store/transition.ts'
import type { NewSession, SessionFeature } from '../../core/sessions/types/session-feature.ts'
import { agentControl, changeControl, type ControlEvent, type ControlState, endOf } from './control.ts'

declare module '../../core/sessions/types/owned-session.ts' {
  interface OwnedSession {
    readonly control: SessionControl
    /** While a person has the session. */
    personRecording?: Promise<PersonRecording> | undefined
  }

  interface OpeningSession {
    readonly control: SessionControl
  }
}

export interface PersonRecording {
  /** Waits until what the person has done is noticed. */
  settle(): Promise<void>
  end(): void
}

/** Refuses calls of the agent while a person has the session, and tells it what they leave. */
export function addControl({ record: { id }, ports: { clock } }: NewSession): SessionFeature {
  const control = createSessionControl(clock)
  return {
    members: { control },
    refuseCall: () =>
      control.state().by === 'agent' ? undefined : { code: 'SESSION_BUSY', sessionId: id, reason: 'person' },
    describeCall() {
      const note = control.takeNote()
      return note === undefined ? undefined : { data: { person: { note } }, isChange: true }
    },
  }
}

interface SessionControl {
  state(): ControlState
  /** Returns the state after the event. */
  send(event: WithoutTime<ControlEvent>): ControlState
  waitForAgent(): Promise<void>
  /** Resolves when a person has it. */
  waitForPerson(): Promise<void>
  /** Keeps the note of the person who returns the session for the next `takeNote`. */
  leaveNote(note: string): void
  /** The note of the person who has had the session since the last call of this function; empty without words. */
  takeNote(): string | undefined
}

function createSessionControl(clock: Clock): SessionControl {
  let state: ControlState = agentControl
  let note: string | undefined
  let timer: Timer | undefined
  const waiting = { agent: new Set<Deferred<void>>(), person: new Set<Deferred<void>>() }

  function send(event: WithoutTime<ControlEvent>): ControlState {
    const before = state
    state = changeControl(before, { ...event, at: clock() } as ControlEvent)
    timer?.stop()
    timer =
      state.by === 'agent'
        ? undefined
        : startTimer(endOf(state) - clock(), () => void send({ type: 'ticked' }))
    if (before.by === 'person' && state.by !== 'person') note ??= ''
    if (state.by === 'agent') settle(waiting.agent)
    if (state.by === 'person') settle(waiting.person)
    return state
  }

  return {
    state: () => state,
    send,
    waitForAgent: () => (state.by === 'agent' ? Promise.resolve() : waitIn(waiting.agent)),
    waitForPerson: () => (state.by === 'person' ? Promise.resolve() : waitIn(waiting.person)),
    leaveNote: (text) => void (note = [note, text].filter(Boolean).join('\n')),
    takeNote() {
      const taken = note
      note = undefined
      return taken
    },
  }
}

// --- internal ---

function waitIn(waits: Set<Deferred<void>>): Promise<void> {
  const wait = createDeferred()
  waits.add(wait)
  return wait.promise
}

function settle(waits: Set<Deferred<void>>): void {
  for (const { resolve } of waits) resolve()
  waits.clear()
}
