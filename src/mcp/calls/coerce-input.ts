// What models write for what they mean: null for a field that they leave out, "2" for 2, "true" for true. Only exact forms count, and
// only where the schema takes nothing else, so that no text is ever read as something else.

import * as v from 'valibot'

type Schema = v.GenericSchema & {
  readonly wrapped?: Schema
  readonly item?: Schema
  readonly entries?: Readonly<Record<string, Schema>>
}

/** The value as the schema takes it; what it does not take stays as it is, to be refused by it. */
export function coerce(schema: v.GenericSchema, value: unknown): unknown {
  const { type, wrapped, item, entries } = schema as Schema
  if (type === 'optional' && wrapped) return coerce(wrapped, value)
  if (typeof value === 'string' && (type === 'number' || type === 'boolean')) return parseLiteral(type, value)
  if (type === 'array' && item && Array.isArray(value)) return value.map((one) => coerce(item, one))
  if (!entries || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return coerceFields(entries, { ...value })
}

/** The fields of an object as their schemas take them. */
export function coerceFields(
  entries: Readonly<Record<string, v.GenericSchema>>,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const present = Object.entries(fields).filter(
    ([name, field]) => field !== null || !refusesNull(entries, name),
  )
  return Object.fromEntries(
    present.map(([name, field]) => {
      const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
      return [name, entry ? coerce(entry, field) : field]
    }),
  )
}

// --- internal ---

function parseLiteral(type: 'number' | 'boolean', text: string): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  const number = Number(text)
  return String(number) === text && Number.isFinite(number) ? number : text
}

// A field that takes any value takes null too, where it means null: the arg of evaluate.
function refusesNull(entries: Readonly<Record<string, v.GenericSchema>>, name: string): boolean {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
  return entry?.type === 'optional' && !v.safeParse(entry, null).success
}
