// Every input has a maximum size, and a failure does not repeat a long input.

import { describe, expect, test } from 'bun:test'
import { toJsonSchema } from '@valibot/to-json-schema'
import { exceedsJsonLimits } from '../../../src/core/base/text/parse-url.ts'
import { everyTool } from '../../../src/core/cli/tools/catalogue.ts'
import { parseInput } from '../../../src/core/mcp/calls/parse-input.ts'
import { createToolNames } from '../../../src/core/mcp/calls/tool-names.ts'

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

function pathsWithoutLimit(schema: Schema, path: string): string[] {
  const { type, anyOf = [], properties = {}, items, additionalProperties } = schema
  const hasNoLimit =
    (type === 'string' &&
      !schema.enum &&
      schema.maxLength === undefined &&
      !/\{\d*,\d+\}/.test(schema.pattern ?? '')) ||
    (type === 'array' && !items?.enum && schema.maxItems === undefined) ||
    (type === 'object' && typeof additionalProperties === 'object' && schema.maxProperties === undefined)
  return [
    ...(hasNoLimit ? [path] : []),
    ...anyOf.flatMap((schema) => pathsWithoutLimit(schema, path)),
    ...Object.entries(properties).flatMap(([name, property]) =>
      pathsWithoutLimit(property, `${path}.${name}`),
    ),
    ...(items ? pathsWithoutLimit(items, `${path}[]`) : []),
    ...(typeof additionalProperties === 'object' ? pathsWithoutLimit(additionalProperties, `${path}{}`) : []),
  ]
}

const schemaOf = (tool: (typeof everyTool)[number]) =>
  toJsonSchema(tool.input, { typeMode: 'input', target: 'draft-2020-12', errorMode: 'ignore' }) as Schema

test('every text, list and record that a tool takes has a limit', () => {
  // The limits of storageState are in features/states/storage-state.ts.
  const paths = everyTool.flatMap((tool) => pathsWithoutLimit(schemaOf(tool), tool.name))
  expect(paths.filter((path) => !path.startsWith('create_session.storageState'))).toEqual([])
})

describe('refused without repeating it', () => {
  const tool = everyTool.find(({ name }) => name === 'emulate') as (typeof everyTool)[number]
  const long = 'x'.repeat(1_000_000)
  const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)
  const rows: [name: string, input: Record<string, unknown>, expected: string][] = [
    ['a long text', { sessionId: long }, 'at most 200 characters'],
    ['a long name of a field', { sessionId: 's', [long]: 1 }, 'one of sessionId'],
    ['a long key', { sessionId: 's', headers: { [long]: 'v' } }, 'at most 500 characters'],
    [
      'many entries',
      { sessionId: 's', headers: Object.fromEntries([...Array(101).keys()].map((i) => [i, ''])) },
      'at most 100 entries',
    ],
    ['deep values', { sessionId: 's', viewport: deep }, 'at most 100 levels'],
    ['many values', { sessionId: 's', viewport: Array(100_001).fill(0) }, '100000 values'],
  ]
  test.each(rows)('%s', (_, input, expected) => {
    const result = parseInput(tool, input)
    if (result.ok) throw new Error('was taken')
    expect(result.error).toMatchObject({
      code: 'INVALID_PARAMETERS',
      expected: expect.stringContaining(expected),
    })
    expect(JSON.stringify(result.error).length).toBeLessThan(1000)
  })
  test('a name of a tool', () => {
    const names = createToolNames(everyTool, 'footlight')
    expect(names.resolve(long, {})).toBeUndefined()
    expect(names.findClosest(long)).toBeUndefined()
  })
})

test('depth and number of values are counted without recursion', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  expect(exceedsJsonLimits(deep, { depth: 100, values: 1e6 })).toBe(true)
  expect(exceedsJsonLimits([[[1]]], { depth: 3, values: 3 })).toBe(false)
  expect(exceedsJsonLimits([[[1]]], { depth: 2, values: 3 })).toBe(true)
  expect(exceedsJsonLimits([1, 2, { a: 1 }], { depth: 9, values: 4 })).toBe(false)
  expect(exceedsJsonLimits([1, 2, { a: 1 }], { depth: 9, values: 3 })).toBe(true)
})
