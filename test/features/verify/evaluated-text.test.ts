// Modules in the scripts of webpack.

import { expect, test } from 'bun:test'
import { findEvaluated } from '../../../src/features/verify/page/evaluated-text.ts'

const moduleOf = (url: string, code: string) => `${code}//# sourceURL=${url}\n`
const url = 'webpack-internal:///./src/app.js'
const other = 'webpack-internal:///(app)/./src/app.js'

test('the text of a module that a script evaluates', () => {
  const text = moduleOf(url, 'const eval_ = "eval(\\"x\\")" // \\\n')
  for (const [before, after] of [
    ['eval(', ');'],
    ['eval(__webpack_require__.ts(', '));'],
  ]) {
    const lines = [moduleOf(other, 'first()'), text].map((code) => `${before}${JSON.stringify(code)}${after}`)
    const script = `/***/ ((module) => {\n\n${lines.join('\n\n/***/ })\n')}\n`
    expect(findEvaluated(script, url)).toBe(text)
    expect(findEvaluated(script, other)).toBe(moduleOf(other, 'first()'))
    expect(findEvaluated(script, `${url}x`)).toBeUndefined()
  }
})

test('what only looks like one has no text', () => {
  expect(findEvaluated(`const text = "${'//# sourceURL='}${url}\\n"`, url)).toBeUndefined()
  expect(findEvaluated(`eval("\\q//# sourceURL=${url}\\n");`, url)).toBeUndefined()
})
