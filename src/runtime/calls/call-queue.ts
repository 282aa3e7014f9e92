// Calls with the same key run in order of arrival; calls with different keys run concurrently. There is no global lock.

export interface CallQueue {
  /** The number of calls with this key that wait or run. */
  size(key: string): number
  /** The maximum timeout in milliseconds of the calls with this key that wait or run; 0 if there are none. */
  maximumTimeout(key: string): number
  /** The number of calls with any key that wait or run. */
  total(): number
  /** Runs `job` after every earlier job with the same key has settled, even if one of them failed. `timeout` is the job's own timeout in
   * milliseconds. */
  run<T>(key: string, job: () => Promise<T>, timeout?: number): Promise<T>
}

interface KeyQueue {
  readonly timeouts: number[]
  tail: Promise<unknown>
}

export function createCallQueue(): CallQueue {
  const queues = new Map<string, KeyQueue>()
  const size = (key: string) => queues.get(key)?.timeouts.length ?? 0
  return {
    size,
    maximumTimeout: (key) => Math.max(0, ...(queues.get(key)?.timeouts ?? [])),
    total: () => [...queues.keys()].reduce((sum, key) => sum + size(key), 0),
    run(key, job, timeout = 0) {
      const queue = queues.get(key) ?? { timeouts: [], tail: Promise.resolve() }
      queues.set(key, queue)
      queue.timeouts.push(timeout)
      const result = queue.timeouts.length === 1 ? job() : queue.tail.then(job)
      queue.tail = result
        .catch(() => {})
        .then(() => {
          queue.timeouts.shift()
          if (queue.timeouts.length === 0) queues.delete(key)
        })
      return result
    },
  }
}
