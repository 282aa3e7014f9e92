// Every text that a tool takes, found in the schemas, with an otherwise right input around it.

import { toJsonSchema } from '@valibot/to-json-schema'
import fc from 'fast-check'
import { everyTool } from '../../src/core/cli/tools/catalogue.ts'
import type { Tool } from '../../src/core/tool/tool.ts'

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

export interface TextField {
  /** Such as `upload_file.paths[]`; `{}` is a value of a record, and `{key}` its key. */
  readonly path: string
  readonly tool: Tool
  readonly inputWith: (text: string) => Record<string, unknown>
}

/** Texts that have at least one character that is none: NUL, another control character, half of a character. */
export const oddText: fc.Arbitrary<string> = fc
  .tuple(
    fc.string({ maxLength: 5 }),
    fc.constantFrom('\0', '\u0001', '\u0007', '\u001b[31m', '\u007f', '\u009b', '\ud800', '\udc00'),
    fc.string({ maxLength: 5 }),
  )
  .map((parts) => parts.join(''))

export const fieldsOf = (): readonly TextField[] => everyTool.flatMap(textsOf)

// --- internal ---

type Place = { readonly path: string; readonly make: (text: string) => unknown }

function textsOf(tool: Tool): readonly TextField[] {
  const schema = toJsonSchema(tool.input, { typeMode: 'input', errorMode: 'ignore' }) as Schema
  const given = least(schema) as Record<string, unknown>
  const target = tool.name === 'drag' ? { toSelector: 'a' } : {}
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    placesIn(field, name).map(({ path, make }) => ({
      path: `${tool.name}.${path}`,
      tool,
      inputWith: (text: string) => ({ ...target, ...given, [name]: make(text) }),
    })),
  )
}

function placesIn(schema: Schema, path: string): readonly Place[] {
  const { type, anyOf = [], items, properties = {}, additionalProperties } = schema
  if (type === 'string' && !schema.enum) return [{ path, make: (text) => text }]
  const inner = (found: readonly Place[], wrap: (value: unknown) => unknown): readonly Place[] =>
    found.map(({ path, make }) => ({ path, make: (text) => wrap(make(text)) }))
  return [
    ...anyOf.flatMap((one) => placesIn(one, path)),
    ...(items ? inner(placesIn(items, `${path}[]`), (value) => [value]) : []),
    ...Object.entries(properties).flatMap(([name, one]) =>
      inner(placesIn(one, `${path}.${name}`), (value) => ({ ...(least(schema) as object), [name]: value })),
    ),
    ...(typeof additionalProperties === 'object'
      ? [
          ...inner(placesIn(additionalProperties, `${path}{}`), (value) => ({ key: value })),
          { path: `${path}{key}`, make: (text: string) => ({ [text]: 'value' }) },
        ]
      : []),
  ]
}

// The least value that a schema takes.
function least({ type, enum: choices, properties = {}, required = [], items, anyOf }: Schema): unknown {
  if (choices) return choices[0]
  if (anyOf?.[0]) return least(anyOf[0])
  if (type === 'object')
    return Object.fromEntries(required.map((name) => [name, least(properties[name] ?? {})]))
  if (type === 'array') return items ? [least(items)] : []
  if (type === 'number' || type === 'integer') return 1
  return type === 'boolean' ? true : 'a'
}
