// The lines of modules that webpack evaluates without source maps.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { findModuleCode, findSourceLine } from '../../../src/features/sources/module-lines.ts'

const URL = 'webpack://app/./src/a.js?'
const source = `import { text } from './text.js'

let count = 0
const show = () => (button.textContent = text(count))

export function increment() {
  count += 1
  show()
}
`
// As webpack 5.112.2 makes it.
const code = `{__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   increment: () => (/* binding */ increment)
/* harmony export */ });
/* harmony import */ var _text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(/*! ./text.js */ "./src/text.js");


let count = 0
const show = () => (button.textContent = (0,_text_js__WEBPACK_IMPORTED_MODULE_0__.text)(count))

function increment() {
  count += 1
  show()
}


//# sourceURL=${URL}
}`
const bundle = `eval("b\\n//# sourceURL=webpack://app/./src/b.js?\\n");\neval(${JSON.stringify(code)});\n`

const lineWith = (text: string, part: string) => text.split('\n').findIndex((line) => line.includes(part)) + 1

test('the code of a module is found in its bundle', () => {
  expect(findModuleCode(bundle, URL)).toBe(code)
  expect(findModuleCode(bundle, 'webpack://app/./src/c.js?')).toBeUndefined()
  expect(findModuleCode(`//# sourceURL=${URL}\\n`, URL)).toBeUndefined()
})

test('lines that webpack leaves as they are, or whose imports and exports it rewrites, have their line', () => {
  for (const part of ['let count', 'const show', 'function increment', 'count += 1'])
    expect(findSourceLine(code, source, lineWith(code, part))).toBe(lineWith(source, part))
  expect(findSourceLine(code, source, 1)).toBeUndefined()
  expect(findSourceLine(code, source, 100)).toBeUndefined()
})

test('a file that was changed since has no line for what it no longer has, and never a wrong one', () => {
  const changed = source.replace('count += 1', 'count += 2')
  expect(findSourceLine(code, changed, lineWith(code, 'count += 1'))).toBeUndefined()
  expect(findSourceLine(code, `\n\n${source}`, lineWith(code, 'count += 1'))).toBe(9)
})

test('whatever the file, a line that is found has the same text', () => {
  const lines = fc.array(fc.constantFrom('a()', 'b()', '', '}', 'c()', '  a()'), { maxLength: 12 })
  fc.assert(
    fc.property(lines, lines, fc.integer({ min: 1, max: 14 }), (codeLines, sourceLines, line) => {
      const found = findSourceLine(codeLines.join('\n'), sourceLines.join('\n'), line)
      if (found !== undefined) expect(sourceLines[found - 1]?.trim()).toBe(codeLines[line - 1]?.trim())
    }),
    { numRuns: 300 },
  )
})
