// The one way to end: at the end of stdin, on a signal, or after repeated uncaught exceptions. The first reason releases sessions and
// browsers and exits; a further signal exits at once. Browsers that are still running then end when their pipe closes. A single
// uncaught exception is logged and the other sessions go on. Before all of it the first SIGTERM drains, if that is asked for.

import process from 'node:process'

const RELEASE_TIMEOUT_MS = 1500

// More uncaught exceptions than this within the window end the process.
const EXCEPTION_LIMIT = 50
const EXCEPTION_WINDOW_MS = 10_000
const signals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const

export interface Shutdown {
  /** Releases everything and exits with this code; later calls have no effect. */
  end(exitCode: number): Promise<void>
}

export interface ShutdownSteps {
  /** Resolves when the first SIGTERM may end the process; a further signal does not wait for it. */
  readonly drain: () => Promise<unknown>
  /** Frees everything gracefully. */
  readonly release: () => Promise<void>
  /** Runs last and must be fast and synchronous. */
  readonly remove: () => void
  readonly onBug: (error: unknown) => void
}

export function installShutdown({ drain, release, remove, onBug }: ShutdownSteps): Shutdown {
  let draining: Promise<unknown> | undefined
  let ending: Promise<void> | undefined
  const end = (exitCode: number): Promise<void> =>
    (ending ??= Promise.race([release().catch(onBug), releaseTimeout()]).then(() => process.exit(exitCode)))
  process.once('exit', remove)
  for (const [signal, number] of Object.entries(signals)) {
    process.on(signal, () => {
      if (ending) process.exit(128 + number)
      const exitCode = signal === 'SIGTERM' || signal === 'SIGHUP' ? 0 : 128 + number
      if (signal !== 'SIGTERM' || draining) return void end(exitCode)
      draining = drain()
        .catch(onBug)
        .then(() => end(exitCode))
    })
  }
  let exceptionTimes: number[] = []
  process.on('uncaughtException', (error) => {
    onBug(error)
    const now = performance.now()
    exceptionTimes = [...exceptionTimes.filter((time) => now - time < EXCEPTION_WINDOW_MS), now]
    if (exceptionTimes.length > EXCEPTION_LIMIT) void end(1)
  })
  process.on('unhandledRejection', onBug)
  return { end }
}

// --- internal ---

const releaseTimeout = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, RELEASE_TIMEOUT_MS))
