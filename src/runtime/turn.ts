// One call's turn on the page of a session: it runs within its deadline, can be stopped from three sides, and is noted in the journal.

import type { Clock } from './clock.ts'
import { race, type Stop } from './deadline.ts'
import type { OwnedPage } from './ports/browsers.ts'
import type { Room, Visit } from './ports/desk.ts'
import type { Call } from './ports/page.ts'
import { roomOf, type OpenRoom } from './room.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err } from '../core/result.ts'
import type { Session } from '../core/session.ts'

export interface Turn<T> {
  readonly session: Session
  readonly room: OpenRoom
  /** Aborts when the session ends. */
  readonly ended: AbortSignal
  readonly visit: Visit
  /** Milliseconds, where the visit names none. */
  readonly timeout: number
  readonly use: (page: OwnedPage, call: Call, room: Room) => Promise<Outcome<T>>
  /** Why the session ended, asked when it did. */
  readonly whyEnded: () => Failure
  readonly clock: Clock
}

/** Runs the call once the page is there; from then on the deadline runs. */
export async function takeTurn<T>({
  session,
  room,
  ended,
  visit,
  timeout,
  use,
  whyEnded,
  clock,
}: Turn<T>): Promise<Outcome<T>> {
  const opened = await room.ready
  if (ended.aborted) return err(whyEnded())
  if (!opened.ok) return opened
  const { page } = opened.value
  const raced = await race(timeout + visit.grace, [visit.signal, ended], (signal) =>
    use(page, { timeout, signal }, roomOf(session, room, opened.value)),
  )
  const outcome = 'value' in raced ? raced.value : err(await overdue(raced.stopped))
  const text = `${visit.doing}: ${outcome.ok ? 'done' : outcome.error.code}`
  room.journal.add({ kind: 'action', at: clock(), text, level: outcome.ok ? 'info' : 'error' })
  return outcome

  async function overdue(stop: Stop): Promise<Failure> {
    if (stop === 'cancelled') return { code: 'CANCELLED' }
    if (stop === 'closed') return whyEnded()
    const state = await page.rescue()
    if (state === 'answering') return { code: 'TIMEOUT', waitedFor: visit.doing, waited: timeout }
    return { code: 'PAGE_HUNG', url: page.url(), waited: timeout, freed: state === 'freed' }
  }
}
