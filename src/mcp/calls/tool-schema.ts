// What the model sees of a tool. A failure must pass the same output schema as a success, because clients check both; so what is
// required is either the tool's own fields or the error code. A tool whose answer is a picture has no output schema.

import { toJsonSchema } from '@valibot/to-json-schema'
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js'
import type { Tool } from '../../tools/define/tool.ts'

interface ObjectSchema {
  properties: Record<string, object>
  required: string[]
}

/** The entry of `tools/list`. With `implicit` the session may be left out. */
export function listTool(tool: Tool, name: string, implicit: boolean): ListedTool {
  const input = schemaOf(tool.input)
  const output = schemaOf(tool.output)
  const required = implicit ? input.required.filter((field) => field !== 'sessionId') : input.required
  return {
    name,
    title: tool.title,
    description: tool.description,
    inputSchema: {
      type: 'object',
      properties: input.properties,
      ...(required.length > 0 && { required }),
    },
    ...(!tool.showsImage && {
      outputSchema: {
        type: 'object' as const,
        properties: output.properties,
        anyOf: [{ required: output.required }, { required: ['errorCode'] }],
      },
    }),
    annotations: {
      readOnlyHint: tool.effect === 'reads',
      destructiveHint: tool.effect === 'ends',
      idempotentHint: tool.effect === 'reads',
      openWorldHint: tool.effect === 'acts',
    },
  }
}

const schemaOf = (schema: Tool['input'] | Tool['output']): ObjectSchema => {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    typeMode: 'input',
    target: 'draft-2020-12',
    ignoreActions: ['regex'],
  })
  return { properties: {}, required: [], ...(omitKeywords(rest) as object) } as ObjectSchema
}

// A model pays for every word of a schema, and limits teach it little: a value beyond them is refused with the limit named.
const omittedKeywords = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'maxProperties',
  'minimum',
  'maximum',
  'pattern',
  'format',
  'propertyNames',
])

function omitKeywords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(omitKeywords)
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(([key, value]) => !isOmitted(key, value))
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'properties' ? omitInProperties(value) : omitKeywords(value)]),
  )
}

// The names of fields are not keywords.
const omitInProperties = (properties: object): object =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, omitKeywords(schema)]))

const isOmitted = (key: string, value: unknown): boolean =>
  (omittedKeywords.has(key) && typeof value !== 'object') ||
  key === 'propertyNames' ||
  (key === 'additionalProperties' && value === false) ||
  (key === 'required' && Array.isArray(value) && value.length === 0) ||
  (key === 'properties' && Object.keys(value as object).length === 0)
