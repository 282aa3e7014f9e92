// Calls with the same key run in order of arrival; calls with different keys run concurrently.

import type { CallQueue, JobOptions, QueuedJob } from '../types/call-steps.ts'

interface QueueEntry extends Required<JobOptions> {
  start(): void
}

export function createCallQueue(): CallQueue {
  // The first entry of a queue is the one that runs.
  const queues = new Map<string, QueueEntry[]>()
  const entriesOf = (key: string): readonly QueueEntry[] => queues.get(key) ?? []

  function startNext(key: string, queue: QueueEntry[]): void {
    queue.shift()
    if (queue[0]) queue[0].start()
    else queues.delete(key)
  }

  return {
    size: (key) => entriesOf(key).length,
    maximumTimeout: (key) => Math.max(0, ...entriesOf(key).map(({ timeout }) => timeout)),
    isReading: (key) => entriesOf(key)[0]?.isRead ?? false,
    total: () => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
    add<T>(
      key: string,
      job: () => Promise<T>,
      { timeout = 0, isRead = false }: JobOptions = {},
    ): QueuedJob<T> {
      const queue = queues.get(key) ?? []
      queues.set(key, queue)
      let start = () => {}
      const result = new Promise<T>((resolve, reject) => {
        start = () =>
          void job()
            .then(resolve, reject)
            .then(() => startNext(key, queue))
      })
      const entry: QueueEntry = { timeout, isRead, start }
      queue.push(entry)
      if (queue.length === 1) start()
      return {
        result,
        leave() {
          const index = queue.indexOf(entry)
          if (index > 0) queue.splice(index, 1)
          return index > 0
        },
      }
    },
  }
}
