// One way out for every ending: stdin at its end, a signal, an exception that nothing caught (a rejection is only logged). The first one ends sessions and browsers and exits; a second
// signal exits at once. Whatever stays is killed with the process: browsers die when their pipe closes.

import process from 'node:process'

const PATIENCE = 1500
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
  process.on('uncaughtException', (error) => {
    onBug(error)
    void end(1)
  })
  process.on('unhandledRejection', onBug)
  return { end }
}

const late = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PATIENCE))
