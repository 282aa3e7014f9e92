// Serializes the restarts and the stop of a server. A stop aborts a running restart and prevents further ones.

import type { Failure, Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'
import type { OwnedServer } from '../../runtime/ports/servers.ts'

const SESSION_CLOSED_FAILURE: Failure = {
  code: 'SERVER_START_FAILED',
  reason: 'exited',
  command: 'restart',
  text: 'its session was closed during the restart',
}

export function serializeRestarts(server: OwnedServer): OwnedServer {
  const closing = new AbortController()
  let last: Promise<unknown> = Promise.resolve()
  const enqueue = <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task)
    last = result.catch(() => {})
    return result
  }
  const { pause } = server
  return {
    ...server,
    restart: (signal, progress) =>
      enqueue(async (): ReturnType<OwnedServer['restart']> => {
        const outcome = closing.signal.aborted
          ? undefined
          : await server.restart(AbortSignal.any([signal, closing.signal]), progress)
        return outcome && !closing.signal.aborted ? outcome : (err(SESSION_CLOSED_FAILURE) as Outcome<never>)
      }),
    ...(pause && { pause: () => enqueue(pause) }),
    stop(timeoutMs) {
      closing.abort()
      return enqueue(() => server.stop(timeoutMs))
    },
  }
}
