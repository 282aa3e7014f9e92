// Setting a field without waiting. Like a click, a field that is there, in sight and enabled need not be waited for: one message looks at
// it and sets it, by Playwright's own means inside the page. Whatever is not plainly so is left to Playwright's way, which also knows why.

import type { Locator } from 'playwright'
import { fieldKind, type Seen } from './field-kind.ts'
import { checkFormat, refusedFormat } from '../in-page/field-format.ts'
import { evaluateInternally, type MatchedElements } from '../playwright/internals.ts'
import type { OnFieldInput } from '../secrets/typed-secrets.ts'
import { fastClick } from '../actions/fast-click.ts'
import type { Tab } from '../tab/tab.ts'
import { untracedCdpSession } from '../tab/tracing.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { isSecretField, isSecretName } from '../../core/redaction/secret-names.ts'
import { err, ok } from '../../core/result.ts'
import type { Call, FieldValue, Target } from '../../runtime/ports/page.ts'

interface Wanted {
  readonly value: FieldValue
  /** What it means for a checkbox. */
  readonly on: boolean | undefined
  /** Milliseconds to wait for a checkbox to be so. */
  readonly patience: number
  /** From when on, as Date.now() tells, nothing is set any more: the call has been answered. */
  readonly until: number
}

interface Look extends Seen {
  /** Of a checkbox or radio that can be used. */
  readonly checked?: boolean
  /** What was there is selected, and the keyboard has to write over it. */
  readonly done?: 'done' | 'needsinput'
  /** What the field takes, where that is not the value. */
  readonly expected?: string
}

// Milliseconds in which a checkbox shows what a click has made of it.
const SHOWN = 500

/** True when the field has the value now; false when nothing was done. */
export async function fastFill(
  tab: Tab,
  locator: Locator,
  target: Target,
  value: FieldValue,
  call: Call,
  onSecret: OnFieldInput,
): Promise<Outcome<boolean>> {
  const cdp = await untracedCdpSession(tab)
  if (!cdp) return ok(false)
  const on = checkedState(value)
  const until = Date.now() + call.timeout
  const look = async (patience = 0) =>
    (await evaluateInternally(locator, lookAndSet, { value, on, patience, until }))?.result
  const seen = await look().catch(() => undefined)
  if (!seen || call.signal.aborted) return ok(false)
  if (seen.kind === 'text') onSecret(seen.field, String(value))
  if (seen.kind === 'check') {
    if (seen.checked === undefined || on === undefined) return ok(false)
    if (seen.checked === on) return ok(true)
    // A radio is not unchecked by a click.
    const clicked = on ? await fastClick(tab, locator, target, {}, call) : 'no'
    if (clicked !== 'clicked') return ok(clicked !== 'no')
    const after = await look(SHOWN).catch(() => undefined)
    return after?.checked === false ? err(unchanged) : ok(true)
  }
  if (seen.expected !== undefined) return err(refusedFormat('value', seen.expected, String(value)))
  if (seen.done === 'needsinput')
    await (value ? cdp.send('Input.insertText', { text: String(value) }) : tab.page.keyboard.press('Delete'))
  return ok(seen.done !== undefined)
}

const unchanged: Failure = {
  code: 'BROWSER_ERROR',
  text: 'Clicking the checkbox did not change its state',
}

/** What a value means for a checkbox; undefined where it means nothing. */
export const checkedState = (value: FieldValue): boolean | undefined => {
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : undefined
}

const lookAndSet = new Function(
  'found',
  'wanted',
  `const isSecretName = ${isSecretName.toString()}
  const isSecret = (field) => (${isSecretField.toString()})(field, isSecretName)
  return (${setField.toString()})(found, wanted, ${fieldKind.toString()}, isSecret, ${checkFormat.toString()})`,
) as (found: MatchedElements, wanted: Wanted) => Promise<Look | undefined>

// Runs inside the page.
async function setField(
  { elements: [element, second], injected, frameVisible }: MatchedElements,
  { value, on, patience, until }: Wanted,
  look: typeof fieldKind,
  isSecret: (field: Seen['field']) => boolean,
  format: typeof checkFormat,
): Promise<Look | undefined> {
  if (!element || second || Date.now() > until) return undefined
  const seen = look(element)
  const is = (state: 'visible' | 'enabled' | 'editable' | 'checked') =>
    injected.elementState(element, state, frameVisible).matches
  if (!is('visible') || !is('enabled')) return seen
  if (seen.kind === 'check') {
    const end = performance.now() + patience
    while (is('checked') !== on && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 20))
    return { ...seen, checked: is('checked') }
  }
  if (seen.kind === 'select') {
    const wanted = [value].flat().map((one) => ({ valueOrLabel: String(one) }))
    const chosen = injected.selectOptions(element, wanted)
    return Array.isArray(chosen) ? { ...seen, done: 'done' } : seen
  }
  if (seen.kind === 'file' || seen.isEditor || typeof value !== 'string' || !is('editable')) return seen
  const written = format([element], value)
  if (written.expected !== undefined) return { ...seen, expected: written.expected }
  // These are set here and now, and a secret is to be known before.
  const field = element instanceof HTMLLabelElement ? element.control : element
  const { type = '' } = (field ?? {}) as Partial<HTMLInputElement>
  if (isSecret(seen.field) && /^(date|datetime-local|month|week|time|color|range)$/.test(type)) return seen
  const done = injected.fill(element, written.value)
  return done === 'done' || done === 'needsinput' ? { ...seen, done } : seen
}
