import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkUrl, resolveUrl } from '../../../../src/core/base/network/page-url.ts'

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
    ['localhost:3000', 'ok'],
    ['127.0.0.1:3000/a?b#c', 'ok'],
    ['[::1]:3000', 'ok'],
    ['localhost:99999', 'INVALID_PARAMETERS'],
    ['shop.test:3000', 'INVALID_PARAMETERS'],
  ]
  test.each(rows)('%p is %s', (raw, expected) => expect(verdict(raw)).toBe(expected))
  test('a host without a scheme gets the address that was probably meant', () => {
    expect(checkUrl('shop.test:3000/a')).toMatchObject({
      error: { hint: 'Did you mean http://shop.test:3000/a?' },
    })
    expect(checkUrl('localhost:3000/a')).toEqual({ ok: true, value: 'http://localhost:3000/a' })
  })
})

describe('paths', () => {
  const base = 'http://localhost:3000/shop/cart?item=1'
  const rows: [string, string][] = [
    ['/login', 'http://localhost:3000/login'],
    ['./pay', 'http://localhost:3000/shop/pay'],
    ['../', 'http://localhost:3000/'],
    ['?item=2', 'http://localhost:3000/shop/cart?item=2'],
    ['#total', 'http://localhost:3000/shop/cart?item=1#total'],
    ['pay', 'pay'],
    ['//elsewhere.example/', '//elsewhere.example/'],
    ['\\\\elsewhere.example', '\\\\elsewhere.example'],
    ['https://elsewhere.example/', 'https://elsewhere.example/'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
  ]
  test.each(rows)('%p is %s', (input, url) => expect(resolveUrl(input, base)).toBe(url))
  test('there are none beside a page that is not of the web', () => {
    for (const page of ['about:blank', 'data:text/html,x', ''])
      expect(resolveUrl('/login', page)).toBe('/login')
  })
  test('a text that is resolved never leaves the origin', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('', '/', './', '../', '?', '#', '/\\', '/\t/'),
        (text, start) => {
          const url = resolveUrl(start + text, base)
          expect(url === start + text || new URL(url).origin === 'http://localhost:3000').toBe(true)
        },
      ),
      { numRuns: 1000 },
    )
  })
})
