import type { Page } from 'playwright'
import { attempt, browserError, plain } from './failures.ts'
import { refused } from './refused.ts'
import { locate } from './target.ts'
import { submitting } from './validation.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err } from '../core/result.ts'
import type { Call, Target } from '../runtime/ports/page.ts'

/** Presses a key or a chord such as Control+A, on an element or on what has the focus. */
export const press = (
  page: Page,
  key: string,
  target: Target | undefined,
  call: Call,
): Promise<Outcome<void>> =>
  /^(Enter|NumpadEnter|Space| )$/.test(key)
    ? submitting(page, () => pressKey(page, key, target, call))
    : pressKey(page, key, target, call)

async function pressKey(
  page: Page,
  key: string,
  target: Target | undefined,
  call: Call,
): Promise<Outcome<void>> {
  if (!target)
    return attempt(page.keyboard.press(key), (error) => unknownKey(error, key) ?? browserError(error))
  const located = await locate(page, target)
  if (!located.ok) return located
  const pressed = await attempt(located.value.press(key, { ...call }), (error) => error)
  if (pressed.ok) return pressed
  const { error } = pressed
  return err(
    unknownKey(error, key) ?? (await refused(located.value, target, call, error, 'click', 'the key')),
  )
}

function unknownKey(error: Error, key: string): Failure | undefined {
  if (!/Unknown key/.test(plain(error))) return undefined
  const expected = 'a key such as Enter, Escape, ArrowDown, a, or a chord such as Control+A'
  return { code: 'INVALID_PARAMETERS', field: 'key', expected, received: JSON.stringify(key) }
}
