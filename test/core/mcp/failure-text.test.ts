import { describe, expect, test } from 'bun:test'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { AnySchema } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { samples } from '../../../scripts/docs/samples.ts'
import { categoryOf } from '../../../src/core/base/failure.ts'
import type { Failure } from '../../../src/core/base/failure.ts'
import { ok } from '../../../src/core/base/result.ts'
import { everyTool } from '../../../src/core/cli/tools/catalogue.ts'
import { defaultFailureForm, failureFormFor } from '../../../src/core/mcp/answers/failure-form.ts'
import { failureRecordOf } from '../../../src/core/mcp/answers/failure-text.ts'
import { failureResult, successResult } from '../../../src/core/mcp/answers/format-result.ts'
import { parseInput } from '../../../src/core/mcp/calls/parse-input.ts'
import { createRateLimiter } from '../../../src/core/mcp/calls/rate-limiter.ts'
import { dispatch } from '../../../src/core/mcp/calls/serve-tools.ts'
import { createToolNames } from '../../../src/core/mcp/calls/tool-names.ts'
import { listTool } from '../../../src/core/mcp/calls/tool-schema.ts'
import { stillBrowsers, stillContext, stillSessionManager } from '../../support/pages.ts'

const severalSessions: Failure = {
  code: 'INVALID_PARAMETERS',
  field: 'sessionId',
  expected: 'the name of one of your 12 open sessions',
  received: 'nothing',
  sessions: [
    { name: 's1', status: 'open', url: 'http://a/' },
    { name: 'my shop', status: 'opening' },
  ],
  openCount: 12,
}

/** The sample of each code, and what has another sentence. */
const failures: Failure[] = [
  ...Object.values(samples).map(({ example }) => example),
  severalSessions,
  { code: 'SESSION_NOT_FOUND' },
  { code: 'SESSION_EXPIRED', sessionId: 's', name: 's1', reason: 'lifetime', after: 5 },
  {
    code: 'NAVIGATION_FAILED',
    url: 'http://localhost:3000/',
    reason: 'net::ERR_CONNECTION_REFUSED',
    isElsewhere: true,
  },
  { code: 'MAX_SESSIONS_REACHED', limit: 6, active: 6, grid: { queued: 2 } },
  { code: 'BROWSER_CRASHED', browser: 'chromium', reason: 'the node of the Grid does not answer' },
  { code: 'NAVIGATION_FAILED', url: 'http://a/', reason: 'ERR_CONNECTION_REFUSED', redirects: [] },
  { code: 'NAVIGATION_FAILED', url: 'http://a/', reason: 'there is no page to go forward to' },
  { code: 'ELEMENT_NOT_FOUND', target: '#a', waited: 5 },
  {
    code: 'ELEMENT_NOT_FOUND',
    target: 'ref e7',
    waited: 0,
    stale: true,
    changed: { from: 'Bob', to: 'Cid' },
  },
  { code: 'ELEMENT_NOT_CLICKABLE', target: '#a', reason: 'covered', by: '<div>', waited: 5 },
  { code: 'ELEMENT_NOT_EDITABLE', target: '#a', reason: 'read_only', waited: 5 },
  { code: 'ELEMENT_NOT_EDITABLE', target: '#a', reason: 'disabled', waited: 5, became: true },
  { code: 'TIMEOUT', waitedFor: 'x', waited: 5 },
  { code: 'TIMEOUT', waitedFor: 'x', waited: 5, responding: false },
  { code: 'TIMEOUT', waitedFor: 'x', waited: 5, observed: ['count 0 -> 2 after 3 ms, wanted 3'] },
]

describe('failures', () => {
  test.each(failures)('%p has a sentence without colours, its category and its facts', (failure) => {
    const record = failureRecordOf(failure, 7, 'given')
    expect(record).toMatchObject({ errorCode: failure.code, category: categoryOf(failure), timestamp: 7 })
    expect(record.sessionId).toBe('sessionId' in failure ? failure.sessionId : 'given')
    expect(record.message).toMatch(/^.{15,}[.)?\w]$/s)
    expect(record.message).not.toContain('undefined')
    expect(JSON.stringify(record)).not.toContain('\\u001b')
  })

  test.each<[Failure, string]>([
    [{ code: 'SESSION_NOT_FOUND', sessionId: 's' }, 'create_session'],
    [{ code: 'SESSION_EXPIRED', sessionId: 's', name: 's1', reason: 'idle', after: 5 }, 'create_session'],
    [{ code: 'MAX_SESSIONS_REACHED', limit: 10, active: 10 }, 'close_session'],
  ])('%p: the message names the tool to call next', (failure, tool) =>
    expect(failureRecordOf(failure, 1).message).toContain(tool),
  )

  test('an expired session says what ended with it, how to start again and how to get more time', () => {
    const messageWith = (more: object) =>
      failureRecordOf(
        { code: 'SESSION_EXPIRED', sessionId: 's', name: 's1', reason: 'idle', after: 300_000, ...more },
        1,
      ).message
    expect(messageWith({ server: true })).toMatch(
      /300000 ms.*page, cookies, dev server.*create_session.*sessionTimeout/,
    )
    expect(messageWith({})).not.toContain('dev server')
    const input = { restore: 'work', command: 'npm run dev' }
    expect(messageWith({ server: true, creation: { input, omitted: ['env'], keptAs: 'work' } })).toBe(
      'Session s1 expired after 300000 ms without a call; its page, dev server and logs are no longer available. Its cookies and storage are saved as work. Call create_session {"restore":"work","command":"npm run dev"} with the same env to start again; pass a longer sessionTimeout if needed.',
    )
    const long = { input: { command: 'x'.repeat(500) }, omitted: [] }
    expect(messageWith({ creation: long })).toContain('Call create_session with the same arguments to start')
    expect(messageWith({ creation: { input: {}, omitted: [] } })).toContain(
      'Call create_session to start again',
    )
  })

  test('a wait that ended before its timeout says why and how to wait anyway', () => {
    const early = { waited: 2110.4, quietMs: 2003.7 }
    const covered = { code: 'ELEMENT_NOT_CLICKABLE', target: '#a', reason: 'covered' } as const
    const note = 'The page was quiet for 2 s: waiting longer would not help; pass timeout to wait anyway.'
    const record = failureRecordOf({ ...covered, ...early }, 1)
    expect(record.message).toEndWith(` ${note}`)
    expect(record.details).toMatchObject({ waited: 2110, quietMs: 2004 })
    expect(failureRecordOf({ code: 'ELEMENT_NOT_FOUND', target: '#a', ...early }, 1).message).toEndWith(note)
    expect(failureRecordOf({ ...covered, waited: 5000 }, 1).message).not.toContain('quiet')
  })

  test('a field that its own handler disabled was editable before', () => {
    const lost = { code: 'ELEMENT_NOT_EDITABLE', target: '#a', reason: 'disabled', waited: 5 } as const
    expect(failureRecordOf({ ...lost, became: true }, 1).message).toStartWith(
      '#a was editable, but became disabled when the action used it.',
    )
    expect(failureRecordOf(lost, 1).message).toStartWith('#a was found but is disabled')
  })

  test.each(failures)(
    '%p: the record is structured content, its code and message are the text',
    (failure) => {
      const record = failureRecordOf(failure, 1)
      const result = failureResult(record)
      expect(result.isError).toBe(true)
      expect(result.structuredContent).toEqual({ ...record })
      expect(plainTextOf(result)).toStartWith(`${record.errorCode}: ${record.message}`)
      expect(plainTextOf(result)).not.toMatch(/timestamp|category|waited|undefined|\[object/)
    },
  )

  test('a call that names none of several sessions gets their names, what tells them apart, and how many there are', () => {
    const { message, details } = failureRecordOf(severalSessions, 1)
    expect(message).toBe(
      'sessionId: expected the name of one of your 12 open sessions, received nothing. Pass one of s1 (http://a/), "my shop" (opening); list_sessions has all 12.',
    )
    expect(details).toMatchObject({ field: 'sessionId', sessions: [{ name: 's1' }, { name: 'my shop' }] })
    expect(failureRecordOf({ code: 'SESSION_NOT_FOUND' }, 1).sessionId).toBeUndefined()
  })
})

const image = { bytes: new Uint8Array([1, 2]), mimeType: 'image/jpeg', width: 1, height: 1 } as const
const screenshot = { path: '/out/failure-1.jpeg', resource: 'footlight://s/f', width: 1, height: 1 }
const evidence = { page: { url: 'http://a/' }, screenshot, image }
const plainTextOf = ({ content: [first] }: CallToolResult) => (first?.type === 'text' ? first.text : '')
const textOf = (result: CallToolResult) => JSON.parse(plainTextOf(result))

describe('an answer with an image has no structured content, and its facts as text', () => {
  test('a success', () => {
    const result = successResult({ data: { width: 1 }, images: [image] })
    expect(result).not.toHaveProperty('structuredContent')
    expect(textOf(result)).toEqual({ width: 1 })
    expect(result.content[1]).toEqual({ type: 'image', mimeType: 'image/jpeg', data: 'AQI=' })
  })
  test('a failure whose picture is inline', () => {
    const result = failureResult(failureRecordOf({ code: 'CANCELLED' }, 1), evidence, {
      ...defaultFailureForm,
      images: 'all',
    })
    expect(result).not.toHaveProperty('structuredContent')
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image'])
    expect(textOf(result).evidence).toEqual({ page: { url: 'http://a/' }, screenshot })
  })
  test('a picture that costs more than the words is named only, unless all pictures are expected', () => {
    const large = { ...image, width: 1280, height: 720 }
    const kinds = (images: 'all' | 'small') =>
      failureResult(
        failureRecordOf({ code: 'CANCELLED' }, 1),
        { ...evidence, image: large },
        { ...defaultFailureForm, images },
      ).content.map(({ type }) => type)
    expect([kinds('small'), kinds('all')]).toEqual([['text'], ['text', 'image']])
  })
  test('a client that has the structured content gets a sentence beside it, but all as text where there is none', () => {
    const form = failureFormFor('codex-mcp-client')
    const record = failureRecordOf({ code: 'CANCELLED' }, 1)
    const result = failureResult(record, evidence, form)
    expect(result.structuredContent).toEqual({
      ...record,
      evidence: { page: { url: 'http://a/' }, screenshot },
    })
    expect(result.content).toEqual([
      { type: 'text', text: `CANCELLED: ${record.message} Picture: /out/failure-1.jpeg` },
    ])
    expect(textOf(failureResult(record, evidence, { ...form, images: 'all' })).evidence.screenshot).toEqual(
      screenshot,
    )
  })
  test('a client that words a failure with all of its answer gets it once', () => {
    const form = failureFormFor('gemini-cli-mcp-client')
    const result = failureResult(failureRecordOf({ code: 'CANCELLED' }, 1), evidence, form)
    expect(result).not.toHaveProperty('structuredContent')
    expect(result.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^CANCELLED: [^]*\nscreenshot: \/out\/failure-1\.jpeg$/) },
    ])
    for (const other of ['another client', 'Visual Studio Code fork'])
      expect(failureFormFor(other)).toEqual(defaultFailureForm)
  })
  test('elsewhere both ways to read a failure name the file, and no picture comes along', () => {
    const result = failureResult(failureRecordOf({ code: 'CANCELLED' }, 1), evidence)
    expect(result.content).toHaveLength(1)
    expect(result.structuredContent).toMatchObject({ evidence: { screenshot } })
    expect(plainTextOf(result)).toEndWith('\nscreenshot: /out/failure-1.jpeg')
  })
})

test('durations are reported in whole milliseconds', () =>
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e7, noNaN: true }), (waited) => {
      const all: Failure[] = [
        { code: 'TIMEOUT', waitedFor: 'x', waited },
        { code: 'ELEMENT_NOT_FOUND', target: '#a', waited },
        { code: 'PAGE_HUNG', url: 'http://a/', waited, freed: true },
        { code: 'RATE_LIMITED', limit: 'x', retryAfterMs: waited },
      ]
      for (const failure of all)
        expect(JSON.stringify(failureRecordOf(failure, 7))).not.toMatch(/\d[.]\d|\de-/)
    }),
  ))

describe('schemas', () => {
  const ajv = new Ajv2020({ strict: false })
  const isImage = ({ showsImage = false }: (typeof everyTool)[number]) => showsImage
  test.each(everyTool.filter((tool) => !isImage(tool)).map((tool) => [tool.name, tool] as const))(
    '%s: a failure passes the output schema, an empty success does not',
    (_, tool) => {
      const { outputSchema, inputSchema, annotations, title, description } = listTool(tool, tool.name, false)
      if (!outputSchema) throw new Error('no output schema')
      const valid = ajv.compile(outputSchema as AnySchema)
      for (const failure of failures) expect(valid(failureRecordOf(failure, 1))).toBe(true)
      expect(valid({})).toBe(false)
      expect(() => ajv.compile(inputSchema)).not.toThrow()
      expect(Object.keys(annotations ?? {})).toHaveLength(4)
      expect(`${title}${description}`.length).toBeGreaterThan(20)
    },
  )

  test('only tools that may answer a picture have no output schema, because such an answer has no structured content', () => {
    const without = everyTool.filter((tool) => !listTool(tool, tool.name, false).outputSchema)
    expect(without.map(({ name }) => name)).toEqual(['steps', 'screenshot', 'video'])
    expect(without.every(isImage)).toBe(true)
  })

  test('sessionId is required, unless calls may omit it', () => {
    const click = everyTool.find(({ name }) => name === 'click')
    if (!click) throw new Error('no click')
    expect(listTool(click, 'click', false).inputSchema.required).toContain('sessionId')
    expect(listTool(click, 'click', true).inputSchema.required ?? []).not.toContain('sessionId')
    expect(parseInput(click, { selector: '#a' })).toMatchObject(ok({ input: { selector: '#a' } }))
  })
})

describe('inputs', () => {
  const failureOf = (name: string, input: Record<string, unknown>) => {
    const tool = everyTool.find((one) => one.name === name)
    const result = tool && parseInput(tool, input)
    return result && !result.ok ? result.error : result
  }
  const rows: [string, Record<string, unknown>, Record<string, string>][] = [
    ['navigate', { sessionId: 's' }, { field: 'url', expected: 'a string', received: 'nothing' }],
    [
      'navigate',
      { sessionId: ['s'], url: 'x' },
      { field: 'sessionId', expected: 'a string', received: 'a list' },
    ],
    [
      'navigate',
      { sessionId: 's', url: 'x', waitUntil: 'never' },
      { field: 'waitUntil', received: '"never"' },
    ],
    ['click', { sesion: 's', selector: 'a' }, { field: 'sesion', received: 'an unknown field' }],
    [
      'click',
      { sessionId: 's', selector: 'a', clickCount: 0 },
      { field: 'clickCount', expected: 'at least 1' },
    ],
    ['click', { sessionId: 's', ref: 'nope' }, { field: 'ref' }],
    ['type', { sessionId: 's', selector: 'a', text: 'x', delay: Number.NaN }, { field: 'delay' }],
    [
      'create_session',
      { viewport: { width: 1.5, height: 1 } },
      { field: 'viewport.width', expected: 'an integer' },
    ],
    [
      'create_session',
      { viewport: { width: 1, heigth: 1 } },
      { field: 'viewport.heigth', expected: 'one of width, height', hint: 'Did you mean height?' },
    ],
    ['emulate', { sessionId: 's', viewport: 5 }, { expected: 'an object', received: '5' }],
    [
      'emulate',
      { sessionId: 's', network: '5g' },
      { expected: '"slow-3g", "slow-4g" or "fast-4g"', received: '"5g"' },
    ],
    [
      'fill_form',
      { sessionId: 's', fields: [{ ref: 'e1', value: '' }, { ref: 'e1' }] },
      { field: 'fields[1].value', expected: 'a string, true or false or a list', received: 'nothing' },
    ],
    [
      'fill_form',
      { sessionId: 's', fields: [{ ref: 'e1', value: {} }] },
      { field: 'fields[0].value', expected: 'a string, true or false or a list', received: 'an object' },
    ],
    ['fill_form', { sessionId: 's', fields: [] }, { field: 'fields', expected: 'at least 1 item' }],
    [
      'mock',
      { sessionId: 's', clock: 'tomorrow' },
      { field: 'clock', expected: 'a time in ISO 8601, such as 2030-01-31T09:00:00Z' },
    ],
    [
      'click',
      { sessionId: 's', ref: '#save' },
      { field: 'ref', expected: 'a ref of a snapshot, such as e5 (anything else is a selector)' },
    ],
  ]
  test.each(rows)('%s %p is refused by field, expectation and what came', (name, input, expected) => {
    expect(failureOf(name, input)).toMatchObject({ code: 'INVALID_PARAMETERS', ...expected })
  })
})

test('a bug is logged with an id and answered as INTERNAL, and the next call works', async () => {
  const bugs: string[] = []
  const failing = stillBrowsers({ tree: () => Promise.reject(new Error('boom')) })
  const sessions = stillSessionManager(failing, { evidence: 'full' })
  const options = {
    names: createToolNames(everyTool, 'footlight'),
    everyTool,
    isSessionOptional: true,
    limiter: createRateLimiter(undefined, undefined, () => 0),
    onCall: () => {},
    onBug: (id: string) => bugs.push(id),
  }
  const context = stillContext(sessions)
  const result = await dispatch(options, 'snapshot', {}, context)
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { errorCode: 'INTERNAL', details: { id: bugs[0] } },
  })
  expect(await dispatch(options, 'exists', { selector: 'a' }, context)).toMatchObject({
    structuredContent: { exists: true },
  })
  expect(await dispatch(options, 'nothing', {}, context)).toBeUndefined()
})
