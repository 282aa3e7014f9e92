// What the model sees of a tool. A failure must pass the same output schema as a success, because clients check both; so what is
// required is either the tool's own fields or the error code.

import { toJsonSchema } from '@valibot/to-json-schema'
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js'
import type { Tool } from '../tools/tool.ts'

interface ObjectSchema {
  properties: Record<string, object>
  required: string[]
}

/** The entry of `tools/list`. With `implicit` the session may be left out. */
export function listing(tool: Tool, name: string, implicit: boolean): ListedTool {
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
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: output.properties,
      anyOf: [{ required: output.required }, { required: ['errorCode'] }],
    },
    annotations: {
      readOnlyHint: tool.effect === 'reads',
      destructiveHint: tool.effect === 'ends',
      idempotentHint: tool.effect === 'reads',
      openWorldHint: tool.effect === 'acts',
    },
  }
}

const schemaOf = (schema: Tool['input'] | Tool['output']): ObjectSchema => {
  const { $schema: _, ...rest } = toJsonSchema(schema, { typeMode: 'input', target: 'draft-2020-12' })
  return { properties: {}, required: [], ...rest } as ObjectSchema
}
