// The order in which messages of a browser are worked on. All pages of a browser share one connection, so a page that sends a flood of
// messages would keep those of all others waiting. What a page has too many of waits in a lane of its own, and lanes take turns with the rest.
// The messages of one page keep their order.

export interface MessageLanes<T> {
  /** Adds a message of a page; the empty name is the browser itself. What `mayBeOmitted` is only counted while too many are waiting. */
  add(page: string, message: T, mayBeOmitted: boolean): void
  /** Takes the next message, with the number of those after it that were omitted. A lane is passed over while its page is not ready;
   * undefined if there is nothing else. */
  take(
    isReady?: (page: string) => boolean,
  ): { readonly message: T; readonly omittedCount: number } | undefined
  readonly size: number
}

/** A page that loads has some hundreds at once. */
const LINE_LIMIT = 500
const LANE_LIMIT = 1000

interface Entry<T> {
  readonly page: string
  readonly message: T
  readonly mayBeOmitted: boolean
  omittedCount: number
}

interface Lane<T> {
  /** How many of its messages are in the line of all pages. */
  inLineCount: number
  readonly queue: Queue<Entry<T>>
}

/** `countOf` is how many an omitted message counts for. */
export function createMessageLanes<T>(countOf: (message: T) => number = () => 1): MessageLanes<T> {
  const line = createQueue<Entry<T>>()
  const lanes = new Map<string, Lane<T>>()
  let size = 0
  let isLineNext = true

  function laneOf(page: string): Lane<T> {
    const lane = lanes.get(page) ?? { inLineCount: 0, queue: createQueue<Entry<T>>() }
    lanes.set(page, lane)
    return lane
  }

  // The lane that was served becomes the last one.
  function takeFromLane(isReady: (page: string) => boolean): Entry<T> | undefined {
    for (const [page, lane] of lanes) {
      if (lane.inLineCount > 0 || lane.queue.size === 0 || !isReady(page)) continue
      lanes.delete(page)
      if (lane.queue.size > 1) lanes.set(page, lane)
      return lane.queue.shift()
    }
    return undefined
  }

  function takeFromLine(): Entry<T> | undefined {
    const entry = line.shift()
    const lane = entry && lanes.get(entry.page)
    if (!lane) return entry
    lane.inLineCount -= 1
    if (lane.inLineCount === 0 && lane.queue.size === 0) lanes.delete(entry.page)
    return entry
  }

  return {
    get size() {
      return size
    },
    add(page, message, mayBeOmitted) {
      const entry = { page, message, mayBeOmitted, omittedCount: 0 }
      const lane = page === '' ? undefined : laneOf(page)
      const last = lane?.queue.last()
      if (lane && last && mayBeOmitted && last.mayBeOmitted && lane.queue.size >= LANE_LIMIT) {
        last.omittedCount += countOf(message)
        return
      }
      size += 1
      if (lane && (lane.queue.size > 0 || lane.inLineCount >= LINE_LIMIT)) return lane.queue.push(entry)
      if (lane) lane.inLineCount += 1
      line.push(entry)
    },
    take(isReady = () => true) {
      isLineNext = !isLineNext
      const entry = isLineNext
        ? (takeFromLine() ?? takeFromLane(isReady))
        : (takeFromLane(isReady) ?? takeFromLine())
      if (entry) size -= 1
      return entry
    },
  }
}

// --- internal ---

interface Queue<E> {
  push(entry: E): void
  shift(): E | undefined
  last(): E | undefined
  readonly size: number
}

const COMPACTION_LIMIT = 1024

// The first entry of a long array is removed in constant time.
function createQueue<E>(): Queue<E> {
  let entries: E[] = []
  let start = 0
  return {
    push: (entry) => void entries.push(entry),
    shift() {
      if (start >= entries.length) return undefined
      const entry = entries[start]
      start += 1
      if (start >= COMPACTION_LIMIT && start * 2 >= entries.length) {
        entries = entries.slice(start)
        start = 0
      }
      return entry
    },
    last: () => (start < entries.length ? entries.at(-1) : undefined),
    get size() {
      return entries.length - start
    },
  }
}
