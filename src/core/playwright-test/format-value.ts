import { propertyName, quoteText } from './literals.ts'
import type { Code } from './print-code.ts'
import type { SecretText } from './secret-text.ts'

/** The code of a JSON value: secrets in its texts are replaced, fields without a value are left out. */
export function formatValue(value: unknown, text: SecretText): Code {
  if (typeof value === 'string') return text.value(value)
  if (typeof value === 'number') return formatNumber(value, text)
  if (Array.isArray(value))
    return { open: '[', items: value.map((item: unknown) => formatValue(item, text)), close: ']' }
  if (typeof value === 'object' && value !== null)
    return objectCode(
      Object.entries(value).map(([name, item]) => [
        name,
        item === undefined ? undefined : formatValue(item, text),
      ]),
      text,
    )
  return String(value ?? null)
}

/** An object literal; fields without code are left out. */
export function objectCode(
  fields: readonly (readonly [string, Code | undefined])[],
  text: Pick<SecretText, 'label'>,
): Code {
  const items = fields.flatMap(([name, code]) =>
    code === undefined ? [] : [[`${keyOf(name, text)}: `, code]],
  )
  return { open: '{', items, close: '}' }
}

// --- internal ---

function keyOf(name: string, text: Pick<SecretText, 'label'>): string {
  const expression = text.label(name)
  return expression === quoteText(name) ? propertyName(name) : `[${expression}]`
}

function formatNumber(value: number, text: SecretText): string {
  const digits = Number.isFinite(value) ? JSON.stringify(value) : 'null'
  const expression = text.value(digits)
  return expression === quoteText(digits) ? digits : `Number(${expression})`
}
