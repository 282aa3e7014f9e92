// What a failing click costs a model, whatever its page has printed: at most 1,200 tokens of o200k_base, and what fits is the best of it.

import { describe, expect, test } from 'bun:test'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { encode } from 'gpt-tokenizer'
import type { Failure } from '../../../src/core/base/failure.ts'
import { estimateImageTokens, estimateTokens } from '../../../src/core/base/token-estimate.ts'
import { fitEvidence } from '../../../src/core/mcp/answers/evidence-budget.ts'
import { defaultFailureForm, failureFormFor } from '../../../src/core/mcp/answers/failure-form.ts'
import { failureRecordOf } from '../../../src/core/mcp/answers/failure-text.ts'
import { failureResult } from '../../../src/core/mcp/answers/format-result.ts'
import type { Evidence } from '../../../src/core/tool/evidence.ts'

const session = 'c0ffee00-1234-4abc-9def-0123456789ab'
const url = `http://localhost:41233/shop/checkout?${'step=2&item=9f8e7d6c&'.repeat(12)}`
const covered: Failure = {
  code: 'ELEMENT_NOT_CLICKABLE',
  target: '#order',
  reason: 'covered',
  by: `<div id="veil" class="${'MuiBackdrop-root css-919eu4 '.repeat(4)}">`,
  waited: 2013.4,
}
const missing: Failure = { code: 'ELEMENT_NOT_FOUND', target: '#place-ordr', waited: 3000 }
const screenshot = {
  path: `/home/somebody/projects/shop/.footlight/${session.slice(0, 8)}/failure-12.jpeg`,
  resource: `footlight://sessions/${session}/files/failure-12.jpeg`,
  width: 1024,
  height: 576,
}

/** The largest possible evidence, with text of one kind. */
function fullEvidence(sample: string): Evidence {
  const line = (index: number, length: number) =>
    `-${index}.3 s ${index} ${sample.repeat(500)}`.slice(0, length)
  const lines = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => line(count - index, length))
  return {
    page: {
      url: url.slice(0, 300),
      title: sample
        .replace(/\p{Cc}+/gu, ' ')
        .repeat(100)
        .slice(0, 100),
    },
    serverEnded: 'exited with code 7',
    stderr: [...lines(100, 40), '… more: read_server_logs'],
    stdout: lines(6, 300),
    console: lines(5, 650),
    requests: lines(5, 208),
    candidates: lines(5, 80).map((name, index) => ({ role: 'button', name, ref: `e${index}` })),
    timeline: lines(6, 130),
    missing: { trace: 'not written within 900 ms' },
    screenshot,
    trace: { name: 'trace.zip', path: screenshot.path, resource: screenshot.resource },
  }
}

const resultOf = (failure: Failure, evidence: Evidence, client = ''): CallToolResult =>
  failureResult(failureRecordOf(failure, 1_790_000_000_000, session), evidence, failureFormFor(client))

const textOf = (failure: Failure, evidence: Evidence, client = ''): string => {
  const [first] = resultOf(failure, evidence, client).content
  return first?.type === 'text' ? first.text : ''
}

const kinds: Record<string, string> = {
  'English words': 'error: The cart could not be loaded because the server did not answer in time. ',
  'minified stacks':
    'TypeError: e.t is not a function at Xr (http://localhost:3000/_next/static/chunks/main-8f3a9c2e11.js:1:48213) ',
  'addresses of an API': 'GET http://localhost:41233/api/v1/items/8812?page=3&sort=asc → 500 ',
  UUIDs: '4f9d1b7e-6c1d-4a4e-9c65-0f7a3b1f2d88 ',
  base64: 'q83vEjRWeJq7zN3u/wARIjNEVWZ3iJmqu8zd7v8BI0VniavN7w+QkZKTlJWWl5iZmpucnZ6f ',
  hexadecimal: 'deadbeef0badf00d7c3e9a1b5d2f4860 ',
  JSON: '{"id":1,"name":"a","tags":["x","y"],"nested":{"ok":false}} ',
  Japanese: 'カートの読み込みに失敗しました。サーバーが応答しません。',
  Russian: 'Ошибка при загрузке корзины: сервер не отвечает. ',
  Thai: 'โหลดตะกร้าไม่สำเร็จ โปรดลองอีกครั้ง ',
  emoji: '🚀🔥💥👩‍👩‍👧‍👦🏳️‍🌈✅❌',
  'control characters': '\u0001\u0002\u001b[31m\t\u0000',
  signs: '<>=!&|^%$#@~`{}[]();:,.?/\\"\'',
}

describe.each(Object.entries(kinds))('a page full of %s', (_, sample) => {
  test.each([
    ['covered', covered],
    ['missing', missing],
  ] as const)('%s', (_, failure) => {
    const { structuredContent } = resultOf(failure, fullEvidence(sample))
    const text = textOf(failure, fullEvidence(sample))
    const [recordTokens, textTokens] = [JSON.stringify(structuredContent), text].map(
      (form) => encode(form).length,
    )
    expect(recordTokens).toBeLessThanOrEqual(1200)
    expect(textTokens).toBeLessThan(recordTokens ?? 0)
    // The budget is used, too.
    expect(textTokens).toBeGreaterThan(400)
    const { evidence } = structuredContent as any
    expect(evidence.screenshot).toEqual(screenshot)
    expect(evidence.console.at(-1)).toBe('… more: console_messages')
    expect(evidence.stderr.at(-1)).toBe('… more: read_server_logs')
    for (const line of [...evidence.console, ...evidence.stderr]) expect(text).toContain(`\n ${line}`)
    expect(text).toContain(`\nscreenshot: ${screenshot.path}`)
  })
})

const image = { bytes: new Uint8Array(1), mimeType: 'image/jpeg', width: 768, height: 432 } as const

test('a picture in the answer is paid for with the rest of the evidence', () => {
  const record = failureRecordOf(covered, 1_790_000_000_000, session)
  const [first, picture] = failureResult(
    record,
    { ...fullEvidence('error: no '), image },
    failureFormFor('Visual Studio Code'),
  ).content
  const text = first?.type === 'text' ? first.text : ''
  expect(picture?.type).toBe('image')
  expect(encode(text).length + estimateImageTokens(image)).toBeLessThanOrEqual(1200)
})

test.each(Object.entries(kinds))('a program that prints the whole result pays no more: %s', (_, sample) => {
  const result = failureResult(
    failureRecordOf(covered, 1_790_000_000_000, session),
    fullEvidence(sample),
    failureFormFor('codex-mcp-client'),
  )
  expect(encode(JSON.stringify(result)).length).toBeLessThanOrEqual(1200)
})

test.each(Object.entries(kinds))('a client that quotes the answer as JSON pays no more: %s', (_, sample) => {
  const text = textOf(covered, fullEvidence(sample), 'gemini-cli-mcp-client')
  const quoted = JSON.stringify([{ response: { content: [{ type: 'text', text }], isError: true } }])
  const message = `MCP tool 'click' reported tool error for function call: ${quoted}`
  expect(encode(message).length).toBeLessThanOrEqual(1200)
})

test('a long selector is repeated only in part', () => {
  const text = textOf({ ...missing, target: 'div > span.price '.repeat(235) }, fullEvidence('error: no '))
  expect(encode(text).length).toBeLessThanOrEqual(1200)
  expect(text).toContain('Take a snapshot')
})

test('what fits is not touched', () => {
  const evidence = { page: { url: 'http://a/' }, console: ['-0.1 s error: a'], screenshot }
  expect(fitEvidence(evidence, 1000)).toBe(evidence)
})

test('the newest lines are kept, of a log the causes first, in the order of time', () => {
  const lines = Array.from(
    { length: 60 },
    (_, index) => `-${60 - index}.0 s line ${index} of a chatty server`,
  )
  const stderr = lines.toSpliced(10, 1, '-50.0 s TypeError: the cart is undefined')
  const timeline = lines.slice(0, 6)
  const result = fitEvidence({ console: lines.slice(0, 5), stderr, timeline }, 300)
  expect(result.console).toEqual(lines.slice(0, 5))
  expect(result.stderr[0]).toBe('-50.0 s TypeError: the cart is undefined')
  expect(result.stderr.slice(1, -1)).toEqual(lines.slice(-result.stderr.length + 2))
  expect(result.stderr.at(-1)).toBe('… more: read_server_logs')
  expect(result.timeline).toEqual(['… more: timeline'])
})

test('where the contract of the server command promises the lines of stderr, they are all there', () => {
  const stderr = Array.from({ length: 100 }, (_, index) => `-1.0 s line ${index} ${'x'.repeat(20)}`)
  const failure = failureRecordOf({ code: 'ELEMENT_NOT_FOUND', target: '#a', waited: 5 }, 1)
  const shown = (hasAllServerErrors: boolean) =>
    failureResult(failure, { stderr }, { ...defaultFailureForm, hasAllServerErrors }).structuredContent
  expect(shown(true)).toMatchObject({ evidence: { stderr } })
  expect(JSON.stringify(shown(false))).not.toContain('line 50 ')
})

test('no list crowds out another one, and a line that fits in part is cut', () => {
  const long = 'error: the words of a very long message '.repeat(20)
  const evidence = { console: [long, long], requests: ['GET /api → 500'], stderr: [long, 'short and newest'] }
  const result = fitEvidence(evidence, 150)
  expect(result.requests).toEqual(['GET /api → 500'])
  expect(result.stderr.length).toBeGreaterThan(1)
  expect(result.console.at(-1)).toBe('… more: console_messages')
  expect(result.console[0]?.endsWith('…')).toBe(true)
  expect(estimateTokens(JSON.stringify(result))).toBeLessThanOrEqual(150)
})
