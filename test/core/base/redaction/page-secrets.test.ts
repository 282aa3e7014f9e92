// What a page reports, and what of it is taken for a secret.

import { describe, expect, test } from 'bun:test'
import { choosePageSecrets, type PageReport } from '../../../../src/core/base/redaction/page-secrets.ts'

const chosen = (report: Partial<PageReport>) =>
  choosePageSecrets({ fields: [], storage: [], cookies: [], ...report })
const field = (value: string, more: Partial<PageReport['fields'][number]> = {}) => ({
  type: 'text',
  name: '',
  id: '',
  autocomplete: '',
  value,
  ...more,
})

describe('fields', () => {
  test('secret ones and those whose weak name holds what looks like a secret, each value once', () => {
    const token = 'q8Zk2Lm9Qx7Rt4Zp'
    const fields = [
      field('hunter2-hunter2', { type: 'password' }),
      field('hunter2-hunter2', { name: 'pwd' }),
      field(token, { name: 'code' }),
      field('SAVE10', { name: 'code' }),
      field('ada', { name: 'user' }),
      field('', { type: 'password' }),
    ]
    expect(chosen({ fields }).fieldValues).toEqual(['hunter2-hunter2', token])
  })
  test('names are reported where they do not say it themselves', () => {
    const fields = [
      field('x', { type: 'password', name: 'field2' }),
      field('y', { type: 'password', name: 'field2' }),
      field('x', { type: 'password', name: 'password' }),
      field('x', { type: 'password' }),
      field('x', { name: 'city' }),
    ]
    expect(chosen({ fields }).fieldNames).toEqual(['field2'])
  })
  test('ordinary values are distinguished', () => {
    const fields = ['admin', '1234', ' admin ', 'kn0wn-s3cret'].map((value) =>
      field(value, { type: 'password' }),
    )
    expect(chosen({ fields }).ordinaryValues).toEqual(['admin', '1234', ' admin '])
  })
})

test.each<[name: string, value: string, secrets: string[]]>([
  ['password', 'summer', ['summer']],
  ['code', 'q8Zk2Lm9Qx7Rt4Zp', ['q8Zk2Lm9Qx7Rt4Zp']],
  ['code', 'SAVE10', []],
  ['theme', 'q8Zk2Lm9Qx7Rt4Zp', []],
  ['user', '{"name":"ada","token":"q8Zk2Lm9Qx7Rt4Zp"}', ['q8Zk2Lm9Qx7Rt4Zp']],
  // What is inside is known better than the whole.
  ['accessToken', ' {"accessToken":"q8Zk2Lm9Qx7Rt4Zp","user":"ada"}', ['q8Zk2Lm9Qx7Rt4Zp']],
  ['state', '{"page":1}', []],
])('storage %s = %s', (name, value, secrets) => {
  expect(chosen({ storage: [[name, value]] }).storedValues).toEqual(secrets)
})

test.each<[name: string, value: string, httpOnly: boolean, secrets: string[]]>([
  ['password', 'summer', false, ['summer']],
  ['theme', 'dark', true, []],
  // What only the server reads, and what a weak name holds, is a secret where it mixes letters and digits.
  ['theme', 'dark2026', true, ['dark2026']],
  ['theme', 'dark2026', false, []],
  ['theme', 'd4rk', true, []],
  ['theme', 'darkdark', true, []],
  ['theme', '20261122', true, []],
  ['sid', 'dark2026', false, ['dark2026']],
  ['sid', 'dark', false, []],
  ['any', 'q8Zk2Lm9Qx7Rt4ZpAa0', false, ['q8Zk2Lm9Qx7Rt4ZpAa0']],
  ['sid', 's%3Aq8Zk2Lm9%2Fx', true, ['s%3Aq8Zk2Lm9%2Fx', 's:q8Zk2Lm9/x']],
  ['sid', 'bad%zz12', true, ['bad%zz12']],
])('cookie %s = %s, of the server alone: %s', (name, value, httpOnly, secrets) => {
  expect(chosen({ cookies: [{ name, value, httpOnly }] }).storedValues).toEqual(secrets)
})
