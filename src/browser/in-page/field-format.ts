// Fields such as dates and numbers empty themselves when a value is set that they do not take. So it is tried beforehand on a field that
// is not part of the page. The functions run inside the page and may use nothing but their arguments and the DOM.

import type { Failure } from '../../core/failure.ts'

export interface Format {
  /** The value as the field writes it. */
  readonly value: string
  /** Where it does not take the value: what it takes. */
  readonly expected?: string
}

/** Whether a field takes this value in place of its own. */
export function checkFormat([given]: Element[], text: string): Format {
  const field = given instanceof HTMLLabelElement ? given.control : given
  if (!(field instanceof HTMLInputElement) || text === '') return { value: text }
  const value = text.trim()
  const { type, min, max, step } = field
  const steps = step && step !== 'any' ? ` in steps of ${step}` : ''
  const formats: Record<string, string> = {
    date: 'a date such as 2030-01-31',
    time: 'a time such as 13:45',
    'datetime-local': 'a date and time such as 2030-01-31T13:45',
    month: 'a month such as 2030-01',
    week: 'a week such as 2030-W05',
    color: 'a color such as #1e90ff',
    number: 'a number such as 12 or -0.5',
    range: `a number from ${min || 0} to ${max || 100}${steps}`,
  }
  const expected = formats[type]
  if (expected === undefined) return { value: text }
  const trial = field.ownerDocument.createElement('input')
  trial.type = type
  for (const name of ['min', 'max', 'step']) {
    const limit = field.getAttribute(name)
    if (limit !== null) trial.setAttribute(name, limit)
  }
  trial.value = value
  const taken =
    type === 'color'
      ? trial.value === value.toLowerCase() || trial.value !== '#000000'
      : type === 'range'
        ? Number(trial.value) === Number(value)
        : trial.value !== ''
  if (!taken) return { value, expected }
  return { value: type === 'number' ? value : trial.value }
}

/** Whether a number field takes these characters after what it holds; a number may still be incomplete. */
export function checkDigits(
  [field]: Element[],
  { text, clear }: { text: string; clear: boolean },
): string | undefined {
  const before = clear ? '' : (field as HTMLInputElement).value
  const isNumber = /^[-+]?\d*\.?\d*(e[-+]?\d*)?$/i.test((before + text).trim())
  return isNumber ? undefined : 'a number such as 12 or -0.5'
}

export const refusedFormat = (field: 'text' | 'value', expected: string, received: string): Failure => ({
  code: 'INVALID_PARAMETERS',
  field,
  expected,
  received: JSON.stringify(received.slice(0, 100)),
  hint: 'The field keeps its previous value.',
})
