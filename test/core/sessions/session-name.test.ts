import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseResourceUri, resourceUriOf } from '../../../src/core/base/files/resource-uri.ts'
import { isValidSessionName } from '../../../src/core/sessions/store/session-name.ts'

test('any printable text up to 64 characters is a name', () => {
  for (const name of [
    'shop',
    'my shop',
    'Zoë',
    '買い物',
    '👩‍👩‍👧',
    'a/b?c#d "e"',
    'x'.repeat(64),
    '🙂'.repeat(64),
    '1234abcd-1234-',
  ])
    expect([name, isValidSessionName(name)]).toEqual([name, true])
  for (const name of ['', 'x'.repeat(65), 'a\nb', 'a\u0000', 'a\u2028b', 'a\u202eb', '\ud800'])
    expect([name, isValidSessionName(name)]).toEqual([name, false])
  fc.assert(fc.property(fc.uuid(), (id) => expect(isValidSessionName(id)).toBe(false)))
})

test('every name can be part of a resource address', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (session) => {
      fc.pre(isValidSessionName(session))
      const uri = resourceUriOf({ session, part: 'console' })
      expect(URL.canParse(uri)).toBe(true)
      expect(parseResourceUri(uri)).toEqual({ session, part: 'console' })
      const file = { session, part: 'files', name: 'a b.txt' } as const
      expect(parseResourceUri(resourceUriOf(file))).toEqual(file)
    }),
    { numRuns: 300 },
  ))
