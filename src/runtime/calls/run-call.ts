// One call's turn on the page of a session: it runs within its deadline, can be stopped from three sides, and is noted in the journal.

import type { Clock } from '../clock.ts'
import { race, type Raced, type Stop } from './deadline.ts'
import type { OwnedPage } from '../ports/browsers.ts'
import type { OpenSession, CallRequest } from '../ports/session-manager.ts'
import type { Call } from '../ports/page.ts'
import type { Queue } from './call-queue.ts'
import type { ReadyResources, SessionResources } from '../sessions/session-resources.ts'
import { openSessionOf } from '../sessions/open-session.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Session } from '../../core/session/session.ts'

export interface Turn<T> {
  readonly session: Session
  readonly resources: SessionResources
  /** Aborts when the session ends. */
  readonly ended: AbortSignal
  readonly request: CallRequest
  /** Milliseconds, where the request names none. */
  readonly timeout: number
  readonly use: (page: OwnedPage, call: Call, session: OpenSession) => Promise<Outcome<T>>
  readonly after: ((page: OwnedPage, call: Call, session: OpenSession, value: T) => Promise<T>) | undefined
  /** Looks at what explains a failure while the page is still as it left it, and before the next call changes that. */
  readonly explain: (failure: Failure) => Promise<Failure>
  /** Why the session ended, asked when it did. */
  readonly whyEnded: () => Failure
  readonly clock: Clock
}

const QUEUE_LIMIT = 100
const UNSENT = 200
const DOING_LENGTH = 200

type Stopped = Extract<Raced<unknown>, { stopped: Stop }>

/** The longest that a timer takes, in milliseconds. */
const UNLIMITED = 2 ** 31 - 1

/** A call whose question to a person is still open; it has left its turn. */
interface Asking {
  readonly asking: Promise<Outcome<void>>
}

/** Waits for the call's turn and runs it. One that has to wait for a person lets those behind it go first and comes again. */
export async function takeTurn<T>(turn: Turn<T>, queue: Queue): Promise<Outcome<T>> {
  const outcome = await runInTurn(turn, queue)
  if (!('asking' in outcome)) return outcome
  const may = await outcome.asking
  const { before: _, ...request } = turn.request
  return may.ok ? takeTurn({ ...turn, request }, queue) : may
}

/** Waits for the call's turn and runs it; from then on its deadline runs. What is ahead of it ends by deadlines of its own, so a call
 * that failed costs those behind it nothing but time; only a call that asks for an answer sooner than that does not wait so long. */
async function runInTurn<T>(turn: Turn<T>, queue: Queue): Promise<Outcome<T> | Asking> {
  const { session, request, ended, timeout } = turn
  const waiting = queue.size(session.id)
  if (waiting >= QUEUE_LIMIT) return err({ code: 'SESSION_BUSY', sessionId: session.id, waiting })
  const patience = queue.longest(session.id) > timeout ? patienceOf(request) : UNLIMITED
  let state: 'waiting' | 'running' | 'gone' = 'waiting'
  let begin = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const job = async () => {
    if (state === 'gone') return err<Failure>({ code: 'CANCELLED' })
    state = 'running'
    begin()
    const outcome = await run(turn)
    return 'asking' in outcome || outcome.ok ? outcome : err(await turn.explain(outcome.error))
  }
  const result = queue.run(session.id, job, timeout)
  const waited = await race(patience, [request.signal, ended], () => begun)
  if ('value' in waited || state !== 'waiting') return result
  state = 'gone'
  result.catch(() => {})
  return err(notBegun(waited.stopped, turn, `${waiting} earlier calls of the same session`))
}

const patienceOf = ({ timeout = UNLIMITED }: CallRequest): number => timeout

async function run<T>(turn: Turn<T>): Promise<Outcome<T> | Asking> {
  const { session, resources, ended, request, timeout, use, clock } = turn
  const ready = await race(patienceOf(request), [request.signal, ended], () => resources.ready)
  if ('stopped' in ready) return err(notBegun(ready.stopped, turn, 'the session to open'))
  const opened = ready.value
  if (!opened.ok) return opened
  const { page } = opened.value
  const may = await permitted(turn, opened.value)
  if ('asking' in may || !may.ok) return may
  const begun = resources.journal.last()
  if (request.changesPage && request.timeoutKind === 'navigation') resources.evidenceSeq = begun
  const raced = await race(timeout + request.grace, [request.signal, ended], (signal) =>
    use(page, { timeout, signal }, openSessionOf(session, resources, opened.value)),
  )
  const outcome = 'value' in raced ? raced.value : err(await overdue(raced, turn, page))
  const doing = resources.redactor.text(request.description).slice(0, DOING_LENGTH)
  const text = `${doing}: ${outcome.ok ? 'done' : outcome.error.code}`
  resources.journal.add({ kind: 'action', at: clock(), text, level: outcome.ok ? 'info' : 'error' })
  if (outcome.ok && request.changesPage) resources.evidenceSeq = begun
  return outcome.ok && turn.after ? ok(await finish(turn, page, outcome.value)) : outcome
}

// What needs no person is known soon, and calls sent at once keep their order. A person takes any time, so that does not count.
const DECISION_MS = 1000

async function permitted<T>(
  { session, resources, ended, request, whyEnded }: Turn<T>,
  opened: ReadyResources,
): Promise<Outcome<void> | Asking> {
  const { before } = request
  if (!before) return ok(undefined)
  const ask = async (): Promise<Outcome<void>> => {
    const asked = await race(UNLIMITED, [request.signal, ended], () =>
      before(openSessionOf(session, resources, opened)),
    )
    if ('value' in asked) return asked.value
    return err(asked.stopped === 'closed' ? whyEnded() : { code: 'CANCELLED' })
  }
  const asking = ask()
  const soon = await race(DECISION_MS, [], () => asking)
  return 'value' in soon ? soon.value : { asking }
}

/** Milliseconds in which an answer that is there may be added to. */
const AFTER = 3000

async function finish<T>(
  { session, resources, ended, request, after }: Turn<T>,
  page: OwnedPage,
  value: T,
): Promise<T> {
  const opened = await resources.ready
  if (!opened.ok || !after) return value
  const added = await race(AFTER, [request.signal, ended], (signal) =>
    after(page, { timeout: AFTER, signal }, openSessionOf(session, resources, opened.value), value),
  )
  return 'value' in added ? added.value : value
}

function turnedAway<T>(stop: Stop, { whyEnded, timeout }: Turn<T>, waitedFor: string): Failure {
  if (stop === 'closed') return whyEnded()
  return stop === 'cancelled' ? { code: 'CANCELLED' } : { code: 'TIMEOUT', waitedFor, waited: timeout }
}

function notBegun<T>(stop: Stop, turn: Turn<T>, waitedFor: string): Failure {
  const failure = turnedAway(stop, turn, waitedFor)
  return failure.code === 'TIMEOUT' ? { ...failure, begun: false } : failure
}

// What was stopped may have left a script running that would keep the next call out.
async function overdue<T>(
  { stopped: stop, rest }: Stopped,
  turn: Turn<T>,
  page: OwnedPage,
): Promise<Failure> {
  if (stop === 'closed') return turn.whyEnded()
  // A call that is taken back at once may not have reached the page yet.
  if (stop === 'cancelled') await race(UNSENT, [], () => rest)
  const state = await page.recover()
  if (stop === 'cancelled' || state === 'answering') return turnedAway(stop, turn, turn.request.description)
  return { code: 'PAGE_HUNG', url: page.url(), waited: turn.timeout, freed: state === 'freed' }
}
