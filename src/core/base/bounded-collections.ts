// A map of at most `limit` entries that drops the oldest.

export interface BoundedMap<K, V> {
  readonly size: number
  has(key: K): boolean
  get(key: K): V | undefined
  /** Adds or replaces an entry and makes it the newest. */
  set(key: K, value: V): void
  delete(key: K): void
  clear(): void
  /** Oldest first. */
  keys(): readonly K[]
  values(): readonly V[]
}

export function createBoundedMap<K, V>(limit: number): BoundedMap<K, V> {
  const entries = new Map<K, V>()
  return {
    get size() {
      return entries.size
    },
    has: (key) => entries.has(key),
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= limit) return
      for (const oldest of entries.keys()) return void entries.delete(oldest)
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
    keys: () => [...entries.keys()],
    values: () => [...entries.values()],
  }
}

// A list that keeps its newest items within a maximum count and total weight, and counts the dropped ones.
export interface RingBuffer<T> {
  add(item: T, weight: number): void
  /** Puts `next` in the place of `item`, if that is still there. */
  replace(item: T, next: T): void
  /** Oldest first. */
  items(): readonly T[]
  /** The same from the newest item on that is a start; all of them if none is. */
  itemsFrom(isStart: (item: T) => boolean): readonly T[]
  droppedCount(): number
}

export interface RingBufferLimits {
  readonly entries: number
  readonly bytes: number
}

export function createRingBuffer<T>(limits: RingBufferLimits): RingBuffer<T> {
  let list: { item: T; weight: number }[] = []
  // Items before `start` are dropped; the array itself is shortened only occasionally.
  let start = 0
  let bytes = 0
  let droppedCount = 0
  return {
    add(item, weight) {
      list.push({ item, weight })
      bytes += weight
      while (list.length - start > limits.entries || bytes > limits.bytes) {
        bytes -= list[start]?.weight ?? 0
        start += 1
        droppedCount += 1
      }
      if (start < 1000) return
      list = list.slice(start)
      start = 0
    },
    replace(item, next) {
      const index = list.findLastIndex((entry) => entry.item === item)
      const entry = list[index]
      if (entry && index >= start) list[index] = { ...entry, item: next }
    },
    items: () => list.slice(start).map(({ item }) => item),
    itemsFrom(isStart) {
      const index = list.findLastIndex(({ item }) => isStart(item))
      return list.slice(Math.max(start, index)).map(({ item }) => item)
    },
    droppedCount: () => droppedCount,
  }
}
