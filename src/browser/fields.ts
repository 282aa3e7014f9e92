// Setting form fields at once: texts, checkboxes, selects. Typing key by key is elsewhere.

import type { Locator, Page } from 'playwright'
import { attempt, browserError, invalid, isTimeout, plain } from './failures.ts'
import { findField } from './field.ts'
import type { OnSecret } from './known-fields.ts'
import { refused } from './refused.ts'
import { checked, setAtOnce } from './setting.ts'
import type { Surface } from './tabs.ts'
import { aim, locate, missedIn, nameOf, targetFailure } from './target.ts'
import { isInvalid, notSubmitted } from './validation.ts'
import { clip } from '../core/clip.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, map, ok } from '../core/result.ts'
import type { Call, FieldValue, Target } from '../runtime/ports/page.ts'

/** Sets a field to a value, by what kind of field it is. */
export async function fill(
  surface: Surface,
  target: Target,
  value: FieldValue,
  call: Call,
  onSecret: OnSecret,
): Promise<Outcome<void>> {
  const aimed = aim(surface.page, target)
  if (!aimed.ok) return aimed
  const setting = setAtOnce(surface, aimed.value, target, value, call, onSecret)
  const set = await setting.catch((error: Error) => err(browserError(error)))
  if (!set.ok) return set
  if (set.value) return ok(undefined)
  const found = await findField(surface.page, target, call)
  if (!found.ok) return found
  const { locator, kind, field } = found.value
  const rest = found.value.rest()
  if (kind === 'select') return map(await choose(locator, target, [value].flat().map(String), rest), () => {})
  if (kind === 'check') {
    const on = checked(value)
    if (on === undefined)
      return err(invalid('value', 'true or false for a checkbox or radio', shownValue(value)))
    return attempt(locator.setChecked(on, rest), (error) =>
      refused(locator, target, call, error, 'click', 'the check'),
    )
  }
  if (kind === 'file')
    return err(invalid('value', 'a text field, checkbox or select; use upload_file', 'a file field'))
  if (typeof value !== 'string') return err(invalid('value', 'a text for a text field', shownValue(value)))
  onSecret(field, value)
  return attempt(locator.fill(value, rest), (error) => notFilled(locator, target, call, error, value))
}

export async function select(
  page: Page,
  target: Target,
  values: readonly string[],
  call: Call,
): Promise<Outcome<readonly string[]>> {
  const located = await locate(page, target)
  return located.ok ? choose(located.value, target, values, call) : located
}

/** Submits the form that the element is in, as a person who presses Enter would; where there is none, Enter it is. */
export async function submit(page: Page, target: Target, call: Call): Promise<Outcome<void>> {
  const located = await locate(page, target)
  if (!located.ok) return located
  const failed = (error: Error) =>
    isTimeout(error) ? missedIn(located.value, target, call) : targetFailure(error, target)
  const sent = await attempt(located.value.evaluate(requestSubmit, undefined, { ...call }), failed)
  if (!sent.ok) return sent
  if (isInvalid(sent.value)) return err(notSubmitted(sent.value))
  return sent.value ? ok(undefined) : attempt(located.value.press('Enter', { ...call }), failed)
}

// --- internal ---

// Runs inside the page.
function requestSubmit(element: Element): boolean | string {
  const form = (element as HTMLInputElement).form ?? element.closest('form')
  if (!form) return false
  const button = form.querySelector<HTMLElement>('button:not([type]), [type=submit], [type=image]')
  let invalid: string | undefined
  let sent = false
  const onSubmit = () => (sent = true)
  const onInvalid = ({ target }: Event) => {
    const field = target as HTMLInputElement
    const name = field.id ? ` id="${field.id}"` : field.name ? ` name="${field.name}"` : ''
    const line = (text: string) => text.replace(/\s+/g, ' ').slice(0, 200)
    invalid ??= `invalid\n<${field.localName}${line(name)}>\n${line(field.validationMessage)}`
  }
  form.addEventListener('submit', onSubmit, true)
  form.addEventListener('invalid', onInvalid, true)
  form.requestSubmit(button && !button.matches(':disabled') ? button : null)
  form.removeEventListener('submit', onSubmit, true)
  form.removeEventListener('invalid', onInvalid, true)
  return sent ? true : (invalid ?? true)
}

async function choose(
  locator: Locator,
  target: Target,
  values: readonly string[],
  call: Call,
): Promise<Outcome<readonly string[]>> {
  const chosen = await attempt(locator.selectOption([...values], { ...call }), (error) => error)
  if (chosen.ok) return ok(chosen.value.map((one) => clip(one, 4000)))
  const { error } = chosen
  const text = plain(error)
  if (/not a <select>/.test(text))
    return err(invalid('selector', 'a <select>; click the parts of any other list', nameOf(target)))
  if (!isTimeout(error)) return err(targetFailure(error, target))
  const missing = await locator.evaluate(missingOptions, [...values], { timeout: 500 }).catch(() => undefined)
  if (missing && missing.missing.length > 0)
    return err(invalid('values', `some of ${missing.options.join(', ')}`, missing.missing.join(', ')))
  return err(await refused(locator, target, call, error, 'click', 'the choice'))
}

// Runs inside the page.
function missingOptions(element: Element, values: string[]): { missing: string[]; options: string[] } {
  const options = [...(element as HTMLSelectElement).options]
  const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text)
  const known = new Set(options.map((one) => one.value))
  const labels = new Set(options.map((one) => one.label.trim()))
  const missing = values.filter((value) => !known.has(value) && !labels.has(value.trim()))
  return {
    missing: missing.slice(0, 30).map((value) => cut(value, 200)),
    options: [
      ...options.slice(0, 30).map((one) => JSON.stringify(cut(one.label, 60))),
      ...(options.length > 30 ? [`… ${options.length - 30} more`] : []),
    ],
  }
}

async function notFilled(
  locator: Locator,
  target: Target,
  call: Call,
  error: Error,
  value: string,
): Promise<Failure> {
  const text = plain(error)
  if (/Malformed value/.test(text))
    return invalid(
      'value',
      'a value that this field takes, such as 2030-01-31 for a date',
      JSON.stringify(value.slice(0, 100)),
    )
  if (/type=number/.test(text))
    return invalid('value', 'a number for a number field', JSON.stringify(value.slice(0, 100)))
  const noText = /not an <input>|cannot be filled/.test(text)
  if (noText) return { code: 'ELEMENT_NOT_EDITABLE', target: nameOf(target), reason: 'no_text', waited: 0 }
  return refused(locator, target, call, error, 'type', 'filling')
}

const shownValue = (value: FieldValue): string => clip(JSON.stringify(value), 200)
