// Fields such as dates and numbers empty themselves when a value is set that they do not take. So it is tried beforehand on a field that
// is not part of the page.

export interface FieldFormat {
  /** The value as the field writes it. */
  readonly value: string
  /** Where it does not take the value: what it takes. */
  readonly expected?: string
}

/** Whether a field takes this value in place of its own. */
export function checkFormat([element]: Element[], text: string): FieldFormat {
  const field = element instanceof HTMLLabelElement ? element.control : element
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
  const probe = field.ownerDocument.createElement('input')
  probe.type = type
  for (const name of ['min', 'max', 'step']) {
    const limit = field.getAttribute(name)
    if (limit !== null) probe.setAttribute(name, limit)
  }
  probe.value = value
  const isTaken =
    type === 'color'
      ? probe.value === value.toLowerCase() || probe.value !== '#000000'
      : type === 'range'
        ? Number(probe.value) === Number(value)
        : probe.value !== ''
  if (!isTaken) return { value, expected }
  return { value: type === 'number' ? value : probe.value }
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
