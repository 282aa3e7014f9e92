// Fields of create_session whose values are not simply passed on.

import { describe, expect, test } from 'bun:test'
import { invalidParameter } from '../../../src/core/base/failure.ts'
import type { Files } from '../../../src/core/base/files/files.ts'
import { err, ok } from '../../../src/core/base/result.ts'
import { parseHttpCredentials, readInitScript } from '../../../src/core/sessions/tools/session.ts'

describe('httpCredentials', () => {
  const secrets = new Map([['SITE', 'tulip']])
  const parse = (input: unknown, hasServer = true) => {
    const result = parseHttpCredentials(input, hasServer, secrets)
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

describe('initScript', () => {
  const readPaths: string[] = []
  const files = {
    findRunnable: async (path: string) => ok(path),
    read: async (path: string) => {
      readPaths.push(path)
      if (path.startsWith('..'))
        return err({ code: 'ACCESS_DENIED', subject: path, rule: 'path', allowed: '' } as const)
      if (path.startsWith('none')) return err(invalidParameter('path', 'an existing file', 'no such file'))
      return ok(new TextEncoder().encode('content'))
    },
  } as unknown as Files
  test.each(['init.js', './scripts/a-b.mjs', 'C:\\x\\init.js', '/home/ada/init.cjs'])(
    '%j is a path',
    async (path) => {
      expect(await readInitScript(path, files)).toEqual(ok('content'))
      expect(readPaths).toContain(path)
    },
  )
  test.each(['window.x = 1', 'a();b.js', "import('./x.js')", 'x=y.js', '// init.js', 'window.y'])(
    '%j is a source text',
    async (source) => {
      expect(await readInitScript(source, files)).toEqual(ok(source))
      expect(readPaths).not.toContain(source)
    },
  )
  test('a path that may not be read is a failure', async () => {
    expect(await readInitScript('../x.js', files)).toMatchObject({ ok: false })
    expect(await readInitScript('none.js', files)).toMatchObject({ error: { field: 'initScript' } })
  })
})
