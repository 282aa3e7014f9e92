// Fields such as dates and numbers are cleared by a value that they do not accept. So the value is tested on a detached field first.

export interface FieldFormat {
  /** The value in the format of the field. */
  readonly value: string
  /** The accepted format, if the field does not accept the value. */
  readonly expected?: string
}

/** Checks whether a field accepts a value. */
export function checkFormat([element]: Element[], text: string): FieldFormat {
  const field = element instanceof HTMLLabelElement ? element.control : element
  if (!(field instanceof HTMLInputElement) || text === '') return { value: text }
  const value = text.trim()
  const { type, min, max, step } = field
  const stepNote = step && step !== 'any' ? ` in steps of ${step}` : ''
  const formats: Record<string, string> = {
    date: 'a date such as 2030-01-31',
    time: 'a time such as 13:45',
    'datetime-local': 'a date and time such as 2030-01-31T13:45',
    month: 'a month such as 2030-01',
    week: 'a week such as 2030-W05',
    color: 'a color such as #1e90ff',
    number: 'a number such as 12 or -0.5',
    range: `a number from ${min || 0} to ${max || 100}${stepNote}`,
  }
  const expected = formats[type]
  if (expected === undefined) return { value: text }
  const detachedField = field.ownerDocument.createElement('input')
  detachedField.type = type
  for (const name of ['min', 'max', 'step']) {
    const attribute = field.getAttribute(name)
    if (attribute !== null) detachedField.setAttribute(name, attribute)
  }
  detachedField.value = value
  const isAccepted =
    type === 'color'
      ? detachedField.value === value.toLowerCase() || detachedField.value !== '#000000'
      : type === 'range'
        ? Number(detachedField.value) === Number(value)
        : detachedField.value !== ''
  if (!isAccepted) return { value, expected }
  return { value: type === 'number' ? value : detachedField.value }
}

/** Checks whether a number field accepts these characters after its value; the number may be incomplete. Returns the accepted format if not. */
export function checkDigits(
  [field]: Element[],
  { text, clear }: { text: string; clear: boolean },
): string | undefined {
  const currentValue = clear ? '' : (field as HTMLInputElement).value
  const isNumber = /^[-+]?\d*\.?\d*(e[-+]?\d*)?$/i.test((currentValue + text).trim())
  return isNumber ? undefined : 'a number such as 12 or -0.5'
}
