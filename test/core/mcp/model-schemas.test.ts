// The schemas that models receive use what the function schemas of all large model APIs accept: those of Gemini have the smallest
// vocabulary, those of OpenAI forbid combinations at the root. `bun run test:clients schemas` asks the converters of their SDKs.

import { expect, test } from 'bun:test'
import { everyTool } from '../../../src/core/cli/tools/catalogue.ts'
import { createToolNames } from '../../../src/core/mcp/calls/tool-names.ts'
import { listTool } from '../../../src/core/mcp/calls/tool-schema.ts'

interface Schema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly additionalProperties?: unknown
}

const keywords = [
  'type',
  'properties',
  'required',
  'items',
  'anyOf',
  'enum',
  'description',
  'additionalProperties',
]
const types = ['object', 'array', 'string', 'number', 'integer', 'boolean']

function problemsOf(schema: Schema, path: string): string[] {
  const { type, properties = {}, required = [], items, anyOf = [], additionalProperties } = schema
  const problems = [
    ...Object.keys(schema)
      .filter((keyword) => !keywords.includes(keyword))
      .map((keyword) => `${keyword} is not in every vocabulary`),
    ...(type !== undefined && !types.includes(type as string) ? [`type ${JSON.stringify(type)}`] : []),
    ...(type !== undefined && anyOf.length > 0 ? ['type beside anyOf'] : []),
    ...(type === 'array' && !items ? ['an array without items'] : []),
    ...(schema.enum && !(type === 'string' && schema.enum.every((value) => typeof value === 'string'))
      ? ['an enum of other values than strings']
      : []),
    ...required.filter((name) => !Object.hasOwn(properties, name)).map((name) => `requires unknown ${name}`),
  ].map((problem) => `${path}: ${problem}`)
  return [
    ...problems,
    ...Object.entries(properties).flatMap(([name, property]) => problemsOf(property, `${path}.${name}`)),
    ...(items ? problemsOf(items, `${path}[]`) : []),
    ...anyOf.flatMap((option, index) => problemsOf(option, `${path}|${index}`)),
    ...(typeof additionalProperties === 'object' && additionalProperties !== null
      ? problemsOf(additionalProperties, `${path}.*`)
      : []),
  ]
}

test.each(everyTool.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  for (const isSessionOptional of [true, false]) {
    const { inputSchema } = listTool(tool, name, isSessionOptional)
    expect(problemsOf(inputSchema as Schema, name)).toEqual([])
    expect([inputSchema.type, 'anyOf' in inputSchema]).toEqual(['object', false])
  }
  for (const dialect of ['footlight', 'session', 'e2e'] as const)
    expect(createToolNames(everyTool, dialect).spell(tool)).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
})

test('the check finds what an API refuses', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'string', pattern: '(?!x)' },
      b: { type: ['string', 'null'] },
      c: { type: 'array' },
      d: { type: 'integer', enum: [1] },
      e: { type: 'string', anyOf: [{ type: 'string' }] },
    },
    required: ['f'],
  }
  expect(problemsOf(schema as Schema, 'x')).toEqual([
    'x: requires unknown f',
    'x.a: pattern is not in every vocabulary',
    'x.b: type ["string","null"]',
    'x.c: an array without items',
    'x.d: an enum of other values than strings',
    'x.e: type beside anyOf',
  ])
})
