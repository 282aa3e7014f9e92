import { expect, test } from 'bun:test'
import { functionOf } from '../../../src/browser/actions/evaluate.ts'

test('a script is an expression, a function or statements; what is none is refused without being run', () => {
  for (const script of ['1', '() => 1;', 'return 1', 'const a = 1; return a', 'await x', '{ a: 1 }'])
    expect(functionOf(script, ['arg']).ok).toBe(true)
  for (const script of ['foo bar', 'return', ')', '}) ; globalThis.x = 1; ({']) {
    const compiled = functionOf(script, ['arg'])
    if (script === 'return') expect(compiled.ok).toBe(true)
    if (script !== 'return') expect(compiled).toMatchObject({ ok: false, error: { code: 'SCRIPT_ERROR' } })
  }
  expect('x' in globalThis).toBe(false)
})
