// What happened in one session, on one clock: actions, console, requests, server lines. Each kind has room of its own, so that a
// chatty one does not push the others out; what was dropped is counted.

export type Kind = 'action' | 'console' | 'request' | 'server'

export interface Entry {
  readonly seq: number
  /** Unix milliseconds. */
  readonly at: number
  readonly kind: Kind
  readonly text: string
  /** How bad it is: an error is what a person would look at first. */
  readonly level: 'error' | 'warning' | 'info' | 'debug'
  readonly data?: Readonly<Record<string, unknown>>
}

export interface Journal {
  add(entry: Omit<Entry, 'seq'>): void
  /** The newest `limit` entries that pass, in the order they happened; `before` and `since` are seqs, both exclusive. */
  read(query: Query): Page
}

export interface Query {
  readonly kinds?: readonly Kind[]
  readonly since?: number
  readonly before?: number
  readonly limit: number
  readonly accept?: (entry: Entry) => boolean
}

export interface Page {
  readonly entries: readonly Entry[]
  /** Pass it as `before` for the entries before these. */
  readonly cursor?: number
  readonly dropped: number
}

export interface Limits {
  readonly entries: number
  readonly bytes: number
}

const LONGEST = 4000

/** Limits hold for each kind. */
export function createJournal(limits: Limits): Journal {
  const rooms = new Map<Kind, Room>()
  let seq = 0
  return {
    add(entry) {
      const room = rooms.get(entry.kind) ?? { list: [], start: 0, bytes: 0, dropped: 0 }
      rooms.set(entry.kind, room)
      seq += 1
      const text = entry.text.length > LONGEST ? `${entry.text.slice(0, LONGEST)}…` : entry.text
      room.list.push({ ...entry, text, seq })
      room.bytes += weight(text)
      while (room.list.length - room.start > limits.entries || room.bytes > limits.bytes) dropFirst(room)
    },
    read({ kinds, since = 0, before = Infinity, limit, accept = () => true }) {
      const chosen = [...rooms].filter(([kind]) => !kinds || kinds.includes(kind)).map(([, room]) => room)
      const matching = chosen
        .flatMap(({ list, start }) => list.slice(start))
        .filter((entry) => entry.seq > since && entry.seq < before && accept(entry))
        .sort((a, b) => a.seq - b.seq)
      const entries = matching.slice(-limit)
      const dropped = chosen.reduce((sum, room) => sum + room.dropped, 0)
      const [first] = entries
      return { entries, dropped, ...(first && matching.length > entries.length && { cursor: first.seq }) }
    },
  }
}

// --- internal ---

interface Room {
  list: Entry[]
  /** Entries before it are dropped; the array is cut now and then, not at every drop. */
  start: number
  bytes: number
  dropped: number
}

const weight = (text: string): number => text.length * 2 + 100

function dropFirst(room: Room): void {
  room.bytes -= weight(room.list[room.start]?.text ?? '')
  room.start += 1
  room.dropped += 1
  if (room.start < 1000) return
  room.list.splice(0, room.start)
  room.start = 0
}
