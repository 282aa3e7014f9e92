import { expect, test } from 'bun:test'
import { serverComponentFile, updatedModuleFiles } from '../../../src/core/base/text/source-path.ts'

test('the file of a component that ran on the server', () => {
  const file = 'file:///app/.next/server/page.js'
  expect(serverComponentFile(`about://React/Server/${file}?3`)).toBe(file)
  expect(serverComponentFile(`rsc://React/Server/${file}`)).toBe(file)
  expect(serverComponentFile('http://localhost/_next/server/page.js')).toBeUndefined()
})

test('the files of a module that was put into a running page, with a base path too', () => {
  const module = 'static/chunks/_0tco._.js?id=%255Bproject%255D/app/page.jsx+(ecmascript)'
  const files = [`file:///app/.next/dev/${module}`, `file:///app/.next/${module}`]
  for (const base of ['', '/docs'])
    expect(updatedModuleFiles(`http://localhost:3000${base}/_next/${module}`, 'file:///app')).toEqual(files)
})

test.each([
  ['a chunk', 'http://localhost:3000/_next/static/chunks/app.js'],
  ['a script of another server', 'http://localhost:3000/src/app.js?id=1'],
  ['a path in a query', 'http://localhost:3000/app.js?of=/_next/static/app.js?id=1'],
])('%s has none', (_, url) => expect(updatedModuleFiles(url, 'file:///app')).toEqual([]))
