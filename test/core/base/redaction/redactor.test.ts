import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createRedactor } from '../../../../src/core/base/redaction/redactor.ts'
import { isSecretField, isSecretName, levelOfName } from '../../../../src/core/base/redaction/secret-names.ts'
import { fillPlaceholders, parseSecrets } from '../../../../src/core/base/redaction/secret-placeholders.ts'
import { isDistinctive, looksLikeSecret } from '../../../../src/core/base/redaction/secret-values.ts'
import { clip } from '../../../../src/core/base/text/clip.ts'

const { redactText, redactData, redactPart } = createRedactor()

describe('names', () => {
  test.each([
    ...[
      'password',
      'newPassword',
      'password_confirmation',
      'user[password]',
      'user%5Bpasswd%5D',
      'DB_PASSWORD',
    ],
    ...[
      'X-Api-Key',
      'apiKey',
      'client_secret',
      'aws_secret_access_key',
      'refreshToken',
      'csrf-token',
      'otp',
      'cvc',
    ],
    ...[
      'csrfmiddlewaretoken',
      'privateKey',
      'SECRET_KEY_BASE',
      'db_pass',
      'smtpPass',
      'redis_pass',
      'user pass',
      'secrets',
      'credential',
      'passphrase',
    ],
  ])('%s says secret', (name) => expect(isSecretName(name)).toBe(true))
  test.each([
    'token',
    'authToken',
    'state',
    'code',
    'key',
    'PHPSESSID',
    'connect.sid',
    'sig',
    'pin',
    'session_id',
  ])('%s is weak', (name) => expect(levelOfName(name)).toBe('weak'))
  test.each([
    ...[
      'shipping',
      'keyword',
      'country',
      'decoder',
      'design',
      'monkey',
      'publicKey',
      'author',
      'url',
      'page',
      'email',
      'user',
    ],
    ...['x-request-id', 'orderId', 'sha256', 'etag', 'spinner', 'compass'],
  ])('%s is plain', (name) => expect(levelOfName(name)).toBe('plain'))
  test.each([
    'passwordHint',
    'forgotPassword',
    'showPassword',
    'tokenCount',
    'secretSanta',
    'passwordStrength',
  ])('%s is about a secret and none', (name) => expect(isSecretName(name)).toBe(false))
})

describe('fields', () => {
  const field = { type: 'text', name: '', id: '', autocomplete: '' }
  test.each([
    [{ type: 'password' }, true],
    [{ name: 'pin' }, true],
    [{ name: 'pwd' }, true],
    [{ id: 'one-time' }, true],
    [{ autocomplete: 'one-time-code' }, true],
    [{ autocomplete: 'section-a cc-number' }, true],
    [{ type: 'hidden', name: 'csrf_token' }, true],
    [{ autocomplete: 'new-password' }, false],
    [{ autocomplete: 'cc-name' }, false],
    [{ name: 'couponCode' }, false],
    [{ name: 'state' }, false],
    [{ name: 'email' }, false],
    [{ name: 'pincode' }, false],
    [{ type: 'checkbox', name: 'showPassword' }, false],
  ])('%j: %p', (given, secret) => expect(isSecretField({ ...field, ...given })).toBe(secret))
})

describe('values', () => {
  test.each([
    'dBjftJeZ4CVPmBTO92KZ4dnB3bK',
    'k3j9x0q2m5n8b1v7',
    'a8Fk2Lm9Qx7Rt4Zp',
    's%3A8fK2mPq9.xT4vB7nLw3zR',
  ])('%s looks like a secret', (value) => expect(looksLikeSecret(value, false)).toBe(true))
  test.each([
    ...[
      'CA',
      'SAVE10',
      'session.1b2c3d4e.js',
      'index-Cn0mmDuv4kQz.css',
      'k3j9x0q2m5n8b1',
      'Enter',
      'summer-sale-2026-landing-page-v2',
      '2026-11-21T22:12:36.000Z',
    ],
    ...[
      '0638a4c4-05d2-4c5f-892c-f7278e174947',
      '9f86d081884c7d659a2feaa0c55ad015',
      'getUserById2WithDetails3',
    ],
    ...[
      'https://a.example/path/2026/11',
      'sha256-47DEQpj8HBSaTImW5JCeuQeRkm5NMpJWZG3hSuFU',
      '12345678901234567890',
    ],
  ])('%s does not', (value) => expect(looksLikeSecret(value, false)).toBe(false))
  test.each([
    ['abcdefghijklmnopqrstuvwxyz0123456789', 16],
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16],
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 16],
  ])('property: of what chance makes of %s, less than one in fifty does not', (letters, length) => {
    const one = fc
      .array(fc.constantFrom(...letters), { minLength: length, maxLength: length })
      .map((chosen) => chosen.join(''))
      .filter((value) => /\d/.test(value) && /[A-Za-z]/.test(value))
    const values = fc.sample(one, { numRuns: 5000, seed: 20261122 })
    expect(values.filter((value) => !looksLikeSecret(value, false)).length).toBeLessThan(100)
  })
  test('a long hexadecimal number does under a session name', () =>
    expect(looksLikeSecret('9f86d081884c7d659a2feaa0c55ad015', true)).toBe(true))
  test.each([
    'admin',
    'test',
    'react',
    '1234',
    'password',
    '111111',
    '123456',
    'localhost',
    '127.0.0.1',
    '987654',
    'https://shop.example/',
    '2026-11-22',
    'Hello World',
  ])('%s is too ordinary to be looked for', (value) => expect(isDistinctive(value)).toBe(false))
  test.each(['hunter2', 'Pa55word', '493817', 'correct horse battery', 'S3cret!', 'geheim-9'])(
    '%s is not',
    (value) => expect(isDistinctive(value)).toBe(true),
  )
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
  ])('%s', (line) => expect(redactText(line)).toBe(line))
})

test('records: headers by name and look, cookies and storage by name, results by key', () => {
  expect(
    redactData<unknown>({
      request: {
        headers: {
          accept: '*/*',
          authorization: 'Bearer abc',
          'x-tenant': 'blue',
          'x-request-id': 'k3j9x0q2m5n8b1v7',
          'x-session': 'a8Fk2Lm9Qx7Rt4Zp',
          'set-cookie': 'sid=abc; Path=/',
        },
      },
      result: {
        user: 'Ada',
        password: 'hunter2',
        secrets: ['one', { deep: 'two' }],
        nested: [{ apiKey: 'k', n: 1, state: 'CA', code: 'SAVE10' }],
        form: { password: true, otp: 493817, errors: { password: ['is too short'] } },
      },
      state: {
        cookies: [{ name: 'theme', value: 'dark', domain: 'a' }],
        origins: [
          {
            origin: 'o',
            localStorage: [
              { name: 'auth', value: 'x1' },
              { name: 'jwt', value: 'abc' },
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
        'x-tenant': 'blue',
        'x-request-id': 'k3j9x0q2m5n8b1v7',
        'x-session': '[redacted, 16 characters]',
        'set-cookie': 'sid=[redacted]; Path=/',
      },
    },
    result: {
      user: 'Ada',
      password: '[redacted]',
      secrets: ['[redacted]', { deep: '[redacted]' }],
      nested: [{ apiKey: '[redacted]', n: 1, state: 'CA', code: 'SAVE10' }],
      form: { password: true, otp: '[redacted]', errors: { password: ['is too short'] } },
    },
    state: {
      cookies: [{ name: 'theme', value: '[redacted]', domain: 'a' }],
      origins: [
        {
          origin: 'o',
          localStorage: [
            { name: 'auth', value: 'x1' },
            { name: 'jwt', value: '[redacted]' },
          ],
        },
      ],
    },
  })
})

test('a record with a name and a value is redacted in its other fields too', () => {
  const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${'a1B2'.repeat(10)}`
  const input = { name: 'email', value: 'a@b.c', label: `use ${jwt}`, password: 'hunter2', type: 'text' }
  expect(redactData<unknown>({ result: [input, { name: jwt, value: 'x' }] })).toEqual({
    result: [
      { name: 'email', value: 'a@b.c', label: 'use [redacted JWT]', password: '[redacted]', type: 'text' },
      { name: '[redacted JWT]', value: 'x' },
    ],
  })
})

test('pairs, as of Object.entries, are redacted by their names, in records and in texts; a list of two words stays', () => {
  const pairs = [
    ['access_token', 'a-b-c'],
    ['user', 'Ada'],
    ['count', 3],
  ]
  const hidden = [['access_token', '[redacted]'], ...pairs.slice(1)]
  const words = { names: ['password', 'email'], rows: [['password', 'email', 'name']] }
  expect(redactData<unknown>({ result: { pairs, words } })).toEqual({ result: { pairs: hidden, words } })
  expect(redactText(JSON.stringify(pairs))).toBe(JSON.stringify(hidden))
  expect(redactText(JSON.stringify(pairs.toReversed(), undefined, 2))).toBe(
    JSON.stringify(hidden.toReversed(), undefined, 2),
  )
  expect(redactText(JSON.stringify(words))).toBe(JSON.stringify(words))
})

test('attributes in a DOM snapshot are redacted by their names', () => {
  const attributes = {
    'data-api-key': 'Short1',
    'data-token': 'a8Fk2Lm9Qx7Rt4Zp',
    'data-toggle-password': '#pwd',
    'data-testid': 'a8Fk2Lm9Qx7Rt4Zp',
    'data-key': 'Enter',
  }
  expect(redactData({ nodes: [{ tag: 'div', attributes }] })).toEqual({
    nodes: [
      {
        tag: 'div',
        attributes: { ...attributes, 'data-api-key': '[redacted]', 'data-token': '[redacted]' },
      },
    ],
  })
})

describe('what a test enters into a password field', () => {
  test.each([
    ["await page.getByLabel('Password').fill('hunter2')", true],
    ["await page.getByLabel('Your password (at least 8 characters) *').fill('hunter2')", true],
    ['await page.getByRole("textbox", { name: /password/i })\n  .first()\n  .fill("hunter2");', true],
    ["  7 |   await page.locator('#login-password')\n> 8 |     .pressSequentially('hunter2')", true],
    ["await page.fill('input[type=password]', 'hunter2')", true],
    ["await userEvent.type(screen.getByLabelText('Password'), 'hunter2')", true],
    ["await this.passwordInput.fill('hunter2')", true],
    ["cy.get('#pwd').type('hunter2')", true],
    [
      'Call log:\n  - waiting for locator(\'#p\')\n  - locator resolved to <input type="password"/>\n  - fill("hunter2")',
      true,
    ],
    ['- textbox "Password *" [active] [ref=e3]: hunter2', true],
    ['- textbox "Password" [ref=e3]:\n  - /placeholder: secret\n  - text: hunter2', true],
    ['- textbox [ref=e3]:\n  - /placeholder: Your password\n  - text: hunter2', true],
    ["await page.getByLabel('Password hint').fill('hunter2')", false],
    ["cy.get('#password').clear()\ncy.get('#name').type('hunter2')", false],
    ["await page.getByText('Forgot password').click(); await page.getByLabel('Name').fill('hunter2')", false],
    ['- textbox "Name":\n  - /placeholder: Ada\n  - text: hunter2\n- textbox "Password"', false],
    ["mime.type('hunter2')", false],
  ])('%j', (text, isHidden) =>
    expect(redactText(text)).toBe(isHidden ? text.replace('hunter2', '[redacted]') : text),
  )
})

test('a known value is hidden in the case in which a page shows it', () => {
  const own = createRedactor()
  own.learn('typed', ['Hunter2-secret', 'blue whale 7'])
  for (const text of ['HUNTER2-SECRET', 'hunter2-secret', 'Hunter2-Secret', 'Blue Whale 7', 'BLUE WHALE 7'])
    expect(own.redactText(`It is ${text}.`)).toBe('It is [redacted].')
  expect(own.redactText('a blue WHALE')).toBe('a blue WHALE')
})

test('a known value is hidden also where a text was cut within it', () => {
  const own = createRedactor()
  const value = 'Hunter2-"secret" of a long value'
  own.learn('declared', [value])
  for (let length = 4; length < value.length; length += 1) {
    const cut = clip(`see: ${value}`, 5 + length)
    expect(own.redactText(cut)).toBe('see: [redacted]…')
    expect(own.redactText(JSON.stringify(cut))).toBe('"see: [redacted]…"')
  }
  expect(own.redactText('Hunting…, xHunter2…')).toBe('Hunting…, xHunter2…')
})

test('a text that was shown before is hidden once the session, or everybody, has learnt its secret', () => {
  const parent = createRedactor()
  const own = createRedactor({ parent })
  const text = 'blue-whale-7 and red-panda-9'
  expect(own.redactText(text)).toBe(text)
  own.learn('field', ['blue-whale-7'])
  expect(own.redactText(text)).toBe('[redacted] and red-panda-9')
  parent.learn('declared', ['red-panda-9'])
  expect(own.redactData({ text })).toEqual({ text: '[redacted] and [redacted]' })
})

test('our own names, ids and handles stay, whatever was learnt', () => {
  const own = createRedactor({ ownValues: ['shop-1 test'] })
  own.learn('typed', ['shop-1 test', 'localhost', '127.0.0.1:3000', 'success', 'c0de-9 x'])
  const answer = {
    sessionId: 'c0de-9 x',
    success: true,
    url: 'http://127.0.0.1:3000/',
    message: 'Session shop-1 test is open on localhost.',
  }
  expect(own.redactData(answer)).toEqual(answer)
})

test('a part of a text ends where no secret is cut', () => {
  const secret = 'password=hunter2hunter2'
  const whole = `${'a'.repeat(50)} ${secret} ${'b'.repeat(50)}`
  for (let length = 1; length < whole.length; length++) {
    let [from, shown] = [0, '']
    while (from < whole.length) {
      const next = redactPart(whole, from, length)
      expect(next.end).toBeGreaterThan(from)
      shown += next.text
      from = next.end
    }
    expect(shown).toBe(whole.replace('hunter2hunter2', '[redacted]'))
  }
})

test('the name of a secret field hides its value in bodies of requests, and nowhere else', () => {
  const own = createRedactor()
  own.learnNames(['field2'])
  expect(own.redactData({ request: { body: 'field1=admin&field2=admin' }, message: 'field2=admin' })).toEqual(
    {
      request: { body: 'field1=admin&field2=[redacted]' },
      message: 'field2=admin',
    },
  )
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
  (s) => `https://a.example/cb?code=${s}&client_id=1`,
  (s) => `https://a.example/#access_token=${s}`,
  (s) => `https://user:${s}@a.example/`,
  (s) => `postgres://app:${s}@db/main`,
  (s) => `GET /x?api_key=${s} 200`,
  (s) => `{"user":"a","password":"${s}"}`,
  (s) => `{"a":{"clientSecret" : "${s}"}}`,
  (s) => `{\\"password\\":\\"${s}\\"}`,
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
  (s) => `password: ${s}`,
]

test('property: a secret in any known place, amid any text, does not leave', () => {
  const prose = fc.stringMatching(/^[a-z ,.]{0,30}$/)
  fc.assert(
    fc.property(word, fc.constantFrom(...places), prose, prose, (secret, place, before, after) => {
      // Behind a colon and a space a word with a capital is taken for prose, such as "password: Required".
      fc.pre(!place('').endsWith(': ') || !/^[A-Z][a-z]+$/.test(secret))
      const told = redactText(`${before}\n${place(secret)}\n${after}`)
      expect(told).not.toContain(secret)
      if (before.trim()) expect(told).toContain(before.trim().slice(0, 5))
    }),
    { numRuns: 2000 },
  )
})

const entities = (value: string, form: (code: number) => string) =>
  [...value].map((char) => `&#${form(char.codePointAt(0) ?? 0)};`).join('')
const units = (value: string) =>
  value
    .split('')
    .map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
const percent = (value: string) =>
  [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

/** Everything that pages, servers and logs make of a value. */
const encodings: Readonly<Record<string, (value: string) => string>> = {
  plain: (v) => v,
  json: (v) => JSON.stringify(v),
  'json in json': (v) => JSON.stringify(JSON.stringify({ a: v })),
  uri: encodeURIComponent,
  'lower uri': (v) => encodeURIComponent(v).replace(/%../g, (found) => found.toLowerCase()),
  'uri twice': (v) => encodeURIComponent(encodeURIComponent(v)),
  form: (v) => new URLSearchParams({ a: v }).toString(),
  'every byte': percent,
  html: (v) => v.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`),
  'named entities': (v) =>
    v.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  'decimal entities': (v) => entities(v, String),
  'hex entities': (v) => entities(v, (code) => `x${code.toString(16)}`),
  escapes: units,
  base64: (v) => Buffer.from(v).toString('base64'),
  base64url: (v) => Buffer.from(v).toString('base64url'),
  'base64 after one': (v) => Buffer.from(`a${v}`).toString('base64'),
  'base64 after two': (v) => Buffer.from(`ab${v}`).toString('base64'),
  hex: (v) => Buffer.from(v).toString('hex'),
}

test.each(Object.entries(encodings))('property: what was learnt does not leave as %s', (name, encode) => {
  const secret = fc
    .string({ minLength: 8, maxLength: 30, unit: 'grapheme-ascii' })
    .map((value) => `${value}x7`)
    .filter((value) => isDistinctive(value.trim()) && value === value.trim())
  const sides = fc.constantFrom(' ', '"', "'", '=', '>', '/', '\n', '(', ',')
  fc.assert(
    fc.property(secret, sides, sides, (value, before, after) => {
      const own = createRedactor({ parent: createRedactor() })
      own.learn('typed', [value])
      const encoded = encode(value)
      const shown = own.redactText(`before${before}${encoded}${after}after`)
      expect(shown).not.toContain(encoded)
      expect(shown).not.toContain(value)
      // What depends on nothing but the value, of an encoding that mixes it with what is beside it.
      if (name.startsWith('base64')) expect(shown).not.toContain(encoded.slice(4, -4))
      expect(own.redactText(shown)).toBe(shown)
    }),
    { numRuns: 300 },
  )
})

test('property: whole tokens only, and nothing of ordinary words', () => {
  const letters = fc.stringMatching(/^[a-z]{1,6}$/)
  fc.assert(
    fc.property(letters, letters, (before, after) => {
      const own = createRedactor()
      own.learn('typed', ['hunter2', 'admin', 'test', 'react', '1234'])
      for (const word of [
        `${before}hunter2${after}`,
        `admin${after}`,
        `${before}test`,
        'react',
        '12345',
        '1234',
      ])
        expect(own.redactText(`say ${word} now`)).toBe(`say ${word} now`)
      expect(own.redactText(`${before} hunter2 ${after}`)).toBe(`${before} [redacted] ${after}`)
    }),
    { numRuns: 200 },
  )
})

test('one kind of value does not push out another', () => {
  const own = createRedactor()
  own.learn('typed', ['typed-s3cret'])
  own.learn(
    'stored',
    Array.from({ length: 2000 }, (_, index) => `c00kie-${index}-value`),
  )
  expect(own.redactText('typed-s3cret c00kie-1999-value')).toBe('[redacted] [redacted]')
})

test('property: the number of a card is hidden, other numbers stay', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^4[0-9]{14}$/), fc.constantFrom('', ' ', '-'), (digits, gap) => {
      const number = luhn(digits)
      const spaced = number.replace(/(\d{4})(?=\d)/g, `$1${gap}`)
      expect(redactText(`card ${spaced} end`)).toBe('card [redacted] end')
    }),
    { numRuns: 200 },
  )
})

test('property: a phone number or a barcode of 13 digits is no card', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^4[0-9]{11}$/), (digits) => {
      expect(redactText(`call +${luhn(digits)} now`)).toBe(`call +${luhn(digits)} now`)
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
          expect(redactText(`Session ${id} is closed.`)).toBe(`Session ${id} is closed.`)
      },
    ),
    { numRuns: 2000 },
  )
})

test('secrets files: dotenv or JSON; a name that is not there is reported with those that are', () => {
  const read = parseSecrets('# comment\nexport USER=ada\nPASS="a b=c"\n\nEMPTY=\n')
  if (!('values' in read)) throw new Error(read.problem)
  expect([...read.values]).toEqual([
    ['USER', 'ada'],
    ['PASS', 'a b=c'],
    ['EMPTY', ''],
  ])
  expect(parseSecrets('{"A":"1"}')).toEqual({ values: new Map([['A', '1']]) })
  expect(parseSecrets('{"A":1}')).toEqual({ problem: 'A is not a string' })
  expect(parseSecrets('no line')).toEqual({ problem: 'line 1 is not NAME=value' })
  expect(fillPlaceholders('{{USER}}:{{PASS}}', read.values, 'text')).toEqual({ ok: true, value: 'ada:a b=c' })
  expect(fillPlaceholders('{{NONE}}', read.values, 'text')).toMatchObject({
    ok: false,
    error: { expected: 'one of {{USER}}, {{PASS}}, {{EMPTY}}' },
  })
  expect(fillPlaceholders('{{any}}', new Map(), 'text')).toEqual({ ok: true, value: '{{any}}' })
})
