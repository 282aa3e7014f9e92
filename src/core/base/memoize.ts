/** Calls `read` once for each key, and remembers what it returned. */
export function memoize<K, V>(read: (key: K) => V): (key: K) => V {
  const known = new Map<K, { readonly value: V }>()
  return (key) => {
    const entry = known.get(key) ?? { value: read(key) }
    known.set(key, entry)
    return entry.value
  }
}
