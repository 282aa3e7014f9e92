import { expect, test } from 'bun:test'
import { describeScriptError, functionOf } from '../../../../src/core/browser/actions/evaluate.ts'

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

test('the stack of a script has the frames of the caller without lines, and those of the page, but none of our own', () => {
  const stackOf = (...frames: string[]) =>
    describeScriptError(['TypeError: x', ...frames.map((frame) => `    at ${frame}`)].join('\n'))
  const own = ['run (<anonymous>:6:1)', 'FRe (<anonymous>:4:39)', 'anonymous (<anonymous>:4:101)']
  expect(stackOf(...own)).toEqual({ code: 'SCRIPT_ERROR', text: 'TypeError: x' })
  expect(stackOf('inner (<anonymous>:4:153)', 'Cart.add (http://a/cart.js:7:3)', ...own)).toMatchObject({
    stack: 'at inner\nat Cart.add (http://a/cart.js:7:3)',
  })
})
