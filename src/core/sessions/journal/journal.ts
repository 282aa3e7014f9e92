// The events of one session, in order: actions, page events, console messages, requests, server lines. Each kind has its own limit, so
// that a frequent kind does not displace the others; dropped entries are counted.

import { createRingBuffer, type RingBuffer, type RingBufferLimits } from '../../base/bounded-collections.ts'
import { clip } from '../../base/text/clip.ts'

export type EntryKind = 'action' | 'page' | 'console' | 'request' | 'server'

export interface JournalEntry {
  /** Its number in the session. */
  readonly seq: number
  /** Unix milliseconds. */
  readonly at: number
  readonly kind: EntryKind
  readonly text: string
  /** The message alone, without the prefix of `text`. */
  readonly message?: string
  /** How many entries before this one the source omitted. */
  readonly omittedBefore?: number
  readonly level: 'error' | 'warning' | 'info' | 'debug'
  readonly data?: Readonly<Record<string, unknown>>
  /** Of a call that did nothing on the page, or whose own calls have entries: it is no step. */
  readonly isSilent?: boolean | undefined
}

export interface Journal {
  add(entry: Omit<JournalEntry, 'seq'>): JournalEntry
  /** Puts another text or other data in the place of an entry; a dropped one is ignored. */
  replace(entry: JournalEntry, next: JournalEntry): void
  /** The newest `limit` matching entries, oldest first; `before` and `since` are exclusive sequence numbers. */
  read(query: JournalQuery): EntryPage<JournalEntry>
  /** The last number that an entry of the session has. */
  lastSeq(): number
  /** How often an entry was added or replaced. */
  changeCount(): number
  /** Calls `listener` after each new entry of these kinds; returns a function that stops that. */
  watch(kinds: readonly EntryKind[], listener: () => void): () => void
}

interface JournalQuery {
  readonly kinds?: readonly EntryKind[]
  readonly since?: number
  readonly before?: number
  readonly limit: number
  readonly accept?: (entry: JournalEntry) => boolean
}

export interface EntryPage<T> {
  readonly entries: readonly T[]
  /** The value of `before` for the previous page. */
  readonly cursor?: number
  readonly dropped: number
}

// More than is ever shown, because it is redacted before it is cut.
const ENTRY_TEXT_LIMIT_CHARS = 12_000

/** The limits apply to each kind. */
export function createJournal(limits: RingBufferLimits, numbering: Numbering = createNumbering()): Journal {
  const ringByKind = new Map<EntryKind, RingBuffer<JournalEntry>>()
  const listeners = new Set<{ kinds: readonly EntryKind[]; listener: () => void }>()
  const omittedCounts = new Map<EntryKind, number>()
  let changeCount = 0
  return {
    add(entry) {
      changeCount += 1
      const ring = ringByKind.get(entry.kind) ?? createRingBuffer<JournalEntry>(limits)
      ringByKind.set(entry.kind, ring)
      const text = clip(entry.text, ENTRY_TEXT_LIMIT_CHARS)
      if (entry.omittedBefore)
        omittedCounts.set(entry.kind, (omittedCounts.get(entry.kind) ?? 0) + entry.omittedBefore)
      const added = { ...entry, text, seq: numbering.next() }
      ring.add(added, (text.length + (entry.message?.length ?? 0)) * 2 + 100)
      for (const { kinds, listener } of listeners) if (kinds.includes(entry.kind)) listener()
      return added
    },
    replace(entry, next) {
      changeCount += 1
      ringByKind.get(entry.kind)?.replace(entry, next)
    },
    read({ kinds, ...query }) {
      const isRequested = (kind: EntryKind) => !kinds || kinds.includes(kind)
      const selectedRings = [...ringByKind].filter(([kind]) => isRequested(kind)).map(([, ring]) => ring)
      const entries = selectedRings.flatMap((ring) => [...ring.items()])
      if (selectedRings.length > 1) entries.sort((a, b) => a.seq - b.seq)
      const sourceDrops = [...omittedCounts].filter(([kind]) => isRequested(kind)).map(([, count]) => count)
      const dropped = [...selectedRings.map((ring) => ring.droppedCount()), ...sourceDrops].reduce(
        (sum, count) => sum + count,
        0,
      )
      return { ...selectNewest(entries, query), dropped }
    },
    lastSeq: numbering.last,
    changeCount: () => changeCount,
    watch(kinds, listener) {
      const registration = { kinds, listener }
      listeners.add(registration)
      return () => listeners.delete(registration)
    },
  }
}

/** The newest `limit` of `items`, which are oldest first, and the cursor of the previous page. */
export function selectNewest<T extends { readonly seq: number }>(
  items: readonly T[],
  {
    since = 0,
    before = Infinity,
    limit,
    accept = () => true,
  }: { since?: number; before?: number; limit: number; accept?: (item: T) => boolean },
): Omit<EntryPage<T>, 'dropped'> {
  const entries: T[] = []
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index]
    if (!item || item.seq <= since) break
    if (item.seq >= before || !accept(item)) continue
    const oldest = entries.at(-1)
    if (entries.length === limit) return { entries: entries.toReversed(), cursor: oldest?.seq }
    entries.push(item)
  }
  return { entries: entries.toReversed() }
}

// Positions in the logs of the dev server, under the numbers of its session: a log is followed by a number like every other list.
export interface LogPositions {
  /** Gives the end of what was read of a log a number. */
  add(log: string, position: number): number
  /** The position that a log had at this number or, where nothing was read then, before it; 0 is its beginning. */
  at(log: string, seq: number): number
}

const POSITION_LIMIT = 1000

export function createLogPositions(numbering: Numbering): LogPositions {
  let positions: readonly { readonly log: string; readonly seq: number; readonly position: number }[] = []
  return {
    add(log, position) {
      const seq = numbering.next()
      positions = [...positions, { log, seq, position }].slice(-POSITION_LIMIT)
      return seq
    },
    at: (log, seq) => positions.findLast((entry) => entry.log === log && entry.seq <= seq)?.position ?? 0,
  }
}

/** The numbers of the entries of one session: no two have the same. */
export interface Numbering {
  next(): number
  /** The last number that was given; 0 before the first. */
  last(): number
}

export function createNumbering(): Numbering {
  let last = 0
  return {
    next: () => (last += 1),
    last: () => last,
  }
}
