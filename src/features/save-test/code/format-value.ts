import { propertyName, quoteText } from '../../lib/replay/literals.ts'
import { blockCode } from './print-code.ts'
import type { SecretText } from './secret-text.ts'

/** The code of a JSON value: secrets in its texts are replaced, fields without a value are left out. */
export function formatValue(value: unknown, text: SecretText): string {
  if (typeof value === 'string') return text.value(value)
  if (typeof value === 'number') return formatNumber(value, text)
  if (Array.isArray(value)) return listCode(value.map((item: unknown) => formatValue(item, text)))
  if (typeof value === 'object' && value !== null) return objectCode(fieldsOf(value, text), text)
  return String(value ?? null)
}

/** The fields of an object, with their code. */
export const fieldsOf = (value: object, text: SecretText): readonly Field[] =>
  Object.entries(value).map(([name, item]) => [
    name,
    item === undefined ? undefined : formatValue(item, text),
  ])

export const listCode = (items: readonly string[]): string => `[${items.join(', ')}]`

export type Field = readonly [name: string, code: string | undefined]

/** An object literal, which begins with the fields of the objects `spread`; fields without code are left out. */
export function objectCode(
  fields: readonly Field[],
  text: Pick<SecretText, 'label'>,
  spread: readonly string[] = [],
): string {
  const items = [...spread, ...ownFields(fields, text)]
  return items.length === 0 ? '{}' : `{ ${items.join(', ')} }`
}

/** The same with one field a line, as it is usual in a configuration. */
export const expandedCode = (
  fields: readonly Field[],
  text: Pick<SecretText, 'label'>,
  spread: readonly string[] = [],
): string => blockCode([...spread, ...ownFields(fields, text)].map((item) => `${item},`))

// --- internal ---

const ownFields = (fields: readonly Field[], text: Pick<SecretText, 'label'>): readonly string[] =>
  fields.flatMap(([name, code]) => (code === undefined ? [] : [`${keyCode(name, text)}: ${code}`]))

/** The name of a field, in brackets if it is an expression. */
function keyCode(name: string, text: Pick<SecretText, 'label'>): string {
  const expression = text.label(name)
  return expression === quoteText(name) ? propertyName(name) : `[${expression}]`
}

function formatNumber(value: number, text: SecretText): string {
  const digits = Number.isFinite(value) ? JSON.stringify(value) : 'null'
  const expression = text.value(digits)
  return expression === quoteText(digits) ? digits : `Number(${expression})`
}
