// Notifies a client that its subscribed resources have changed, at most once per interval, because a page may log thousands of lines per
// second.

const UPDATE_INTERVAL_MS = 100

export interface ResourceUpdates {
  /** `stop` ends the subscription; it is called at once after the end. */
  add(uri: string, stop: () => void): void
  remove(uri: string): void
  schedule(uri: string): void
  end(): void
}

export function createResourceUpdates(notify: (uri: string) => unknown): ResourceUpdates {
  const stopByUri = new Map<string, () => void>()
  const changedUris = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false

  function flush(): void {
    timer = undefined
    const uris = [...changedUris]
    changedUris.clear()
    for (const uri of uris) notify(uri)
  }

  function remove(uri: string): void {
    stopByUri.get(uri)?.()
    stopByUri.delete(uri)
    changedUris.delete(uri)
  }

  return {
    add(uri, stop) {
      if (hasEnded) return stop()
      remove(uri)
      stopByUri.set(uri, stop)
    },
    remove,
    schedule(uri) {
      if (hasEnded) return
      changedUris.add(uri)
      timer ??= setTimeout(flush, UPDATE_INTERVAL_MS)
    },
    end() {
      hasEnded = true
      clearTimeout(timer)
      for (const uri of [...stopByUri.keys()]) remove(uri)
    },
  }
}
