import { describe, expect, test } from 'bun:test'
import { checkUrl } from '../../../src/core/network/page-url.ts'

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
  test('a host without a scheme gets the address that was probably meant', () => {
    expect(checkUrl('localhost:3000/a')).toMatchObject({
      error: { hint: 'Did you mean http://localhost:3000/a?' },
    })
  })
})
