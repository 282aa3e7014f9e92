// Holds a key as a person does: while it is down, the keyboard repeats it.

import type { Page } from 'playwright'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { keysOfChord } from '../../core/text/key-names.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'

// The defaults of most desktops.
const REPEAT_DELAY_MS = 500
const REPEAT_INTERVAL_MS = 33

/** Presses the keys of a chord, repeats the last one for `holdMs` milliseconds, and releases them all, also if the call is aborted. */
export async function holdChord(
  { keyboard }: Page,
  chord: string,
  holdMs: number,
  { signal }: Deadline,
): Promise<void> {
  const keys = keysOfChord(chord)
  const lastKey = keys.at(-1) ?? chord
  const abort = new Promise<'aborted'>((resolve) =>
    signal.addEventListener('abort', () => resolve('aborted'), { once: true }),
  )
  const start = performance.now()
  const remaining = () => holdMs - (performance.now() - start)
  try {
    for (const key of keys) await keyboard.down(key)
    let waitMs = REPEAT_DELAY_MS
    while (remaining() > 0 && !signal.aborted) {
      await settleWithin(Math.min(waitMs, remaining()), abort)
      waitMs = REPEAT_INTERVAL_MS
      if (remaining() > 0 && !signal.aborted) await keyboard.down(lastKey)
    }
  } finally {
    for (const key of keys.toReversed()) await keyboard.up(key).catch(() => {})
  }
}
