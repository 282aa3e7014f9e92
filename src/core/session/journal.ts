// What happened in one session, on one clock: actions, what the page did by itself, console, requests, server lines. Each kind has
// room of its own, so that a chatty one does not push the others out; what was dropped is counted.

import { createRingBuffer, type RingBufferLimits, type RingBuffer } from '../limits/ring-buffer.ts'

export type EntryKind = 'action' | 'page' | 'console' | 'request' | 'server'

export interface JournalEntry {
  readonly seq: number
  /** Unix milliseconds. */
  readonly at: number
  readonly kind: EntryKind
  readonly text: string
  /** The message alone, without what `text` puts around it. */
  readonly message?: string
  /** How many entries before this one the source left out. */
  readonly omittedBefore?: number
  /** How bad it is: an error is what a person would look at first. */
  readonly level: 'error' | 'warning' | 'info' | 'debug'
  readonly data?: Readonly<Record<string, unknown>>
}

export interface Journal {
  add(entry: Omit<JournalEntry, 'seq'>): void
  /** The newest `limit` entries that pass, in the order they happened; `before` and `since` are seqs, both exclusive. */
  read(query: JournalQuery): EntryPage<JournalEntry>
  /** The seq of the newest entry. */
  lastSeq(): number
  /** Calls `listener` after each new entry of these kinds, until the answer is called. */
  watch(kinds: readonly EntryKind[], listener: () => void): () => void
}

export interface JournalQuery {
  readonly kinds?: readonly EntryKind[]
  readonly since?: number
  readonly before?: number
  readonly limit: number
  readonly accept?: (entry: JournalEntry) => boolean
}

export interface EntryPage<T> {
  readonly entries: readonly T[]
  /** Pass it as `before` for the entries before these. */
  readonly cursor?: number
  readonly dropped: number
}

// More than is ever shown, because it is redacted before it is cut.
const TEXT_LIMIT_CHARS = 12_000

/** Limits hold for each kind. */
export function createJournal(limits: RingBufferLimits): Journal {
  const ringByKind = new Map<EntryKind, RingBuffer<JournalEntry>>()
  const listeners = new Set<{ kinds: readonly EntryKind[]; listener: () => void }>()
  const omittedCounts = new Map<EntryKind, number>()
  let seq = 0
  return {
    add(entry) {
      const ring = ringByKind.get(entry.kind) ?? createRingBuffer<JournalEntry>(limits)
      ringByKind.set(entry.kind, ring)
      seq += 1
      const text =
        entry.text.length > TEXT_LIMIT_CHARS ? `${entry.text.slice(0, TEXT_LIMIT_CHARS)}…` : entry.text
      if (entry.omittedBefore)
        omittedCounts.set(entry.kind, (omittedCounts.get(entry.kind) ?? 0) + entry.omittedBefore)
      ring.add({ ...entry, text, seq }, (text.length + (entry.message?.length ?? 0)) * 2 + 100)
      for (const { kinds, listener } of listeners) if (kinds.includes(entry.kind)) listener()
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
    lastSeq: () => seq,
    watch(kinds, listener) {
      const registration = { kinds, listener }
      listeners.add(registration)
      return () => listeners.delete(registration)
    },
  }
}

/** The newest `limit` of `items`, which come oldest first, and where the ones before begin. */
export function selectNewest<T extends { readonly seq: number }>(
  items: readonly T[],
  {
    since = 0,
    before = Infinity,
    limit,
    accept = () => true,
  }: { since?: number; before?: number; limit: number; accept?: (item: T) => boolean },
): Omit<EntryPage<T>, 'dropped'> {
  const matching = items.filter((item) => item.seq > since && item.seq < before && accept(item))
  const entries = matching.slice(-limit)
  const [first] = entries
  return { entries, ...(first && matching.length > entries.length && { cursor: first.seq }) }
}
