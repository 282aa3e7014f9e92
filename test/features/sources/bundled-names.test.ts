import { expect, test } from 'bun:test'
import { isSourceOf, namesModule } from '../../../src/features/sources/bundled-names.ts'

const webpack = `/***/ "./src/prices.js"
/*!*** ./src/prices.js ***/
/***/ (() => { eval("{ const cart = __webpack_require__(/*! ./cart.js */ \\"./src/cart.js\\");
\\n//# sourceURL=webpack://webpack-app/./src/prices.js?\\n}"); }),
`
const scripts = {
  webpack,
  'webpack of before': `/***/ "./src/prices.js":\n/***/ (() => {}),`,
  'webpack of Next': 'eval("…\\n//# sourceURL=webpack-internal:///(app-pages-browser)/./src/prices.js\\n")',
  Turbopack: '"[project]/src/prices.js [app-client] (ecmascript)": ((c) => {}),',
  esbuild: '(() => {\n  // src/prices.js\n  var tax = 1;\n})()',
}

test.each(Object.entries(scripts))('%s names the modules of a script', (_, script) => {
  expect(namesModule(script, 'src/prices.js')).toBe(true)
  for (const other of ['src/cart.js', 'prices.js', 'src/prices.j', 'rc/prices.js'])
    expect([other, namesModule(script, other)]).toEqual([other, false])
})

test('a module of a package beside the folder is named from there', () => {
  expect(namesModule('/***/ "../ui/button.js":\n', '../ui/button.js')).toBe(true)
  expect(namesModule('/***/ "../ui/button.js":\n', 'ui/button.js')).toBe(false)
})

test('a source of a map is a file of the folder, however the map names its root', () => {
  const sources = [
    '../src/prices.js',
    'src/prices.js?1234',
    '/src/prices.js',
    'webpack://app/./src/prices.js',
    'turbopack:///[project]/src/prices.js',
    'file:///home/ada/app/src/prices.js',
  ]
  for (const source of sources)
    expect([source, isSourceOf(source, 'src/prices.js', '/home/ada/app')]).toEqual([source, true])
  const others = [
    '../node_modules/lib/src/prices.js',
    'file:///home/ada/app/lib/src/prices.js',
    'webpack://app/./lib/src/prices.js',
    'prices.js',
  ]
  for (const source of others)
    expect([source, isSourceOf(source, 'src/prices.js', '/home/ada/app')]).toEqual([source, false])
})
