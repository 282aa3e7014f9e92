import { expect, test } from 'bun:test'
import { findMapReference, findModuleMap } from '../../../src/core/source/map-reference.ts'

const LIMIT = 1000
const inline = 'data:application/json;charset=utf-8;base64,e30='

test.each([
  ['an external map', 'a()\n//# sourceMappingURL=a.js.map', { url: 'a.js.map' }],
  ['an inline map', `a()\n//# sourceMappingURL=${inline}\n`, { base64: 'e30=' }],
  ['text', 'a()\n//# sourceMappingURL=data:application/json,%7B%7D', { encoded: '%7B%7D' }],
  ['the last comment', '//# sourceMappingURL=old.map\na()\n//# sourceMappingURL=new.map', { url: 'new.map' }],
  ['more comments', 'a()\n//# sourceMappingURL=a.map\n//# debugId=1\n', { url: 'a.map' }],
])('%s', (_, script, reference) =>
  expect(findMapReference(script, undefined, LIMIT)).toEqual(reference as never),
)

test('what is part of the code is no reference, and the header counts without a comment', () => {
  expect(findMapReference('const s = "//# sourceMappingURL=a.map"\nb()', undefined, LIMIT)).toBeUndefined()
  expect(findMapReference('//# sourceMappingURL=data:text/plain,a', undefined, LIMIT)).toBeUndefined()
  expect(findMapReference(`//# sourceMappingURL=${'a'.repeat(2000)}`, undefined, LIMIT)).toBeUndefined()
  expect(findMapReference('a()', 'a.js.map', LIMIT)).toEqual({ url: 'a.js.map' })
  expect(findMapReference('a()', undefined, LIMIT)).toBeUndefined()
})

test('a module that webpack evaluates has the map of its own string', () => {
  const module = (name: string, data: string) =>
    `eval("x\\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${data}\\n//# sourceURL=webpack-internal:///./src/${name}\\n");`
  const bundle = `${module('a.js', 'YQ==')}\n${module('b.js', 'Yg==')}\neval("y\\n//# sourceURL=webpack-internal:///./src/c.js\\n")`
  expect(findModuleMap(bundle, 'webpack-internal:///./src/b.js', LIMIT)).toEqual({ base64: 'Yg==' })
  expect(findModuleMap(bundle, 'webpack-internal:///./src/a.js', LIMIT)).toEqual({ base64: 'YQ==' })
  for (const name of ['c.js', 'd.js'])
    expect(findModuleMap(bundle, `webpack-internal:///./src/${name}`, LIMIT)).toBeUndefined()
})
