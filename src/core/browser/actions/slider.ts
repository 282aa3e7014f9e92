// Sets a slider that a page draws itself, with the keys that the pattern of ARIA gives it.

import type { Page } from 'playwright'
import { playwrightOptions } from '../playwright/engine.ts'
import { describeTarget, explainRejection, type ResolvedTarget } from '../playwright/locator.ts'
import { attempt } from '../playwright/errors.ts'
import { readSlider } from '../in-page/generated.ts'
import { invalidParameter, type Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import type { FillMethod } from '../../base/action.ts'

export async function setSlider(
  page: Page,
  element: ResolvedTarget,
  value: string,
): Promise<Outcome<FillMethod>> {
  const { locator, deadline, target } = element
  const read = (before?: number) => locator.evaluate(readSlider, before, playwrightOptions(deadline))
  const setting = async (): Promise<Outcome<FillMethod>> => {
    const { min, max, now, obstacle } = await read()
    if (obstacle)
      return err({
        code: 'ELEMENT_NOT_CLICKABLE',
        target: describeTarget(target),
        reason: obstacle,
        waited: 0,
      })
    const requested = value.trim() === '' ? NaN : Number(value)
    if (!(requested >= min && requested <= max))
      return err(invalidParameter('value', `a number from ${min} to ${max}`, JSON.stringify(value)))
    await locator.focus(playwrightOptions(deadline))
    let reached = now
    for (const keys of KEYS) {
      reached = await pressTowards(requested, reached, keys)
      if (isEqual(reached, requested)) return ok('keys')
    }
    const expected = `a number from ${min} to ${max} that its keys reach`
    return err(invalidParameter('value', expected, JSON.stringify(value), `It now has ${reached}.`))
  }

  async function pressTowards(requested: number, from: number, keys: (typeof KEYS)[number]): Promise<number> {
    let now = from
    const key = requested > from ? keys.up : keys.down
    while (!isEqual(now, requested) && requested > now === requested > from && deadline.remaining() > 0) {
      await page.keyboard.press(key)
      const { now: after } = await read(now)
      const step = Math.abs(after - now)
      now = after
      if (step === 0) break
      const count = Math.floor(Math.abs(requested - now) / step + ROUNDING)
      for (let press = 1; press < count && deadline.remaining() > 0; press += 1)
        await page.keyboard.press(key)
      if (count > 1) now = (await read(now)).now
    }
    return now
  }

  const outcome = await attempt(setting(), (error) => explainRejection(element, error))
  return outcome.ok ? outcome.value : outcome
}

// --- internal ---

/** The large steps first; their last one may go too far. */
const KEYS = [
  { up: 'PageUp', down: 'PageDown' },
  { up: 'ArrowUp', down: 'ArrowDown' },
  { up: 'ArrowRight', down: 'ArrowLeft' },
] as const

const ROUNDING = 1e-6

const isEqual = (one: number, other: number): boolean =>
  Math.abs(one - other) <= ROUNDING * Math.max(1, Math.abs(other))
