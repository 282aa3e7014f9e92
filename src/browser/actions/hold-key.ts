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
  const wait = (ms: number) => settleWithin(Math.max(0, ms), abort)
  try {
    for (const key of keys) await keyboard.down(key)
    const start = performance.now()
    const remaining = () => holdMs - (performance.now() - start)
    await wait(Math.min(REPEAT_DELAY_MS, holdMs))
    // On a busy machine the time may be over by now; a key that is held for longer than the delay repeats all the same.
    for (
      let isRepeating = holdMs > REPEAT_DELAY_MS;
      isRepeating && !signal.aborted;
      isRepeating = remaining() > 0
    ) {
      await keyboard.down(lastKey)
      await wait(Math.min(REPEAT_INTERVAL_MS, remaining()))
    }
  } finally {
    for (const key of keys.toReversed()) await keyboard.up(key).catch(() => {})
  }
}
