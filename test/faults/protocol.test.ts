// Rows 48, 50 and 51: lines that are no messages, and messages that make no sense. (Row 49, a message that is too long, is in e2e/honesty.)

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Raw, startRaw, toolCall } from '../support/raw.ts'

// An empty workspace: with this repository as workspace, run_test would run its tests.
const workspace = mkdtempSync(join(tmpdir(), 'fl-protocol-'))
let raw: Raw
beforeAll(async () => void (raw = await startRaw([], { cwd: workspace })))
afterAll(async () => {
  expect(await raw.close()).toBe(0)
  rmSync(workspace, { recursive: true })
})

let count = 0
const next = () => `n${(count += 1)}`
/** Whether the server still answers after what was written. */
async function stillServes(): Promise<void> {
  const id = next()
  raw.send({ jsonrpc: '2.0', id, method: 'ping' })
  expect(await raw.answer(id)).toMatchObject({ result: {} })
}

describe('row 48', () => {
  const broken: [string, string][] = [
    ['no JSON', '{"jsonrpc":"2.0","id":1,'],
    ['plain words', 'hello?'],
    ['an empty line', ''],
    ['a number', '42'],
    ['null', 'null'],
    ['a string', '"ping"'],
    ['a batch', '[{"jsonrpc":"2.0","id":7,"method":"ping"}]'],
    ['an empty batch', '[]'],
    ['no version', '{"id":1,"method":"ping"}'],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
    ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":5}'],
    ['bytes that are no UTF-8', 'ÿþ\u0000\u0001'],
    ['an answer to nothing', '{"jsonrpc":"2.0","id":99,"result":{}}'],
    ['deep nesting', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ]
  test.each(broken)('row 48: %s: the next message is served', async (_, line) => {
    raw.write(`${line}\n`)
    await stillServes()
  })
  test.each([
    ['no JSON', 'hello?', null, -32_700],
    ['a number', '42', null, -32_600],
    ['a batch', '[{"jsonrpc":"2.0","id":7,"method":"ping"}]', null, -32_600],
    ['a method that is a number', '{"jsonrpc":"2.0","id":"odd","method":5}', 'odd', -32_600],
  ])('row 48: %s is answered with an error', async (_, line, id, code) => {
    const lineCount = raw.lines().length
    raw.write(`${line}\n`)
    await stillServes()
    expect(
      raw
        .lines()
        .slice(lineCount)
        .map((text) => JSON.parse(text)),
    ).toContainEqual({
      jsonrpc: '2.0',
      id,
      error: { code, message: expect.any(String) },
    })
  })
  test('row 48: any line at all, 300 of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), async (text) => {
        raw.write(`${text.replaceAll('\n', ' ')}\n`)
      }),
      { numRuns: 300 },
    )
    await stillServes()
    for (const line of raw.lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  })
})

test('row 50: an unknown tool and an unknown method', async () => {
  raw.send(toolCall('tool', 'navigat', {}))
  expect((await raw.answer('tool')).error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('navigate'),
  })
  raw.send({ jsonrpc: '2.0', id: 'method', method: 'tools/destroy' })
  expect((await raw.answer('method')).error).toMatchObject({ code: -32601 })
})

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: Schema
}

// Arguments near what a schema asks for: right kinds and wrong ones, missing and extra fields, and values that break careless code.
const nasty = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    -1,
    0,
    1e308,
    -0.5,
    2 ** 53,
    true,
    [],
    {},
    '\ud800',
    '__proto__',
    '\u0000',
    '../..',
    'x'.repeat(100_000),
  ),
  fc.string(),
  fc.double(),
  fc.jsonValue(),
)
const near = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.enum) return fc.oneof(fc.constantFrom(...schema.enum), nasty)
  if (schema.type === 'array') return fc.oneof(fc.array(near(schema.items ?? {}), { maxLength: 4 }), nasty)
  if (schema.type === 'object') return fc.oneof(argumentsOf(schema), nasty)
  if (schema.type === 'boolean') return fc.oneof(fc.boolean(), nasty)
  if (schema.type === 'number' || schema.type === 'integer') return fc.oneof(fc.integer(), nasty)
  return nasty
}
const argumentsOf = ({ properties = {} }: Schema): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(
      fc.record(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, near(one)])), {
        requiredKeys: [],
      }),
      fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'extra', 'Selector', 'toString'), nasty, {
        maxKeys: 1,
      }),
    )
    .map(([known, extra]) => ({ ...extra, ...known }))

test('row 51: every tool with arguments that are nearly right: an answer each time, and never a bug', async () => {
  raw.send({ jsonrpc: '2.0', id: 'list', method: 'tools/list' })
  const { tools } = (await raw.answer('list')).result
  raw.send(toolCall('own', 'create_session', { name: 'fuzzed' }))
  await raw.answer('own')
  let refused = 0
  // Those that start programs or write where they are told are not fuzzed with what they would run.
  const fields = (schema: Schema): Schema => {
    const { command: _, commandPath: __, cwd: ___, ...properties } = schema.properties ?? {}
    return { ...schema, properties }
  }
  for (const { name, inputSchema } of tools as { name: string; inputSchema: Schema }[]) {
    await fc.assert(
      fc.asyncProperty(argumentsOf(fields(inputSchema)), fc.boolean(), async (input, onSession) => {
        const id = next()
        const patience = 'timeout' in (inputSchema.properties ?? {}) ? { timeout: 1 } : {}
        raw.send(toolCall(id, name, { ...input, ...(onSession && { sessionId: 'fuzzed', ...patience }) }))
        const { result, error } = await raw.answer(id)
        if (error) return expect(error.code).toBe(-32602)
        if (!result.isError) return
        const { errorCode, message, category } = result.structuredContent
        expect(['errorCode', errorCode]).not.toEqual(['errorCode', 'INTERNAL'])
        expect([message.length > 0, category.length > 0]).toEqual([true, true])
        if (errorCode === 'INVALID_PARAMETERS') refused += 1
      }),
      { numRuns: 25 },
    )
  }
  expect(refused).toBeGreaterThan(100)
  await stillServes()
}, 600_000)
