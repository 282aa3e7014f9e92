import type { RawInput } from './tool.ts'

/** The texts that an input enters into fields of the page, by the names under which `type`, `select` and `fill_form` take them. */
export function enteredTextsOf({ text, values, fields }: RawInput): string[] {
  const formValues = Array.isArray(fields) ? fields.map((field: { value?: unknown }) => field.value) : []
  return [text, values, formValues].flat(2).filter((value) => typeof value === 'string')
}
