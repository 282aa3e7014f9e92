// Who acts in a session now, and what people leave for its agent: a note when they return the session, and comments on elements.

import type { Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { race } from '../../core/base/system/race-deadline.ts'
import { createDeferred, type Deferred } from '../../core/base/system/settle-within.ts'
import { type Clock, startTimer, type Timer } from '../../core/base/system/timer.ts'
import type { WithoutTime } from '../../core/sessions/store/transition.ts'
import type { Comment } from '../../core/sessions/types/person.ts'
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
    members: { control, waitForComment: (deadline) => waitForComment(control, id, deadline) },
    refuseCall: () =>
      control.state().by === 'agent' ? undefined : { code: 'SESSION_BUSY', sessionId: id, reason: 'person' },
    describeCall() {
      const note = control.takeNote()
      const comments = control.takeComments(COMMENTS_OF_CALL_LIMIT).map(({ image: _, ...comment }) => comment)
      return {
        data: { ...(note !== undefined && { person: { note } }), ...(comments.length > 0 && { comments }) },
        isChange: note !== undefined,
      }
    },
  }
}

interface SessionControl {
  state(): ControlState
  /** Returns the state after the event. */
  send(event: WithoutTime<ControlEvent>): ControlState
  /** Resolves when the session is the agent's. */
  waitForAgent(): Promise<void>
  /** Resolves when a person has it. */
  waitForPerson(): Promise<void>
  /** Keeps the note of the person who returns the session for the next `takeNote`. */
  leaveNote(note: string): void
  /** The note of the person who has had the session since the last call of this function; empty without words. */
  takeNote(): string | undefined
  addComment(comment: Comment): void
  /** The comments since the last call, at most `limit`. */
  takeComments(limit: number): readonly Comment[]
  waitForComment(): Promise<void>
}

const COMMENT_LIMIT = 50
const COMMENTS_OF_CALL_LIMIT = 5

function createSessionControl(clock: Clock): SessionControl {
  let state: ControlState = agentControl
  let note: string | undefined
  let comments: readonly Comment[] = []
  let timer: Timer | undefined
  const waiting = { agent: new Set<Deferred<void>>(), person: new Set<Deferred<void>>() }
  const commentWaits = new Set<Deferred<void>>()

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
    addComment(comment) {
      comments = [...comments, comment].slice(-COMMENT_LIMIT)
      settle(commentWaits)
    },
    takeComments(limit) {
      const taken = comments.slice(0, limit)
      comments = comments.slice(limit)
      return taken
    },
    waitForComment: () => (comments.length > 0 ? Promise.resolve() : waitIn(commentWaits)),
  }
}

/** The next comment. Fails with TIMEOUT at the deadline, with SESSION_BUSY if a person takes the session. */
async function waitForComment(
  control: SessionControl,
  sessionId: string,
  { signal, timeout, remaining }: Deadline,
): Promise<Outcome<Comment>> {
  const event = await race(remaining(), [signal], () =>
    Promise.race([control.waitForComment(), control.waitForPerson()]),
  )
  const [comment] = control.takeComments(1)
  if (comment) return ok(comment)
  return 'value' in event
    ? err({ code: 'SESSION_BUSY', sessionId, reason: 'person' })
    : err({ code: 'TIMEOUT', waitedFor: 'a comment in footlight view', waited: timeout })
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
