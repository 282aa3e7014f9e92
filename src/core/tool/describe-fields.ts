// The fields of a tool in one line, for a caller that has not seen its schema.

import * as v from 'valibot'
import type { Tool } from './tool.ts'

export type Schema = v.GenericSchema & {
  readonly wrapped?: Schema
  readonly item?: Schema
  readonly entries?: Readonly<Record<string, Schema>>
  /** Of a union the schemas, of a picklist the values. */
  readonly options?: readonly (Schema | string)[]
}

/** `Fields: url?: string, part?: headers|body. DESCRIPTION`, without the session. */
export function describeFields({ description, input }: Tool): string {
  const { sessionId: _, ...fields } = input.entries as Readonly<Record<string, Schema>>
  const list = fieldsOf(fields).join(', ')
  return `${list === '' ? 'It takes no fields' : `Fields: ${list}`}. ${description}`
}

// --- internal ---

const fieldsOf = (entries: Readonly<Record<string, Schema>>): readonly string[] =>
  Object.entries(entries).map(([name, schema]) => {
    const about = schema.wrapped ? v.getDescription(schema.wrapped) : v.getDescription(schema)
    const note = about === undefined ? '' : ` (${about})`
    return `${name}${schema.type === 'optional' ? '?' : ''}: ${typeOf(schema)}${note}`
  })

function typeOf({ type, wrapped, item, entries, options }: Schema): string {
  if (wrapped) return typeOf(wrapped)
  if (options) return options.map((one) => (typeof one === 'string' ? one : typeOf(one))).join('|')
  if (item) return `${typeOf(item)}[]`
  if (entries && Object.keys(entries).length > 0) return `{${fieldsOf(entries).join(', ')}}`
  return type === 'record' || type.endsWith('_object') ? 'object' : type
}
