// Whether a process takes new sessions, for load balancers.

export interface ProcessState {
  readonly isDraining: boolean
  readonly hasBrowser: boolean
  readonly active: number
  readonly limit: number
}

export interface Readiness {
  readonly ok: boolean
  readonly status: 'ok' | 'draining' | 'no browser'
  /** In the words of an agent check of HAProxy. */
  readonly reason: string
}

export function readinessOf({ isDraining, hasBrowser, active, limit }: ProcessState): Readiness {
  if (isDraining) return { ok: false, status: 'draining', reason: 'up drain' }
  if (!hasBrowser) return { ok: false, status: 'no browser', reason: 'down' }
  return { ok: true, status: 'ok', reason: `up ready ${weightOf(active / limit)}%` }
}

// --- internal ---

const MAX_WEIGHT = 100

/** From 100 with no session to 1 before the last one, and 0 with that. Exponential, so that a small difference between two processes is
 * evened out by the next sessions. */
const weightOf = (load: number): number => (load >= 1 ? 0 : Math.max(1, Math.round(MAX_WEIGHT ** (1 - load))))
