// Who wants to know when the sessions of an owner have changed.

export interface SessionWatchers {
  watch(owner: string, listener: () => void): () => void
  changed(owner: string): void
}

export function createSessionWatchers(): SessionWatchers {
  const all = new Set<{ owner: string; listener: () => void }>()
  return {
    watch(owner, listener) {
      const one = { owner, listener }
      all.add(one)
      return () => all.delete(one)
    },
    changed(owner) {
      for (const one of all) if (one.owner === owner) one.listener()
    },
  }
}
