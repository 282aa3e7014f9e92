// The httpCredentials of create_session.

import { describe, expect, test } from 'bun:test'
import { readHttpCredentials } from '../../../src/core/sessions/tools/session.ts'

describe('httpCredentials', () => {
  const secrets = new Map([['SITE', 'tulip']])
  const parse = (input: unknown, hasServer = true) => {
    const result = readHttpCredentials(input, hasServer, secrets)
    return result.ok ? result.value : result.error
  }
  test('belong to the dev server unless an origin is named', () => {
    expect(parse({ username: 'a', password: 'b' })).toEqual({ username: 'a', password: 'b' })
    const named = { username: 'a', password: 'b', origin: 'https://App.example:8443/path?x#y' }
    for (const hasServer of [true, false])
      expect(parse(named, hasServer)).toEqual({ ...named, origin: 'https://app.example:8443' })
  })
  test('the password may be the name of a secret', () => {
    expect(parse({ username: 'a', password: '{{SITE}}' })).toMatchObject({ password: 'tulip' })
    expect(parse({ username: 'a', password: '{{SIDE}}' })).toMatchObject({ code: 'INVALID_PARAMETERS' })
  })
  test.each(['*', 'example.com', 'ftp://example.com', 'file:///etc', 'javascript:1', 'about:blank', ''])(
    'the origin %j is refused',
    (origin) => {
      expect(parse({ username: 'a', password: 'b', origin })).toMatchObject({
        code: 'INVALID_PARAMETERS',
        field: 'httpCredentials.origin',
      })
    },
  )
  test('without a dev server an origin is required', () => {
    expect(parse({ username: 'a', password: 'b' }, false)).toMatchObject({ field: 'httpCredentials.origin' })
  })
  test.each([
    {},
    { username: 'a' },
    { username: 'hidden', password: 4711 },
    { username: 'a', password: '' },
    { username: ['hidden'], password: 'hidden' },
    { username: 'a', password: 'hidden', more: 'hidden' },
    { username: 'a', password: 'hidden', origin: 'hidden://hidden' },
    'hidden:hidden',
  ])('%j is refused, and no value of it is repeated', (input) => {
    const failure = parse(input)
    expect(failure).toMatchObject({ code: 'INVALID_PARAMETERS' })
    expect(JSON.stringify(failure)).not.toMatch(/"hidden"|4711/)
  })
})
