// The redactor of one session: what everybody hides, what it has learnt itself, and what the library of token shapes knows.

import { expect, test } from 'bun:test'
import { createRedactor, revealingRedactor } from '../../../src/core/base/redaction/redactor.ts'
import { createTokenShapeLibrary, openRedactor } from '../../../src/core/sessions/session-redactor.ts'
const id = '0638a4c4-05d2-4c5f-892c-f7278e174947'

test('a token that only the library knows is hidden once it is loaded', async () => {
  const shapes = createTokenShapeLibrary()
  const session = openRedactor([id], { redactor: createRedactor(), shapes })
  const text = `with ntn_12345678901${'a8Fk2Lm9Qx7Rt4Zp'.repeat(3).slice(0, 35)} it works`
  expect(session.redactText(text)).toBe(text)
  await shapes.load()
  expect(session.redactText(text)).toBe('with [redacted] it works')
  expect(session.redactText('ntn_')).toBe('ntn_')
})

test('what one session learns, neither everybody nor another hides; the log does', () => {
  const [redactor, logRedactor] = [createRedactor(), createRedactor()]
  redactor.learn('declared', ['declared-s3cret'])
  const one = openRedactor([id], { redactor, logRedactor })
  const other = openRedactor([], { redactor, logRedactor })
  one.learn('typed', ['kn0wn-s3cret', id])
  const text = `kn0wn-s3cret, declared-s3cret, ${id}`
  expect(one.redactText(text)).toBe(`[redacted], [redacted], ${id}`)
  expect(other.redactText(text)).toBe(`kn0wn-s3cret, [redacted], ${id}`)
  expect(redactor.redactText(text)).toBe(`kn0wn-s3cret, [redacted], ${id}`)
  expect(logRedactor.redactText('kn0wn-s3cret')).toBe('[redacted]')
})

test('with --reveal a session shows everything', () => {
  const session = openRedactor([], { redactor: revealingRedactor })
  session.learn('typed', ['kn0wn-s3cret'])
  expect(session.redactText('kn0wn-s3cret, password=hunter2-hunter2')).toBe(
    'kn0wn-s3cret, password=hunter2-hunter2',
  )
})
