// Calls that share a key run in the order they came; different keys run side by side. There is no lock over all of them.

export interface CallQueue {
  /** How many calls of this key wait or run. */
  size(key: string): number
  /** The longest time that a waiting or running call of this key may take by itself; 0 where there is none. */
  longest(key: string): number
  /** How many calls of all keys wait or run. */
  total(): number
  /** Runs `job` after every earlier job of the key has settled. A failing job does not stop the next. `timeout` is its own deadline. */
  run<T>(key: string, job: () => Promise<T>, timeout?: number): Promise<T>
}

interface Line {
  readonly timeouts: number[]
  tail: Promise<unknown>
}

export function createCallQueue(): CallQueue {
  const lines = new Map<string, Line>()
  const size = (key: string) => lines.get(key)?.timeouts.length ?? 0
  return {
    size,
    longest: (key) => Math.max(0, ...(lines.get(key)?.timeouts ?? [])),
    total: () => [...lines.keys()].reduce((sum, key) => sum + size(key), 0),
    run(key, job, timeout = 0) {
      const line = lines.get(key) ?? { timeouts: [], tail: Promise.resolve() }
      lines.set(key, line)
      line.timeouts.push(timeout)
      const result = line.timeouts.length === 1 ? job() : line.tail.then(job)
      line.tail = result
        .catch(() => {})
        .then(() => {
          line.timeouts.shift()
          if (line.timeouts.length === 0) lines.delete(key)
        })
      return result
    },
  }
}
