import type { Page } from 'playwright'
import { attempt, browserError } from '../playwright/errors.ts'
import { pressWithOwnClipboard } from './session-clipboard.ts'
import { act } from './explain-refusal.ts'
import { locateTarget, type ResolvedTarget } from '../playwright/locator.ts'
import type { PlaywrightOptions } from '../playwright/engine.ts'
import { waitForKeys } from './editable-fields.ts'
import { checkSubmit } from './click-check.ts'
import { invalidParameter, type Failure, type Outcome } from '../../base/failure.ts'
import { parseChord, type Chord, keysOfChord } from '../../base/text/key-names.ts'
import { err } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Target } from '../../base/action.ts'
import { settleWithin } from '../../base/system/settle-within.ts'

/** Presses a key or a chord such as Control+A, on an element or on the focused one, and releases it after `holdMs`. */
export async function pressKey(
  page: Page,
  input: string,
  target: Target | undefined,
  holdMs: number,
  deadline: Deadline,
): Promise<Outcome<void>> {
  const chord = parseChord(input)
  // A character that no key of an American keyboard types is inserted, as an input method does.
  if (!chord.ok && [...input].length === 1) return insertCharacter(page, input, target, deadline)
  if (!chord.ok) return err(unknownKeyFailure(chord, input))
  const key = chord.value
  return /^(Enter|NumpadEnter|Space| )$/.test(key)
    ? checkSubmit(page, () => pressChord(page, key, target, holdMs, deadline))
    : pressChord(page, key, target, holdMs, deadline)
}

async function pressChord(
  page: Page,
  key: string,
  target: Target | undefined,
  holdMs: number,
  deadline: Deadline,
): Promise<Outcome<void>> {
  const press = () =>
    pressWithOwnClipboard(page, key, () =>
      holdMs > 0 ? holdChord(page, key, holdMs, deadline) : page.keyboard.press(key),
    )
  if (!target) return attempt(press(), browserError)
  const element = await locateTarget(page, target, deadline)
  if (!element.ok) return element
  const { locator } = element.value
  const pressResult = await actWithKeys(element.value, (options) =>
    holdMs > 0 ? locator.focus(options) : pressWithOwnClipboard(page, key, () => locator.press(key, options)),
  )
  return pressResult.ok && holdMs > 0 ? attempt(press(), browserError) : pressResult
}

async function insertCharacter(
  page: Page,
  character: string,
  target: Target | undefined,
  deadline: Deadline,
): Promise<Outcome<void>> {
  const element = target && (await locateTarget(page, target, deadline))
  if (element && !element.ok) return element
  const focused =
    element && (await actWithKeys(element.value, (options) => element.value.locator.focus(options)))
  if (focused && !focused.ok) return focused
  return attempt(page.keyboard.insertText(character), browserError)
}

function unknownKeyFailure({ unknown, closestKey }: Extract<Chord, { ok: false }>, input: string): Failure {
  const expected = 'a key such as Enter, Escape, ArrowDown, a, or a chord such as Control+A'
  const received =
    unknown === input ? JSON.stringify(input) : `${JSON.stringify(input)} with ${JSON.stringify(unknown)}`
  return invalidParameter('key', expected, received, closestKey && `Did you mean ${closestKey}?`)
}

// --- internal ---

const actWithKeys = (element: ResolvedTarget, work: (options: PlaywrightOptions) => Promise<void>) =>
  act(element, 'attached', 'the key', async (options, limit) => {
    await waitForKeys(element.locator, limit)
    await work(options)
  })

// The defaults of most desktops.
const REPEAT_DELAY_MS = 500
const REPEAT_INTERVAL_MS = 33

/** Presses the keys of a chord, repeats the last one for `holdMs` milliseconds, and releases them all, also if the call is aborted. */
async function holdChord(
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
