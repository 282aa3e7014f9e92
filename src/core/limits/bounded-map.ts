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
