import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readImageSize } from '../../src/core/evidence/image-size.ts'
import { findClosestName } from '../../src/core/text/closest-name.ts'
import { takePage } from '../../src/core/text/paging.ts'
import { checkSelector } from '../../src/core/text/selector-check.ts'
import { checkUrl } from '../../src/core/network/page-url.ts'

describe('addresses', () => {
  const verdict = (raw: string) => {
    const checked = checkUrl(raw)
    return checked.ok ? 'ok' : checked.error.code
  }
  const rows: [string, string][] = [
    ['http://localhost:3000/', 'ok'],
    ['https://app.example', 'ok'],
    ['about:blank', 'ok'],
    ['data:text/html,<b>x</b>', 'ok'],
    ['  http://127.0.0.1/', 'ok'],
    ['file:///etc/passwd', 'ACCESS_DENIED'],
    ['FILE:/etc/passwd', 'ACCESS_DENIED'],
    ['view-source:http://a/', 'ACCESS_DENIED'],
    ['javascript:alert(1)', 'ACCESS_DENIED'],
    ['chrome://settings', 'ACCESS_DENIED'],
    ['about:settings', 'ACCESS_DENIED'],
    ['ftp://127.0.0.1/', 'ACCESS_DENIED'],
    ['blob:http://a/u', 'ACCESS_DENIED'],
    ['', 'INVALID_PARAMETERS'],
    ['not a url', 'INVALID_PARAMETERS'],
    ['http://', 'INVALID_PARAMETERS'],
    ['http://256.256.256.256/', 'INVALID_PARAMETERS'],
    ['//127.0.0.1/', 'INVALID_PARAMETERS'],
    ['localhost:3000', 'INVALID_PARAMETERS'],
  ]
  test.each(rows)('%p is %s', (raw, expected) => expect(verdict(raw)).toBe(expected))
  test('a host without a scheme is told the address that was probably meant', () => {
    expect(checkUrl('localhost:3000/a')).toMatchObject({
      error: { hint: 'Did you mean http://localhost:3000/a?' },
    })
  })
})

test('selectors that can never match are refused before the browser is asked', () => {
  for (const bad of ['', '  ', 'nth=foo', 'button >> nth=1.5', 'aria-ref=e2'])
    expect(checkSelector(bad)?.code).toBe('INVALID_PARAMETERS')
  for (const good of ['button', 'button >> nth=-1', 'text=nth=foo', '//a', '#a >> nth=0'])
    expect(checkSelector(good)).toBeUndefined()
})

test('the nearest name forgives case, separators and a slip, and gives up on what is far', () => {
  const names = ['create_session', 'navigate', 'wait_for']
  expect(findClosestName('CreateSesion', names)).toBe('create_session')
  expect(findClosestName('waitfor', names)).toBe('wait_for')
  expect(findClosestName('zzzzzz', names)).toBeUndefined()
})

test('the parts of a paged text make the text again, each within its limit', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 400, unit: fc.constantFrom('a', 'b', '\n') }),
      fc.integer({ min: 1, max: 50 }),
      (text, limit) => {
        const parts: string[] = []
        for (let from: number | undefined = 0; from !== undefined;) {
          const part: { text: string; next?: number } = takePage(text, from, limit)
          expect(part.text.length).toBeLessThanOrEqual(limit)
          parts.push(part.text)
          from = part.next
        }
        expect(parts.join('')).toBe(text)
      },
    ),
    { numRuns: 200 },
  )
})

test('the size of a picture is read from its header', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAHCAYAAADAp4fuAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  expect(readImageSize(png)).toEqual({ width: 5, height: 7 })
  const jpeg = new Uint8Array([
    0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 17, 8, 0, 9, 0, 11, 3, 0, 0, 0, 0, 0, 0,
  ])
  expect(readImageSize(jpeg)).toEqual({ width: 11, height: 9 })
  expect(readImageSize(new Uint8Array([1, 2, 3]))).toEqual({ width: 0, height: 0 })
})
