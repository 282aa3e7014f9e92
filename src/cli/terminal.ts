// What a person does in the terminal of a command: Enter goes on; Ctrl+C, a signal or closing the terminal ends it.

import { once } from 'node:events'
import process from 'node:process'
import { createDeferred } from '../runtime/calls/deferred.ts'

export interface Interruption {
  /** Aborted by the first signal; a second signal exits at once. */
  readonly signal: AbortSignal
  /** Resolves at the first signal, with the exit code for it. */
  readonly exitCode: Promise<number>
}

export function watchInterruption(): Interruption {
  const controller = new AbortController()
  const { promise, resolve } = createDeferred<number>()
  for (const [name, code] of Object.entries(SIGNAL_EXIT_CODES))
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(code)
      controller.abort()
      resolve(code)
    })
  // A terminal that is closed takes no more text.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return { signal: controller.signal, exitCode: promise }
}

/** The end of stdin is no Enter: a script may have closed it from the start. */
export async function waitForEnter(): Promise<void> {
  await once(process.stdin, 'data')
}

// --- internal ---

const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
