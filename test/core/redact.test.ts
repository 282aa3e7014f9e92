import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createRedactor } from '../../src/core/redact.ts'
import { parseSecrets, substitute } from '../../src/core/secrets.ts'
import { isSecretKey } from '../../src/core/secretkeys.ts'

const { text, data } = createRedactor()

describe('names', () => {
  test.each([
    'token',
    'accessToken',
    'X-Api-Key',
    'user[password]',
    'sessionid',
    'PHPSESSID_token',
    'client_secret',
    'otp',
    'pin',
    'email',
    'csrf-token',
  ])('%s says secret', (name) => expect(isSecretKey(name)).toBe(true))
  test.each([
    'shipping',
    'keyword',
    'country',
    'status',
    'decoder',
    'design',
    'monkey',
    'author',
    'url',
    'page',
  ])('%s does not', (name) => expect(isSecretKey(name)).toBe(false))
})

describe('what is harmless stays', () => {
  test.each([
    'button "Buy 3" [e20] → /shop?page=2&sort=price',
    'GET http://127.0.0.1:3000/api/items?limit=10 → 200',
    'error: Cannot read properties of undefined (reading "map") at app.js:10:5',
    '{"status":"ready","port":5173,"message":"The server is ready"}',
    'Session 0638a4c4-05d2-4c5f-892c-f7278e174947 is open in chromium.',
    'started 1795211539765, ended 1795211539999',
    'the token is missing',
    'key "Enter"; code: none',
  ])('%s', (line) => expect(text(line)).toBe(line))
})

test('headers by list, cookies and storage by name, results by key', () => {
  expect(
    data({
      request: { headers: { accept: '*/*', authorization: 'Bearer abc', 'x-tenant': 'blue' } },
      result: { user: 'Ada', password: 'hunter2', nested: [{ apiKey: 'k', n: 1 }] },
      state: {
        cookies: [{ name: 'theme', value: 'dark', domain: 'a' }],
        origins: [
          {
            origin: 'o',
            localStorage: [
              { name: 'auth', value: 'x1' },
              { name: 'size', value: 'L' },
            ],
          },
        ],
      },
    }),
  ).toEqual({
    request: {
      headers: {
        accept: '*/*',
        authorization: '[redacted, 10 characters]',
        'x-tenant': '[redacted, 4 characters]',
      },
    },
    result: { user: 'Ada', password: '[redacted]', nested: [{ apiKey: '[redacted]', n: 1 }] },
    state: {
      cookies: [{ name: 'theme', value: '[redacted]', domain: 'a' }],
      origins: [
        {
          origin: 'o',
          localStorage: [
            { name: 'auth', value: '[redacted]' },
            { name: 'size', value: 'L' },
          ],
        },
      ],
    },
  })
})

const word = fc.stringMatching(/^[A-Za-z0-9]{12,30}$/)
const luhn = (digits: string): string => {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return digits + String((10 - (sum % 10)) % 10)
}

/** Places where a secret is known by what stands around it. */
const places: readonly ((secret: string) => string)[] = [
  (s) => `https://a.example/cb?code=${s}&x=1`,
  (s) => `https://a.example/#access_token=${s}`,
  (s) => `https://user:${s}@a.example/`,
  (s) => `postgres://app:${s}@db/main`,
  (s) => `GET /x?api_key=${s} 200`,
  (s) => `{"user":"a","password":"${s}"}`,
  (s) => `{"a":{"clientSecret" : "${s}"}}`,
  (s) => `{\\"token\\":\\"${s}\\"}`,
  (s) => `name=Ada&password=${s}&next=/`,
  (s) => `user[passwd]=${s}`,
  (s) => `--b\r\nContent-Disposition: form-data; name="secret"\r\n\r\n${s}\r\n--b--`,
  (s) => `Set-Cookie: sid=${s}; Path=/; HttpOnly`,
  (s) => `cookie: a=1x; session=${s}`,
  (s) => `Authorization: Bearer ${s}1`,
  (s) => `authorization=Basic ${s}==`,
  (s) => `DB_PASSWORD=${s}`,
  (s) => `the api-key: ${s}`,
  (s) => `eyJhbGciOiJIUzI1NiJ9.eyJ${s}.${s}`,
  (s) => `-----BEGIN RSA PRIVATE KEY-----\n${s}\n-----END RSA PRIVATE KEY-----`,
  (s) => `ghp_${s}${s}`,
  (s) => `xoxb-${s}`,
  (s) => `sk_live_${s}`,
  (s) => `sk-${s}${s}`,
  (s) => `https://a.example/?x=${s.repeat(4).slice(0, 40)}`,
]

test('property: a secret in any known place, amid any text, does not leave', () => {
  const prose = fc.stringMatching(/^[a-z ,.]{0,30}$/)
  fc.assert(
    fc.property(word, fc.constantFrom(...places), prose, prose, (secret, place, before, after) => {
      const told = text(`${before}\n${place(secret)}\n${after}`)
      expect(told).not.toContain(secret)
      if (before.trim()) expect(told).toContain(before.trim().slice(0, 5))
    }),
    { numRuns: 2000 },
  )
})

test('property: what was learnt to be a secret does not leave in any encoding', () => {
  const secret = fc
    .string({ minLength: 4, maxLength: 30, unit: 'grapheme' })
    .filter((value) => value.trim().length >= 4 && !'[redacted]'.includes(value))
  const encodings: readonly ((value: string) => string)[] = [
    (v) => v,
    (v) => JSON.stringify(v),
    (v) => encodeURIComponent(v.toWellFormed()),
    (v) =>
      v.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    (v) => Buffer.from(v).toString('base64'),
    (v) => `fill(${JSON.stringify(v)})`,
  ]
  fc.assert(
    fc.property(secret, fc.constantFrom(...encodings), (value, encode) => {
      const own = createRedactor(createRedactor())
      own.taint([value])
      const told = own.text(`before ${encode(value)} after`)
      const whole = Buffer.from(value)
        .toString('base64')
        .slice(0, Math.floor(Buffer.from(value).length / 3) * 4)
      for (const form of [value, encode(value)])
        if (!'before  after [redacted]'.includes(form) && form !== Buffer.from(value).toString('base64'))
          expect(told).not.toContain(form)
      if (whole.length >= 8) expect(told).not.toContain(whole)
    }),
    { numRuns: 1000 },
  )
})

test('property: the number of a card is hidden, other numbers stay', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^4[0-9]{14}$/), fc.constantFrom('', ' ', '-'), (digits, gap) => {
      const number = luhn(digits)
      const spaced = number.replace(/(\d{4})(?=\d)/g, `$1${gap}`)
      expect(text(`card ${spaced} end`)).toBe('card [redacted] end')
    }),
    { numRuns: 200 },
  )
})

test('property: ids of ours are never taken for anything else', () => {
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.stringMatching(/^[0-9]{8}-[0-9]{4}-4[0-9]{3}-8[0-9]{3}-[0-9]{12}$/),
      (one, digits) => {
        for (const id of [one, digits])
          expect(text(`Session ${id} is closed.`)).toBe(`Session ${id} is closed.`)
      },
    ),
    { numRuns: 2000 },
  )
})

test('secrets files: dotenv or JSON; a name that is not there is told with those that are', () => {
  const read = parseSecrets('# comment\nexport USER=ada\nPASS="a b=c"\n\nEMPTY=\n')
  if (!('values' in read)) throw new Error(read.problem)
  expect([...read.values]).toEqual([
    ['USER', 'ada'],
    ['PASS', 'a b=c'],
    ['EMPTY', ''],
  ])
  expect(parseSecrets('{"A":"1"}')).toEqual({ values: new Map([['A', '1']]) })
  expect(parseSecrets('{"A":1}')).toEqual({ problem: 'A is not a text' })
  expect(parseSecrets('no line')).toEqual({ problem: 'line 1 is not NAME=value' })
  expect(substitute('{{USER}}:{{PASS}}', read.values, 'text')).toEqual({ ok: true, value: 'ada:a b=c' })
  expect(substitute('{{NONE}}', read.values, 'text')).toMatchObject({
    ok: false,
    error: { expected: 'one of {{USER}}, {{PASS}}, {{EMPTY}}' },
  })
  expect(substitute('{{any}}', new Map(), 'text')).toEqual({ ok: true, value: '{{any}}' })
})
