import { expect, test } from 'bun:test'
import fc from 'fast-check'
import * as v from 'valibot'
import { map } from '../../../src/core/base/result.ts'
import { everyTool } from '../../../src/core/cli/tools/catalogue.ts'
import { coerce, parseInput } from '../../../src/core/mcp/calls/parse-input.ts'
import type { Tool } from '../../../src/core/tool/tool.ts'

const toolNamed = (name: string) => {
  const tool = everyTool.find((candidate) => candidate.name === name)
  if (!tool) throw new Error(name)
  return tool
}
const inputOf = (tool: Tool, input: Record<string, unknown>) =>
  map(parseInput(tool, input), (call) => call.input)
const parse = (name: string, input: Record<string, unknown>) =>
  inputOf(toolNamed(name), { ...(name !== 'create_session' && { sessionId: 's' }), ...input })

test.each(everyTool.map((tool) => [tool.name, tool] as const))(
  '%s: null for an optional field is the same as leaving it out',
  (_, tool) => {
    const optional = Object.entries(tool.input.entries).filter(
      ([name, entry]) => entry.type === 'optional' && name !== 'arg',
    )
    const required = Object.fromEntries(
      Object.entries(tool.input.entries)
        .filter(([, entry]) => entry.type !== 'optional')
        .map(([name]) => [name, 's']),
    )
    const nulls = Object.fromEntries(optional.map(([name]) => [name, null]))
    expect(coerce(tool.input, { ...required, ...nulls })).toEqual(coerce(tool.input, required))
    expect(inputOf(tool, { ...required, ...nulls })).toEqual(inputOf(tool, required))
  },
)

test('null is left out of nested fields too, and refused where a value is required', () => {
  const nested = { latitude: 1, longitude: 2, accuracy: null }
  expect(parse('emulate', { geolocation: nested })).toMatchObject({
    value: { geolocation: { latitude: 1, longitude: 2 } },
  })
  const fields = [{ selector: '#a', ref: null, value: 'x' }]
  expect(parse('fill_form', { fields })).toMatchObject({
    value: { fields: [{ selector: '#a', value: 'x' }] },
  })
  expect(parse('navigate', { url: null })).toMatchObject({ error: { field: 'url', received: 'null' } })
  expect(parse('emulate', { geolocation: { latitude: null, longitude: 2 } })).toMatchObject({
    error: { field: 'geolocation.latitude', received: 'null' },
  })
})

test('null that means null stays: the arg of a script', () => {
  expect(parse('evaluate', { script: '1', arg: null })).toMatchObject({ value: { arg: null } })
  const arg = { a: null, n: '2', b: 'true' }
  expect(parse('evaluate', { script: '1', arg })).toMatchObject({ value: { arg } })
})

test('exact forms of numbers and booleans are read as such, where nothing else is taken', () => {
  expect(parse('click', { selector: 'a', timeout: '2000', force: 'true' })).toMatchObject({
    value: { timeout: 2000, force: true },
  })
  expect(
    parse('create_session', { viewport: { width: '800', height: '600' }, headless: 'false' }),
  ).toMatchObject({
    value: { viewport: { width: 800, height: 600 }, headless: false },
  })
  expect(parse('type', { selector: 'a', text: '2' })).toMatchObject({ value: { text: '2' } })
  const fields = [{ selector: '#a', value: 'true' }]
  expect(parse('fill_form', { fields })).toMatchObject({ value: { fields } })
  expect(parse('create_session', { command: '2' })).toMatchObject({ value: { command: '2' } })
  for (const timeout of ['2 s', ' 2', '2.0', '0x10', '1e3', '', 'Infinity', 'NaN', '02', '+2'])
    expect(parse('click', { selector: 'a', timeout })).toMatchObject({ ok: false })
  for (const force of ['True', 'yes', '1', '', ' true'])
    expect(parse('click', { selector: 'a', force })).toMatchObject({ ok: false })
})

test('a number is text where text is wanted, and one value is a list of one', () => {
  expect(parse('type', { text: 5 })).toMatchObject({ value: { text: '5' } })
  expect(parse('fill_form', { fields: { selector: '#a', value: 7 } })).toMatchObject({
    value: { fields: [{ selector: '#a', value: '7' }] },
  })
  expect(parse('select', { selector: '#a', values: 'b' })).toMatchObject({ value: { values: ['b'] } })
  expect(parse('upload_file', { selector: '#a', paths: 'a.txt' })).toMatchObject({
    value: { paths: ['a.txt'] },
  })
  expect(parse('click', { selector: '#a', modifiers: 'Shift' })).toMatchObject({
    value: { modifiers: ['Shift'] },
  })
  expect(parse('create_session', { env: { LEVEL: 3 }, allowedDomains: 'a.test' })).toMatchObject({
    value: { env: { LEVEL: '3' }, allowedDomains: ['a.test'] },
  })
  expect(parse('click', { selector: '#a', modifiers: 'Shfit' })).toMatchObject({ ok: false })
})

const refs = ['e6', '[e6]', 'ref=e6', 'aria-ref=e6', '[ref=e6]', ' ref e6 ']

test.each(refs)('%s is ref e6, as a ref and as a selector', (shown) => {
  for (const name of ['ref', 'selector', 'target'])
    expect(parse('click', { [name]: shown })).toEqual({
      ok: true,
      value: { sessionId: 's', ref: 'e6' },
    } as never)
  expect(parse('fill_form', { fields: [{ target: shown, value: '1' }] })).toMatchObject({
    value: { fields: [{ ref: 'e6', value: '1' }] },
  })
  expect(parse('drag', { ref: 'f1e2', toSelector: shown })).toMatchObject({ value: { toRef: 'e6' } })
})

test('the names that models know from other servers are understood', () => {
  expect(parse('click', { element: 'Save button', target: '#a' })).toEqual({
    ok: true,
    value: { sessionId: 's', selector: '#a' },
  } as never)
  expect(parse('evaluate', { function: '() => 1' })).toMatchObject({ value: { script: '() => 1' } })
  expect(parse('evaluate', { expression: '1' })).toMatchObject({ value: { script: '1' } })
  const field = { element: 'Name', name: 'Name', type: 'textbox', target: 'e3', value: 'Ada' }
  expect(parse('fill_form', { fields: [field] })).toMatchObject({
    value: { fields: [{ ref: 'e3', value: 'Ada' }] },
  })
  const drag = { startElement: 'a', startTarget: 'e1', endElement: 'b', endTarget: '#b' }
  expect(parse('drag', drag)).toMatchObject({ value: { ref: 'e1', toSelector: '#b' } })
  expect(parse('click', { selector: '#a', target: '#b' })).toMatchObject({ error: { field: 'target' } })
  expect(parse('navigate', { url: 'a', element: 'b' })).toMatchObject({ error: { field: 'element' } })
})

test('a value that a schema takes is never changed', () => {
  const schema = v.strictObject({
    text: v.optional(v.string()),
    number: v.optional(v.number()),
    flag: v.optional(v.boolean()),
    any: v.optional(v.any()),
    list: v.optional(v.array(v.union([v.string(), v.boolean()]))),
    record: v.optional(v.record(v.string(), v.string())),
  })
  const input = fc.record(
    {
      text: fc.oneof(fc.string(), fc.constantFrom('true', 'false', '2')),
      number: fc.double({ noNaN: true }),
      flag: fc.boolean(),
      any: fc.jsonValue(),
      list: fc.array(fc.oneof(fc.string(), fc.boolean(), fc.constant('true'))),
      record: fc.dictionary(fc.string(), fc.string()),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(input, (value) => {
      expect(v.safeParse(schema, value).success).toBe(true)
      expect(coerce(schema, value)).toEqual(value)
    }),
    { numRuns: 300 },
  )
})

test('only exact decimal forms are numbers', () =>
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.integer().map(String)), (text) => {
      const value = coerce(v.number(), text)
      if (typeof value === 'number') expect(String(value)).toBe(text)
      else expect(value).toBe(text)
    }),
    { numRuns: 300 },
  ))

test('names of Object are no fields', () => {
  const input = JSON.parse('{"__proto__": null, "constructor": null, "toString": "2"}')
  expect(Object.keys(coerce(v.strictObject({ a: v.optional(v.number()) }), input) as object)).toEqual([
    '__proto__',
    'constructor',
    'toString',
  ])
})
