/** The field that failed the browser's validation and its message, as the lines of `InvalidField` in forms/form-validation.ts. */
export function describeInvalidField(field: HTMLInputElement): string {
  const toLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 200)
  const name = field.id ? ` id="${field.id}"` : field.name ? ` name="${field.name}"` : ''
  return `invalid\n<${field.localName}${toLine(name)}>\n${toLine(field.validationMessage)}`
}
