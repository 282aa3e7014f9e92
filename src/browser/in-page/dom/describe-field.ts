import type { FieldDescription } from '../../../core/redaction/secret-names.ts'

/** The attributes that determine whether a field is secret. In Firefox the property `autocomplete` is empty for unknown values, such as
 * one-time-code, so the attribute is read. */
export function describeField(element: Element): FieldDescription {
  const { type = '', name = '', id = '' } = element as Partial<HTMLInputElement>
  const autocomplete = (element.getAttribute('autocomplete') ?? '').trim().toLowerCase()
  return { type, name, id, autocomplete }
}
