// Choosing options: of a <select>, or of a list that a page has made itself.

import type { Locator, Page } from 'playwright'
import { chooseInCombobox, noOption } from './combobox.ts'
import { attempt, isTimeout } from '../playwright/errors.ts'
import { explainRefusal } from '../actions/explain-refusal.ts'
import {
  evaluateTarget,
  remainingTime,
  locate,
  explainMiss,
  describeTarget,
  targetFailure,
} from '../playwright/locator.ts'
import { clip } from '../../core/text/clip.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Call, Target } from '../../runtime/ports/page.ts'

export async function select(
  page: Page,
  target: Target,
  values: readonly string[],
  call: Call,
): Promise<Outcome<readonly string[]>> {
  const located = await locate(page, target)
  return located.ok ? choose(page, located.value, target, values, call) : located
}

/** Chooses options by value or label. An option that cannot be chosen fails at once; the failure lists those that can. */
export async function choose(
  page: Page,
  locator: Locator,
  target: Target,
  values: readonly string[],
  call: Call,
): Promise<Outcome<readonly string[]>> {
  const since = performance.now()
  const give = async (timeout: number) => {
    const chosen = await attempt(locator.selectOption([...values], { ...call, timeout }), (error) => error)
    if (chosen.ok) return ok(chosen.value.map((one) => clip(one, 4000)))
    if (!isTimeout(chosen.error)) return err(targetFailure(chosen.error, target))
    return err(await explainRefusal(locator, target, call, chosen.error, 'click', 'the choice'))
  }
  // One message tells of nearly every <select> that it can be done.
  if (await evaluateTarget(locator, target, isChoosable, [...values]).catch(() => false))
    return give(call.timeout)
  const wanted = { values: [...values], budget: call.timeout }
  const seen = await attempt(locator.evaluate(lookAtOptions, wanted, { ...call }), (error) =>
    isTimeout(error) ? explainMiss(locator, target, call) : targetFailure(error, target),
  )
  if (!seen.ok) return seen
  const rest = { ...call, timeout: remainingTime(call, since) }
  if (!seen.value) return chooseInCombobox(page, locator, target, values, rest)
  const { isDisabled, missing, disabled, options } = seen.value
  const waited = Math.round(performance.now() - since)
  if (isDisabled)
    return err({ code: 'ELEMENT_NOT_CLICKABLE', target: describeTarget(target), reason: 'disabled', waited })
  if (missing.length > 0) return err(noOption(options, missing))
  if (disabled.length > 0) return err(noOption(options, disabled, ', disabled'))
  return give(rest.timeout)
}

// Runs inside the page.
function isChoosable(elements: Element[], values: string[]): boolean {
  const [field] = elements
  if (elements.length !== 1 || !(field instanceof HTMLSelectElement)) return false
  const options = [...field.options].filter((one) => !one.disabled && !one.closest('optgroup:disabled'))
  return (
    !field.matches(':disabled') &&
    !field.closest('[aria-disabled="true"]') &&
    values.every((value) => options.some((one) => one.value === value || one.label === value))
  )
}

interface Options {
  readonly isDisabled: boolean
  readonly missing: string[]
  readonly disabled: string[]
  readonly options: string[]
}

// Runs inside the page; undefined where it is no <select>. Options that come a moment later are waited for, while the page still loads.
async function lookAtOptions(
  element: Element,
  { values, budget }: { values: string[]; budget: number },
): Promise<Options | undefined> {
  const GRACE_MS = 300
  const field = element instanceof HTMLLabelElement ? element.control : element
  if (!(field instanceof HTMLSelectElement)) return undefined
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
  const isOff = (option: HTMLOptionElement) =>
    option.disabled || option.closest('optgroup')?.disabled === true
  const look = (): Options => {
    const options = [...field.options]
    const find = (value: string) =>
      options.find((one) => one.value === value || one.label === value || plain(one.label) === plain(value))
    return {
      isDisabled: field.matches(':disabled') || field.closest('[aria-disabled="true"]') !== null,
      missing: values.filter((value) => !find(value)),
      disabled: values.filter((value) => {
        const option = find(value)
        return option !== undefined && isOff(option)
      }),
      options: options
        .slice(0, 1000)
        .map((one) => JSON.stringify(plain(one.label).slice(0, 80)) + (isOff(one) ? ' (disabled)' : '')),
    }
  }
  const since = performance.now()
  for (;;) {
    const seen = look()
    const spent = performance.now() - since
    const isFine = !seen.isDisabled && seen.missing.length === 0 && seen.disabled.length === 0
    const isLate = spent > GRACE_MS && document.readyState === 'complete'
    if (isFine || isLate || spent > budget - GRACE_MS) return seen
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
