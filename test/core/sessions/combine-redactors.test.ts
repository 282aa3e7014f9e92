import { expect, test } from 'bun:test'
import { createRedactor } from '../../../src/core/base/redaction/redactor.ts'
import { combineRedactors } from '../../../src/core/sessions/session-redactor.ts'

test('what may show several sessions hides the secrets of each of them', () => {
  const base = createRedactor()
  base.learn('declared', ['declared-0'])
  const redactors = ['typed-one-1', 'typed-two-2'].map((secret) => {
    const redactor = createRedactor({ parent: base })
    redactor.learn('typed', [secret])
    return redactor
  })
  const text = 'a declared-0 b typed-one-1 c typed-two-2 d'
  const combined = combineRedactors(redactors, base)
  for (const shown of [combined.redactText(text), combined.redactData({ text }).text]) {
    for (const secret of ['declared-0', 'typed-one-1', 'typed-two-2']) expect(shown).not.toContain(secret)
    expect(shown).toMatch(/^a .* b .* c .* d$/)
  }
  const alone = combineRedactors([], base)
  expect(alone.redactText(text)).toBe(base.redactText(text))
})
