// Setting a field without waiting. Like a click, a field that is there, in sight and enabled need not be waited for: one message looks at
// it and sets it, by Playwright's own means inside the page. Whatever is not plainly so is left to Playwright's way, which also knows why.

import type { Locator } from 'playwright'
import { fieldKind, type Seen } from './field.ts'
import { within, type Found } from './inner.ts'
import { clickAtOnce } from './swift.ts'
import type { Surface } from './tabs.ts'
import type { Call, FieldValue, Target } from '../runtime/ports/page.ts'

interface Look extends Seen {
  /** Of a checkbox or radio that can be used. */
  readonly checked?: boolean
  /** What was there is selected, and the keyboard has to write over it. */
  readonly done?: 'done' | 'needsinput'
}

/** True when the field has the value now; false when nothing is decided. */
export async function setAtOnce(
  surface: Surface,
  locator: Locator,
  target: Target,
  value: FieldValue,
  call: Call,
  taint: (value: string) => void,
): Promise<boolean> {
  const channel = await surface.rescue.channel
  if (!channel) return false
  const look = async () => (await within(locator, lookAndSet, value))?.result
  const seen = await look()
  if (!seen || call.signal.aborted) return false
  if (seen.kind === 'check') {
    const on = checked(value)
    if (seen.checked === undefined || on === undefined) return false
    if (seen.checked === on) return true
    // A radio is not unchecked by a click.
    const clicked = on ? await clickAtOnce(surface, locator, target, {}, call) : 'no'
    return clicked === 'clicked' ? (await look())?.checked === on : clicked !== 'no'
  }
  if (seen.secret && typeof value === 'string') taint(value)
  if (seen.done === 'needsinput')
    await (value
      ? channel.send('Input.insertText', { text: String(value) })
      : surface.page.keyboard.press('Delete'))
  return seen.done !== undefined
}

/** What a value means for a checkbox; undefined where it means nothing. */
export const checked = (value: FieldValue): boolean | undefined => {
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : undefined
}

const lookAndSet = new Function(
  'found',
  'value',
  `return (${setField.toString()})(found, value, ${fieldKind.toString()})`,
) as (found: Found, value: FieldValue) => Look | undefined

// Runs inside the page.
function setField(
  { elements: [element, second], injected, frameVisible }: Found,
  value: FieldValue,
  look: (element: Element) => Seen,
): Look | undefined {
  if (!element || second) return undefined
  const seen = look(element)
  const is = (state: 'visible' | 'enabled' | 'editable' | 'checked') =>
    injected.elementState(element, state, frameVisible).matches
  if (!is('visible') || !is('enabled')) return seen
  if (seen.kind === 'check') return { ...seen, checked: is('checked') }
  if (seen.kind === 'select') {
    const wanted = [value].flat().map((one) => ({ valueOrLabel: String(one) }))
    const chosen = injected.selectOptions(element, wanted)
    return Array.isArray(chosen) ? { ...seen, done: 'done' } : seen
  }
  if (seen.kind === 'file' || typeof value !== 'string' || !is('editable')) return seen
  const done = injected.fill(element, value)
  return done === 'done' || done === 'needsinput' ? { ...seen, done } : seen
}
