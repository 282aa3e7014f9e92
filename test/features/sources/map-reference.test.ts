import { expect, test } from 'bun:test'
import {
  createScriptIndex,
  findMapReference,
  findModuleMap,
} from '../../../src/features/sources/map-reference.ts'

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

test('the scripts of a file are those whose path ends as its own does, the newest first', () => {
  const index = createScriptIndex()
  const urls = ['src/a.jsx', 'base/src/a.jsx?t=1', 'a.jsx', 'src/b.jsx', '', 'other/a.jsx', 'src/my%20a.jsx']
  for (const [at, path] of urls.entries()) index.add({ seq: at, url: `http://localhost:1/${path}`, at })
  const urlsOf = (file: string, at = 100) => index.findOfFile(file, at).map(({ url }) => url.slice(19))
  expect(urlsOf('src/a.jsx')).toEqual(['a.jsx', 'base/src/a.jsx?t=1', 'src/a.jsx'])
  expect(urlsOf('src/a.jsx', 1)).toEqual(['base/src/a.jsx?t=1', 'src/a.jsx'])
  // The root of the server is a folder of its own.
  expect(urlsOf('client/src/b.jsx')).toEqual(['src/b.jsx'])
  expect(urlsOf('src/my a.jsx')).toEqual(['src/my%20a.jsx'])
  expect(urlsOf('src/c.jsx')).toEqual([])
  // A page that is loaded again requests the same.
  index.add({ seq: 50, url: 'http://localhost:1/src/b.jsx', at: 50 })
  expect(index.findOfFile('src/b.jsx', 100).map(({ seq }) => seq)).toEqual([50])
})
