// The entries of `tools/list`. A failure must match the same output schema as a success, because clients validate both: so either the
// fields of the tool or the error code are required. A tool whose result is an image has no output schema. The schemas of the catalogue are
// converted when the executable is built (build.ts), and otherwise here.

import type { JSONObject, Tool as ListedTool } from '@modelcontextprotocol/server'
import { toJsonSchema } from '@valibot/to-json-schema'
import type { Tool } from '../../tool/tool.ts'
import type { DispatchOptions } from './run-tool.ts'

declare const FOOTLIGHT_TOOL_SCHEMAS: string | undefined

interface ObjectSchema {
  properties: JSONObject
  required: string[]
}

interface ToolSchemas {
  input: ObjectSchema
  output: ObjectSchema
}

const builtSchemas = (
  typeof FOOTLIGHT_TOOL_SCHEMAS === 'string' ? JSON.parse(FOOTLIGHT_TOOL_SCHEMAS) : {}
) as Readonly<Record<string, ToolSchemas>>

// The tool that calls others.
const STEPS = 'steps'

/** The entries of the tools that a client sees. `steps` names the others that can be called. */
export function listTools({
  tools,
  everyTool,
  names,
  isSessionOptional,
}: Required<Pick<DispatchOptions, 'tools' | 'everyTool' | 'names' | 'isSessionOptional'>>): ListedTool[] {
  const others = everyTool.filter((tool) => !tools.includes(tool) && names.resolve(tool.name, {}))
  return tools.map((tool) => {
    const entry = listTool(tool, names.spell(tool), isSessionOptional)
    if (tool.name !== STEPS || others.length === 0) return entry
    const list = others.map(names.spell).join(', ')
    return {
      ...entry,
      description: `${entry.description} Also unlisted ones (a wrong call answers its fields): ${list}.`,
    }
  })
}

/** The entry of a tool. Unless `isSessionOptional`, the session is required. */
export function listTool(tool: Tool, name: string, isSessionOptional: boolean): ListedTool {
  const { input, output } = builtSchemas[tool.name] ?? convertSchemas(tool)
  const isSessionRequired = !isSessionOptional && 'sessionId' in input.properties
  const required = isSessionRequired ? ['sessionId', ...input.required] : input.required
  return {
    name,
    title: tool.title,
    description: isSessionOptional ? tool.description : (tool.descriptionWithKey ?? tool.description),
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
      // Directories of servers refuse a tool that is neither: what acts on a page may change what cannot be had back.
      destructiveHint: tool.effect !== 'reads',
      idempotentHint: tool.effect === 'reads',
      openWorldHint: tool.effect === 'acts',
    },
  }
}

/** The JSON schemas of the input and of a success. */
export const convertSchemas = (tool: Tool): ToolSchemas => ({
  input: schemaOf(tool.input),
  output: schemaOf(tool.output),
})

const schemaOf = (schema: Tool['input'] | Tool['output']): ObjectSchema => {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    typeMode: 'input',
    target: 'draft-2020-12',
    ignoreActions: ['regex', 'check'],
  })
  return { properties: {}, required: [], ...(omitKeywords(rest) as object) } as ObjectSchema
}

// Omitted to save tokens: a value beyond a limit is refused with a message that names the limit.
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
  // No client has to know it: descriptions name what a model needs.
  'default',
])

function omitKeywords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(omitKeywords)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([key, value]) => !isOmitted(key, value))
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      key === 'properties' ? omitInProperties(value) : omitKeywords(value),
    ]),
  )
}

// Names of fields are not keywords.
const omitInProperties = (properties: object): object =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, omitKeywords(schema)]))

const isOmitted = (key: string, value: unknown): boolean =>
  (omittedKeywords.has(key) && typeof value !== 'object') ||
  key === 'propertyNames' ||
  (key === 'additionalProperties' && value === false) ||
  (key === 'required' && Array.isArray(value) && value.length === 0) ||
  (key === 'properties' && Object.keys(value as object).length === 0)
