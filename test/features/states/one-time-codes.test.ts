import { expect, test } from 'bun:test'
import { withOneTimeCodes } from '../../../src/features/states/one-time-codes.ts'

const base32Of = (text: string): string => {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  return (bits.match(/.{1,5}/g) ?? [])
    .map((part) => alphabet[Number.parseInt(part.padEnd(5, '0'), 2)])
    .join('')
}

// The vectors of RFC 6238, appendix B.
const keys = {
  SHA1: '12345678901234567890',
  SHA256: '12345678901234567890123456789012',
  SHA512: '1234567890123456789012345678901234567890123456789012345678901234',
}
test.each([
  [59, '94287082', '46119246', '90693936'],
  [1111111109, '07081804', '68084774', '25091201'],
  [2000000000, '69279037', '90698825', '38618901'],
])('the codes of RFC 6238 at %d s', (seconds, sha1, sha256, sha512) => {
  const lines = Object.entries(keys).map(
    ([name, key]) => [name, `otpauth://totp/a?secret=${base32Of(key)}&algorithm=${name}&digits=8`] as const,
  )
  const codes: string[] = []
  const secrets = withOneTimeCodes(
    new Map([...lines, ['PLAIN', 'x']]),
    () => seconds * 1000,
    (code) => codes.push(code),
  )
  expect(Object.keys(keys).map((name) => secrets.get(name))).toEqual([sha1, sha256, sha512])
  expect(codes).toEqual([sha1, sha256, sha512])
  expect([secrets.get('PLAIN'), secrets.get('NONE')]).toEqual(['x', undefined])
})

test('a URI that is none is refused without its secret', () => {
  for (const uri of [
    'otpauth://hotp/a?secret=AAAA',
    'otpauth://totp:x/a?secret=AAAA',
    'otpauth://totp/a',
    'otpauth://totp/a?secret=0189',
    'otpauth://totp/a?secret=AAAA&digits=5',
  ])
    expect(() =>
      withOneTimeCodes(
        new Map([['CODE', uri]]),
        () => 0,
        () => {},
      ),
    ).toThrow(/^--secrets: CODE is no otpauth/)
})
