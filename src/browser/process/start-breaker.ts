// A browser that keeps failing to start is not started again for a while: every attempt costs seconds.

import type { Browser } from 'playwright'
import {
  closedBreaker,
  recordFailure,
  remainingPauseMsOf,
  type CircuitBreaker,
} from '../../core/limits/circuit-breaker.ts'
import type { Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'

export interface StartBreaker {
  /** Starts a browser of this name, unless it has just failed too often. */
  run(name: string, attempt: () => Promise<Outcome<Browser>>): Promise<Outcome<Browser>>
  /** Whether its last start succeeded, or none was attempted yet. */
  isUsable(name: string): boolean
  startCount(): number
}

const FAILURE_LIMIT = 3

export function createStartBreaker(): StartBreaker {
  const breakers = new Map<string, CircuitBreaker>()
  const notInstalled = new Set<string>()
  let starts = 0
  return {
    async run(name, attempt) {
      const breaker = breakers.get(name) ?? closedBreaker
      const pauseMs = remainingPauseMsOf(breaker, performance.now())
      if (pauseMs > 0) {
        const text = `${name} failed to start ${breaker.failures} times in a row`
        return err({
          code: 'BROWSER_ERROR',
          text,
          next: `The next attempt is possible in ${Math.ceil(pauseMs)} ms.`,
        })
      }
      starts += 1
      const launchResult = await attempt()
      const isMissing = !launchResult.ok && launchResult.error.code === 'BROWSER_NOT_INSTALLED'
      if (isMissing) notInstalled.add(name)
      else notInstalled.delete(name)
      breakers.set(
        name,
        launchResult.ok || isMissing ? closedBreaker : recordFailure(breaker, performance.now()),
      )
      return launchResult
    },
    isUsable: (name) =>
      !notInstalled.has(name) && (breakers.get(name) ?? closedBreaker).failures < FAILURE_LIMIT,
    startCount: () => starts,
  }
}
