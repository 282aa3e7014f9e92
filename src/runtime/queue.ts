// Calls that share a key run in the order they came; different keys run side by side. There is no lock over all of them.

export interface Queue {
  /** How many calls of this key wait or run. */
  size(key: string): number
  /** How many calls of all keys wait or run. */
  total(): number
  /** Runs `job` after every earlier job of the key has settled. A failing job does not stop the next. */
  run<T>(key: string, job: () => Promise<T>): Promise<T>
}

export function createQueue(): Queue {
  const lines = new Map<string, { size: number; tail: Promise<unknown> }>()
  return {
    total: () => [...lines.values()].reduce((sum, { size }) => sum + size, 0),
    size: (key) => lines.get(key)?.size ?? 0,
    run(key, job) {
      const line = lines.get(key) ?? { size: 0, tail: Promise.resolve() }
      lines.set(key, line)
      line.size += 1
      const result = line.size === 1 ? job() : line.tail.then(job)
      line.tail = result
        .catch(() => {})
        .then(() => {
          line.size -= 1
          if (line.size === 0) lines.delete(key)
        })
      return result
    },
  }
}
