// Notifies listeners when the sessions of an owner have changed.

export interface SessionWatchers {
  watch(owner: string, listener: () => void): () => void
  notify(owner: string): void
}

export function createSessionWatchers(): SessionWatchers {
  const entries = new Set<{ owner: string; listener: () => void }>()
  return {
    watch(owner, listener) {
      const entry = { owner, listener }
      entries.add(entry)
      return () => entries.delete(entry)
    },
    notify(owner) {
      for (const entry of entries) if (entry.owner === owner) entry.listener()
    },
  }
}
