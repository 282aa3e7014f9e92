// The desk keeps what the sessions hold and performs what the store decides. Everything a tool needs around its few lines is here
// once: finding the session, its place in the queue, the deadline, cancellation, freeing a page that hangs, noting what was done.

import { cancellation, stopWith } from './deadline.ts'
import { gather } from './evidence.ts'
import { defaultTimeout, draftOf, type DeskOptions } from './policy.ts'
import type { Desk, Room, SessionRequest, Visit } from './ports/desk.ts'
import { createQueue } from './queue.ts'
import { openRoom, roomOf, type OpenRoom, type RoomPorts } from './room.ts'
import { createStore } from './store.ts'
import { takeTurn, type Turn } from './turn.ts'
import { emptySessions, findSession, refusal, sessionsOf, type Session } from '../core/session.ts'
import type { Effect } from '../core/transition.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, map, ok } from '../core/result.ts'

interface Entry {
  readonly stop: AbortController
  readonly room: OpenRoom
}

export interface EndingDesk extends Desk {
  /** Closes every session; servers get `patience` milliseconds. Settles when all is released. */
  end(patience: number): Promise<void>
}

const QUEUE_LIMIT = 100

export function createDesk(ports: RoomPorts, options: DeskOptions): EndingDesk {
  const { clock } = ports
  const entries = new Map<string, Entry>()
  const releases = new Map<string, Promise<Outcome<string>>>()
  const firsts = new Map<string, Promise<Outcome<Room>>>()
  const store = createStore(emptySessions(options.maxSessions, clock()), clock, perform)
  const queue = createQueue()
  const tell = options.onEvent ?? (() => {})
  let patience: number | undefined

  function perform({ id, cause }: Effect): void {
    const entry = entries.get(id)
    if (!entry) return store.send({ type: 'released', id })
    stopWith(entry.stop, 'closed')
    releases.set(id, release(id, entry))
    if (cause !== 'failed') tell({ event: 'session_ended', sessionId: id, reason: reasonOf(cause) })
  }

  async function release(id: string, { room }: Entry): Promise<Outcome<string>> {
    const outcome = await room.release(patience)
    entries.delete(id)
    releases.delete(id)
    store.send({ type: 'released', id })
    return outcome
  }

  async function create(
    owner: string,
    request: SessionRequest,
    { signal, progress }: Pick<Visit, 'signal' | 'progress'>,
  ): Promise<Outcome<Room>> {
    const draft = draftOf(owner, request, options)
    if (!draft.ok) return draft
    const refused = refusal(store.get(), draft.value)
    if (refused) return err(refused)
    const { id, browser } = draft.value
    store.send({ type: 'open', draft: draft.value })
    const room = openRoom(request, ports, {
      progress,
      lost: (failure) => store.send({ type: 'lost', id, failure }),
      serverEnded: (how) => tell({ event: 'server_ended', sessionId: id, reason: how }),
    })
    entries.set(id, { stop: new AbortController(), room })
    const opened = await Promise.race([room.ready, cancellation(signal)])
    if (!opened.ok) {
      store.send({ type: 'failed', id })
      await releases.get(id)
      return opened
    }
    store.send({ type: 'opened', id })
    const session = findSession(store.get(), owner, id)
    if (session.ok) tell({ event: 'session_started', sessionId: id, browser })
    return map(session, (one) => roomOf(one, room, opened.value))
  }

  async function close(owner: string, key: string): Promise<Outcome<{ id: string; message: string }>> {
    const closing = [...store.get().byId.values()].find(
      (s) => s.owner === owner && s.status === 'closing' && s.id === key,
    )
    const found = closing ? ok(closing) : findSession(store.get(), owner, key)
    if (!found.ok) return found
    const { id } = found.value
    store.send({ type: 'close', id })
    const released = (await releases.get(id)) ?? ok('')
    return map(released, (message) => ({ id, message }))
  }

  async function onPage<T>(visit: Visit, use: Parameters<Desk['onPage']>[1]): Promise<Outcome<T>> {
    const found = await pick(visit)
    if (!found.ok) return found
    const { session, entry } = found.value
    const waiting = queue.size(session.id)
    if (waiting >= QUEUE_LIMIT) return err({ code: 'SESSION_BUSY', sessionId: session.id, waiting })
    const turn = {
      session,
      room: entry.room,
      ended: entry.stop.signal,
      visit,
      timeout: visit.timeout ?? defaultTimeout(session, visit.pace, options),
      use: use as Turn<T>['use'],
      whyEnded: () => whyEnded(session),
      clock,
    }
    return counted(session.id, () => queue.run(session.id, () => takeTurn(turn)))
  }

  async function onRoom<T>(visit: Visit, use: (room: Room) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const found = await pick(visit)
    if (!found.ok) return found
    const { session, entry } = found.value
    return counted(session.id, async () => {
      const opened = await entry.room.ready
      return opened.ok ? use(roomOf(session, entry.room, opened.value)) : opened
    })
  }

  async function counted<T>(id: string, work: () => Promise<T>): Promise<T> {
    store.send({ type: 'called', id })
    try {
      return await work()
    } finally {
      store.send({ type: 'answered', id })
    }
  }

  // Told to a call that was under way: later the id of a closed session is unknown.
  function whyEnded({ id, owner }: Session): Failure {
    const ended = findSession(store.get(), owner, id)
    return ended.ok || ended.error.code === 'SESSION_NOT_FOUND'
      ? { code: 'SESSION_CLOSED', sessionId: id }
      : ended.error
  }

  // Without a key the owner's only session is meant, and is made at its first use.
  async function pick({
    owner,
    key,
    signal,
    progress,
  }: Visit): Promise<Outcome<{ session: Session; entry: Entry }>> {
    if (key !== undefined) return held(findSession(store.get(), owner, key))
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
    if (only) return held(ok(only))
    const first =
      firsts.get(owner) ?? create(owner, {}, { signal, progress }).finally(() => firsts.delete(owner))
    firsts.set(owner, first)
    return held(map(await first, ({ session }) => session))
  }

  function held(session: Outcome<Session>): Outcome<{ session: Session; entry: Entry }> {
    if (!session.ok) return session
    const entry = entries.get(session.value.id)
    return entry
      ? ok({ session: session.value, entry })
      : err({ code: 'SESSION_NOT_FOUND', sessionId: session.value.id })
  }

  const evidence: Desk['evidence'] = async (owner, key, failure) => {
    const mine = sessionsOf(store.get(), owner)
    const session = key === undefined ? mine[0] : mine.find(({ id, name }) => id === key || name === key)
    const room = session && entries.get(session.id)?.room
    return room && gather(room, failure, options.evidence, clock())
  }

  return {
    create,
    close,
    list: (owner) => sessionsOf(store.get(), owner),
    onPage: onPage as Desk['onPage'],
    onRoom,
    evidence,
    async end(time) {
      patience = time
      for (const id of store.get().byId.keys()) store.send({ type: 'close', id })
      await Promise.all(releases.values())
    },
  }
}

const reasonOf = (cause: Effect['cause']): string =>
  typeof cause === 'string' ? cause : 'reason' in cause ? cause.reason : cause.code
