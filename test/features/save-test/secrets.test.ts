import { describe, expect, test } from 'bun:test'
import { createRedactor } from '../../../src/core/base/redaction/redactor.ts'
import type { RecordedStep } from '../../../src/core/sessions/types/recorded-step.ts'
import { nameSecrets } from '../../../src/features/save-test/code/name-secrets.ts'
import { writeTest, writeTestWithoutSecrets } from '../../../src/features/save-test/code/write-test.ts'
import {
  bodyOf,
  check,
  emulate,
  field,
  fill,
  mock,
  navigate,
  plan,
  seesText,
  testOf,
  type,
} from './recorded-steps.ts'

const secrets = new Map([['API_KEY', 'key-7f3a9/c2+e']])
const secret = (name: string, other = 'text') => field(name, { type: other, isSecret: true })
const namesOf = (steps: readonly RecordedStep[], options = {}) =>
  Object.fromEntries(nameSecrets({ steps, options, secrets: new Map() }))

describe('the variable of a secret is named after', () => {
  test.each<[string, readonly RecordedStep[], Readonly<Record<string, string>>]>([
    [
      'the password',
      [type(secret('Your secret word', 'password'), 'correct-horse')],
      { PASSWORD: 'correct-horse' },
    ],
    ['its field', [fill(secret('Card number'), '4111 1111')], { CARD_NUMBER: '4111 1111' }],
    [
      'a second password',
      [fill(secret('Password', 'password'), 'one-1'), fill(secret('New password', 'password'), 'two-2')],
      { PASSWORD: 'one-1', NEW_PASSWORD: 'two-2' },
    ],
    [
      'an earlier one, if the name is used',
      [fill(secret('Pin'), '1234'), fill(secret('PIN'), '5678')],
      { PIN: '5678', EARLIER_PIN: '1234' },
    ],
    ['nothing', [fill(secret('密码'), 'x1')], { SECRET: 'x1' }],
    [
      'a header',
      [emulate({ headers: { Authorization: 'Basic YTpi', 'x-other': 'y' } })],
      { AUTHORIZATION: 'Basic YTpi' },
    ],
  ])('%s', (_, steps, names) => expect(namesOf(steps)).toEqual(names))

  test('an option', () => {
    expect(namesOf([], { httpCredentials: { username: 'ada', password: 'p1' }, locale: 'de' })).toEqual({
      PASSWORD: 'p1',
    })
  })
})

test('a secret is replaced wherever it stands', () => {
  const key = 'key-7f3a9/c2+e'
  const steps = [
    emulate({ headers: { 'X-Key': `Bearer ${key}` } }),
    mock({ url: `/api?k=${key}`, answer: { json: { [key]: [key, `a ${key}`] } } }),
    navigate(`/a?key=${encodeURIComponent(key)}&raw=${key}`),
    seesText(key),
    check({ url: `**?key=*${key}*` }),
  ]
  const { text, environment } = writeTest(plan(steps, { secrets }))
  expect(environment).toEqual(['API_KEY'])
  expect(text).toContain("extraHTTPHeaders: { 'X-Key': `Bearer ${process.env.API_KEY}` }")
  expect(text).toContain(
    'json: { [process.env.API_KEY!]: [process.env.API_KEY!, `a ${process.env.API_KEY}`] }',
  )
  expect(text).toContain(
    'goto(`/a?key=${encodeURIComponent(process.env.API_KEY!)}&raw=${process.env.API_KEY}`)',
  )
  expect(text).toContain('page.getByText(process.env.API_KEY!)')
  expect(text).toContain(String.raw`route(/\/api\?k=.*/, `)
  expect(text).not.toContain('7f3a9')
})

test('what the redactor finds in a test is a variable, named after what stands before it', () => {
  const token = 'ghp_016C7pHXWmZ2pXs9LrT4vKd8HbQe5y3NnUaJ'
  const steps = [
    navigate(`/a?state=a8Fk2Lm9Qx7Rt4Zp&lang=de`),
    fill(field('Note'), `use ${token} here`),
    fill(field('Other'), token),
  ]
  const { text, environment, secrets: named } = writeTestWithoutSecrets(plan(steps), createRedactor())
  expect(text).toContain('goto(`/a?state=${process.env.STATE}&lang=de`)')
  expect(text).toContain('fill(`use ${process.env.SECRET} here`)')
  expect(text).toContain('fill(process.env.SECRET!)')
  expect(environment).toEqual(['STATE', 'SECRET'])
  expect(named).toEqual(
    new Map([
      ['STATE', 'a8Fk2Lm9Qx7Rt4Zp'],
      ['SECRET', token],
    ]),
  )
  expect(createRedactor().redactText(text)).toBe(text)
})

test('a test stays one whatever the redactor hides in its texts', () => {
  const redactor = createRedactor()
  redactor.learn('typed', [`Zw"ei't\\eil-7`])
  const hostile = [
    `password="abc-7`,
    "password='abc-7",
    '`password`: `abc-7',
    `{"password": "a\\"bc-7`,
    `Zw"ei't\\eil-7`,
  ]
  const steps = hostile.flatMap((text) => [
    navigate(`/${text}?password=abc-7&x=${text}`),
    fill(field(text), text),
    mock({ url: `/api?q=${text}`, answer: { json: { [text]: text } } }),
    seesText(text),
    check({ url: `**?password=abc-7*${text}*`, text }),
  ])
  const { text } = writeTestWithoutSecrets({ ...plan(steps), title: hostile.join() }, redactor)
  expect(() => new Bun.Transpiler({ loader: 'ts' }).transformSync(text)).not.toThrow()
  const entries = text.split('\n').filter((line) => /fill\(|test\.step|test\(/.test(line))
  expect(entries.length).toBeGreaterThan(hostile.length)
  expect(entries.join('\n')).not.toMatch(/abc-7'|eil-7'/)
})

test('a number that is a secret', () => {
  const text = testOf([mock({ url: '*', answer: { json: { pin: 482_913, other: 482 } } })], {
    secrets: new Map([['PIN', '482913']]),
  })
  expect(text).toContain('json: { pin: Number(process.env.PIN!), other: 482 }')
})

test('what contains an encoded secret is hidden', () => {
  const encoded = btoa('ada:key-7f3a9/c2+e')
  expect(bodyOf([fill(field('Token'), encoded)], { secrets })).toContain('***')
  expect(testOf([emulate({ headers: { Authorization: `Basic ${encoded}` } })], { secrets })).toContain(
    'Authorization: process.env.AUTHORIZATION!',
  )
})

test('a common word that is a password is replaced where it is entered, and not in names and paths', () => {
  const steps = [
    navigate('/admin?next=admin'),
    fill(field('admin'), 'admin'),
    fill(field('Note'), 'administrator admin'),
    seesText('admin'),
  ]
  expect(bodyOf(steps, { secrets: new Map([['PASSWORD', 'admin']]) })).toBe(
    [
      'await page.goto(`/admin?next=${process.env.PASSWORD}`);',
      "await page.getByLabel('admin').fill(process.env.PASSWORD!);",
      "await page.getByLabel('Note').fill(`administrator ${process.env.PASSWORD}`);",
      "await expect(page.getByText('admin')).toBeVisible();",
    ].join('\n'),
  )
})

test('a short secret is replaced where it is the whole text', () => {
  const steps = [fill(field('A'), 'x1'), fill(field('B'), 'ax1 x1')]
  expect(bodyOf(steps, { secrets: new Map([['MY-PIN', 'x1']]) })).toBe(
    "await page.getByLabel('A').fill(process.env['MY-PIN']!);\nawait page.getByLabel('B').fill('ax1 x1');",
  )
})
