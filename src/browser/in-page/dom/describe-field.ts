import type { FieldDescription } from '../../../core/redaction/secret-names.ts'

/** What decides whether a field takes secrets. The property `autocomplete` is empty in Firefox for values that it does not know, such as
 * one-time-code, so the attribute is read. */
export function describeField(element: Element): FieldDescription {
  const { type = '', name = '', id = '' } = element as Partial<HTMLInputElement>
  const autocomplete = (element.getAttribute('autocomplete') ?? '').trim().toLowerCase()
  return { type, name, id, autocomplete }
}
