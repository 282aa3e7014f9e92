// One way out for every ending: stdin at its end, a signal, exceptions that nothing caught and that do not stop. The first one ends
// sessions and browsers and exits; a second signal exits at once. Whatever stays is killed with the process: browsers die when their
// pipe closes. One exception is a bug of some call or a browser that talks nonsense: it is logged, and the other sessions go on.

import process from 'node:process'

const PATIENCE = 1500

// More exceptions than this within so many milliseconds are no accident.
const MOST_BUGS = 50
const BUGS_WITHIN = 10_000
const signals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const

export interface Ending {
  /** Ends with this exit code, once; later calls change nothing. */
  end(code: number): Promise<void>
}

/** `release` frees everything gracefully, `remove` is the last thing done and must be quick and synchronous. */
export function installShutdown(
  release: () => Promise<void>,
  remove: () => void,
  onBug: (error: unknown) => void,
): Ending {
  let ending: Promise<void> | undefined
  const leave = (code: number): never => {
    process.exit(code)
  }
  const end = (code: number): Promise<void> =>
    (ending ??= Promise.race([release().catch(onBug), late()]).then(() => leave(code)))
  process.once('exit', remove)
  for (const [signal, number] of Object.entries(signals)) {
    process.on(signal, () => {
      if (ending) leave(128 + number)
      void end(signal === 'SIGTERM' || signal === 'SIGHUP' ? 0 : 128 + number)
    })
  }
  let bugs: number[] = []
  process.on('uncaughtException', (error) => {
    onBug(error)
    const now = performance.now()
    bugs = [...bugs.filter((at) => now - at < BUGS_WITHIN), now]
    if (bugs.length > MOST_BUGS) void end(1)
  })
  process.on('unhandledRejection', onBug)
  return { end }
}

const late = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PATIENCE))
