// Converts what models often write: null for an omitted field, "2" for 2, "true" for true. Only exact forms are converted, and only where
// the schema accepts no string, so that no text changes its meaning.

import * as v from 'valibot'

type Schema = v.GenericSchema & {
  readonly wrapped?: Schema
  readonly item?: Schema
  readonly entries?: Readonly<Record<string, Schema>>
}

/** The value in the type that the schema accepts. A value that cannot be converted stays as it is, and the schema refuses it. */
export function coerce(schema: v.GenericSchema, value: unknown): unknown {
  const { type, wrapped, item, entries } = schema as Schema
  if (type === 'optional' && wrapped) return coerce(wrapped, value)
  if (typeof value === 'string' && (type === 'number' || type === 'boolean')) return parseLiteral(type, value)
  if (type === 'array' && item && Array.isArray(value)) return value.map((element) => coerce(item, element))
  if (!entries || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return coerceFields(entries, { ...value })
}

/** The fields of an object in the types that their schemas accept. */
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

// A field of any type, such as arg of evaluate, accepts null as a value.
function refusesNull(entries: Readonly<Record<string, v.GenericSchema>>, name: string): boolean {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
  return entry?.type === 'optional' && !v.safeParse(entry, null).success
}
