// A browser that keeps failing to start is not tried again and again: every try costs seconds and helps nobody.

import type { Browser } from 'playwright'
import {
  closedBreaker,
  recordFailure,
  remainingPauseMs,
  type CircuitBreaker,
} from '../../core/limits/circuit-breaker.ts'
import type { Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'

export interface StartBreaker {
  /** Starts a browser of this name, unless it has failed too often just now. */
  run(name: string, attempt: () => Promise<Outcome<Browser>>): Promise<Outcome<Browser>>
  /** Whether its last start went well, or none was tried yet. */
  usable(name: string): boolean
  count(): number
}

export function createStartBreaker(): StartBreaker {
  const breakers = new Map<string, CircuitBreaker>()
  const missing = new Set<string>()
  let count = 0
  return {
    async run(name, attempt) {
      const breaker = breakers.get(name) ?? closedBreaker
      const pause = remainingPauseMs(breaker, performance.now())
      if (pause > 0) {
        const text = `${name} failed to start ${breaker.failures} times in a row`
        return err({
          code: 'BROWSER_ERROR',
          text,
          next: `The next attempt is possible in ${Math.ceil(pause)} ms.`,
        })
      }
      count += 1
      const launched = await attempt()
      const absent = !launched.ok && launched.error.code === 'BROWSER_NOT_INSTALLED'
      if (absent) missing.add(name)
      else missing.delete(name)
      breakers.set(name, launched.ok || absent ? closedBreaker : recordFailure(breaker, performance.now()))
      return launched
    },
    usable: (name) => !missing.has(name) && (breakers.get(name) ?? closedBreaker).failures < 3,
    count: () => count,
  }
}
