// A tool that a page offers to agents. Its name, its words and its schema are those of the page.

import { isRecord } from '../../core/base/text/json.ts'
import type { PageTool } from './in-page/offered-tools.ts'

export interface OfferedTools {
  readonly tools: readonly PageTool[]
  /** How many more the page offers. */
  readonly omitted: number
}

/** `add(a: number, b?: number)`. A parameter without a type is named alone. */
export function signatureOf({ name, inputSchema }: PageTool): string {
  const schema = isRecord(inputSchema) ? inputSchema : {}
  const required: unknown = schema['required']
  const parameters = Object.entries(isRecord(schema['properties']) ? schema['properties'] : {})
  const texts = parameters.slice(0, PARAMETER_LIMIT).map(([key, value]) => {
    const isRequired = Array.isArray(required) && required.includes(key)
    const type = typeOf(value)
    return `${nameOf(key)}${isRequired ? '' : '?'}${type === '' ? '' : `: ${type}`}`
  })
  return `${nameOf(name)}(${[...texts, ...(parameters.length > PARAMETER_LIMIT ? ['…'] : [])].join(', ')})`
}

/** A name in quotes if it is no plain word. */
export const nameOf = (name: string): string => (/^[\w.-]{1,64}$/.test(name) ? name : JSON.stringify(name))

/** The schema without what a hostile page could make endless, such as regular expressions and references, and without what would refuse more
 * then. */
export function relaxSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(relaxSchema)
  if (!isRecord(schema)) return schema
  const isOpen = 'patternProperties' in schema
  const entries = Object.entries(schema).filter(
    ([key, value]) =>
      !OMITTED_KEYWORDS.has(key) &&
      !(isOpen && key === 'additionalProperties') &&
      !(key === 'type' && ![value].flat().every((type) => TYPES.has(type))),
  )
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'enum' || key === 'const') return [key, value]
      // The keys of these are names.
      if (key === 'properties' && isRecord(value))
        return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, relaxSchema(one)]))]
      return [key, relaxSchema(value)]
    }),
  )
}

// --- internal ---

const PARAMETER_LIMIT = 12
const CHOICE_LIMIT = 6

const TYPES: ReadonlySet<unknown> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
])

const OMITTED_KEYWORDS: ReadonlySet<string> = new Set([
  ...['pattern', 'patternProperties', 'propertyNames', 'format'],
  ...['$ref', '$dynamicRef', '$recursiveRef', '$id', '$anchor', '$schema', '$defs', 'definitions'],
  ...['not', 'oneOf', 'if', 'then', 'else', 'unevaluatedProperties', 'unevaluatedItems'],
])

function typeOf(schema: unknown): string {
  if (!isRecord(schema)) return ''
  const { type, enum: choices } = schema
  if (Array.isArray(choices) && choices.length > 0 && choices.length <= CHOICE_LIMIT)
    return choices.map((choice) => JSON.stringify(choice)).join(' | ')
  return [type]
    .flat()
    .filter((one) => typeof one === 'string' && /^[a-z]+$/.test(one))
    .join(' | ')
}
