// Tells a client that what it subscribed to has changed: once for all that happened within a moment, because a chatty page would
// otherwise drown the connection.

const UPDATE_INTERVAL_MS = 100

export interface ResourceUpdates {
  /** `stop` ends the watching behind a subscription. */
  add(uri: string, stop: () => void): void
  remove(uri: string): void
  schedule(uri: string): void
  end(): void
}

export function createResourceUpdates(tell: (uri: string) => unknown): ResourceUpdates {
  const stops = new Map<string, () => void>()
  const waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    timer = undefined
    const uris = [...waiting]
    waiting.clear()
    for (const uri of uris) tell(uri)
  }

  function remove(uri: string): void {
    stops.get(uri)?.()
    stops.delete(uri)
    waiting.delete(uri)
  }

  return {
    add(uri, stop) {
      remove(uri)
      stops.set(uri, stop)
    },
    remove,
    schedule(uri) {
      waiting.add(uri)
      timer ??= setTimeout(flush, UPDATE_INTERVAL_MS)
    },
    end() {
      clearTimeout(timer)
      for (const uri of [...stops.keys()]) remove(uri)
    },
  }
}
