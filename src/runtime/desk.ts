// The desk keeps the pages of the sessions and performs what the store decides. Everything a tool needs around its few lines is
// here once: finding the session, its place in the queue, the deadline, cancellation, and freeing a page that hangs.

import type { Clock } from './clock.ts'
import { race, stopWith, type Stop } from './deadline.ts'
import { defaultTimeout, draftOf, type DeskOptions } from './policy.ts'
import type { Browsers, Call, Desk, OwnedPage, Page, SessionRequest, Visit } from './ports.ts'
import { createQueue } from './queue.ts'
import { createStore } from './store.ts'
import { emptySessions, findSession, refusal, sessionsOf, type Session } from '../core/session.ts'
import type { Effect } from '../core/transition.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'

interface Entry {
  readonly stop: AbortController
  readonly page: Promise<Outcome<OwnedPage>>
}

const QUEUE_LIMIT = 100
const RELEASE_LIMIT = 5000

/** A desk that can also be ended: `end` closes every session and settles when all pages are released. */
export function createDesk(
  browsers: Browsers,
  clock: Clock,
  options: DeskOptions,
): Desk & { end(): Promise<void> } {
  const entries = new Map<string, Entry>()
  const releases = new Map<string, Promise<void>>()
  const firsts = new Map<string, Promise<Outcome<Session>>>()
  const store = createStore(emptySessions(options.maxSessions, clock()), clock, perform)
  const queue = createQueue()

  function perform({ id, cause }: Effect): void {
    const entry = entries.get(id)
    if (!entry) return store.send({ type: 'released', id })
    stopWith(entry.stop, 'closed')
    releases.set(id, release(id, entry))
    const reason = typeof cause === 'string' ? cause : 'reason' in cause ? cause.reason : cause.code
    if (cause !== 'failed') options.onEvent?.({ event: 'session_ended', sessionId: id, reason })
  }

  async function release(id: string, { page }: Entry): Promise<void> {
    await race(RELEASE_LIMIT, [], async () => {
      const opened = await page
      if (opened.ok) await opened.value.release()
    }).catch(() => {})
    entries.delete(id)
    releases.delete(id)
    store.send({ type: 'released', id })
  }

  async function create(
    owner: string,
    request: SessionRequest,
    signal: AbortSignal,
  ): Promise<Outcome<Session>> {
    const draft = draftOf(owner, request, options)
    if (!draft.ok) return draft
    const refused = refusal(store.get(), draft.value)
    if (refused) return err(refused)
    const { id } = draft.value
    store.send({ type: 'open', draft: draft.value })
    const page = browsers.open(request, (failure) => store.send({ type: 'lost', id, failure }))
    const stop = new AbortController()
    entries.set(id, { stop, page })
    const opened = await Promise.race([page, aborted(signal)])
    if (!opened.ok) {
      store.send({ type: 'failed', id })
      return opened
    }
    store.send({ type: 'opened', id })
    const session = findSession(store.get(), owner, id)
    if (session.ok)
      options.onEvent?.({ event: 'session_started', sessionId: id, browser: draft.value.browser })
    return session
  }

  async function close(owner: string, key: string): Promise<Outcome<Session>> {
    const closing = [...store.get().byId.values()].find(
      (s) => s.owner === owner && s.status === 'closing' && s.id === key,
    )
    const found = closing ? ok(closing) : findSession(store.get(), owner, key)
    if (!found.ok) return found
    store.send({ type: 'close', id: found.value.id })
    await releases.get(found.value.id)
    return found
  }

  async function onPage<T>(visit: Visit, use: Use<T>): Promise<Outcome<T>> {
    const found = await pick(visit)
    if (!found.ok) return found
    const session = found.value
    if (queue.size(session.id) >= QUEUE_LIMIT) {
      return err({ code: 'SESSION_BUSY', sessionId: session.id, waiting: QUEUE_LIMIT })
    }
    const entry = entries.get(session.id)
    if (!entry) return err({ code: 'SESSION_NOT_FOUND', sessionId: session.id })
    store.send({ type: 'called', id: session.id })
    try {
      return await queue.run(session.id, () => take(session, entry, visit, use))
    } finally {
      store.send({ type: 'answered', id: session.id })
    }
  }

  // One call's turn: the page is ready or being opened, and from here the deadline runs.
  async function take<T>(
    session: Session,
    { page, stop }: Entry,
    visit: Visit,
    use: Use<T>,
  ): Promise<Outcome<T>> {
    const opened = await page
    if (stop.signal.aborted) return err(stopped('closed', session, visit, 0))
    if (!opened.ok) return opened
    const timeout = visit.timeout ?? defaultTimeout(session, visit.pace, options)
    const raced = await race(timeout + visit.grace, [visit.signal, stop.signal], (signal) =>
      use(opened.value, { timeout, signal }, session),
    )
    if ('value' in raced) return raced.value
    if (raced.stopped !== 'deadline') return err(stopped(raced.stopped, session, visit, timeout))
    const state = await opened.value.rescue()
    if (state === 'answering') return err(stopped('deadline', session, visit, timeout))
    return err({ code: 'PAGE_HUNG', url: opened.value.url(), waited: timeout, freed: state === 'freed' })
  }

  function stopped(stop: Stop, { id, owner }: Session, visit: Visit, waited: number): Failure {
    if (stop === 'cancelled') return { code: 'CANCELLED' }
    if (stop === 'deadline') return { code: 'TIMEOUT', waitedFor: visit.doing, waited }
    const ended = findSession(store.get(), owner, id)
    if (ended.ok || ended.error.code === 'SESSION_NOT_FOUND') return { code: 'SESSION_CLOSED', sessionId: id }
    return ended.error
  }

  // Without a key the owner's only session is meant, and is made at its first use.
  async function pick({ owner, key, signal }: Visit): Promise<Outcome<Session>> {
    if (key !== undefined) return findSession(store.get(), owner, key)
    const mine = sessionsOf(store.get(), owner)
    const received = mine.length === 0 ? 'nothing' : `nothing, while ${mine.length} sessions are open`
    if (!options.implicitSession || mine.length > 1) {
      return err({
        code: 'INVALID_PARAMETERS',
        field: 'sessionId',
        expected: 'the id or name of a session',
        received,
      })
    }
    const [only] = mine
    if (only) return ok(only)
    const first = firsts.get(owner) ?? create(owner, {}, signal).finally(() => firsts.delete(owner))
    firsts.set(owner, first)
    return first
  }

  return {
    create,
    close,
    list: (owner) => sessionsOf(store.get(), owner),
    onPage,
    async end() {
      for (const id of store.get().byId.keys()) store.send({ type: 'close', id })
      await Promise.all(releases.values())
    },
  }
}

// --- internal ---

type Use<T> = (page: Page, call: Call, session: Session) => Promise<Outcome<T>>

function aborted(signal: AbortSignal): Promise<Outcome<never>> {
  const cancelled = err<Failure>({ code: 'CANCELLED' })
  if (signal.aborted) return Promise.resolve(cancelled)
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(cancelled), { once: true }))
}
