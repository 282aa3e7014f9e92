import { expect, test } from 'bun:test'
import {
  candidatePaths,
  isLibraryPath,
  pathInside,
  readSourcePath,
} from '../../../../src/core/base/text/source-path.ts'

const script = 'http://localhost:5173/src/app.tsx?t=1730'

test.each([
  ['app.tsx', { kind: 'url', path: 'src/app.tsx' }],
  ['../lib/a b.ts', { kind: 'url', path: 'lib/a b.ts' }],
  ['/src/app.tsx', { kind: 'url', path: 'src/app.tsx' }],
  ['/@fs/home/me/app/src/a.ts', { kind: 'file', path: '/home/me/app/src/a.ts' }],
  ['file:///home/me/app/page%20one.jsx', { kind: 'file', path: '/home/me/app/page one.jsx' }],
  ['file:///C:/app/a.ts', { kind: 'file', path: 'C:/app/a.ts' }],
  ['C:\\app\\a.ts', { kind: 'file', path: 'C:/app/a.ts' }],
  ['webpack://shop/./src/a.js?1a2b', { kind: 'bundle', path: 'src/a.js' }],
  ['webpack-internal:///(app-pages-browser)/./app/page.jsx', { kind: 'bundle', path: 'app/page.jsx' }],
  ['turbopack:///[project]/app/page.jsx', { kind: 'bundle', path: 'app/page.jsx' }],
  ['about://React/Server/file:///home/me/app/page.js', { kind: 'file', path: '/home/me/app/page.js' }],
] as const)('%s', (source, path) => expect(readSourcePath(source, script)).toEqual(path))

test.each([
  ['webpack/runtime/jsonp', 'webpack://shop/webpack/runtime/jsonp'],
  ['a path above its root', 'webpack:///../../etc/passwd'],
  ['a path with parts above', 'file:///home/me/../../etc/passwd'],
  ['another host', 'https://evil.example/src/app.tsx'],
  ['nothing', ''],
  ['lines', 'src/a\n.ts'],
  ['much', 'a'.repeat(3000)],
])('%s has no path', (_, source) => expect(readSourcePath(source, script)).toBeUndefined())

test('candidates are below the folder, and prefixes only those of the folder itself', () => {
  expect(candidatePaths({ kind: 'file', path: '/home/me/app/src/a.ts' }, '/home/me/app')).toEqual([
    'src/a.ts',
  ])
  expect(candidatePaths({ kind: 'file', path: '/home/me/application/a.ts' }, '/home/me/app')).toEqual([])
  expect(candidatePaths({ kind: 'bundle', path: 'apps/web/src/a.ts' }, '/repo/apps/web')).toEqual([
    'apps/web/src/a.ts',
    'src/a.ts',
  ])
  // A package beside the application may have the same paths as the application.
  expect(candidatePaths({ kind: 'bundle', path: 'packages/ui/src/a.ts' }, '/repo/apps/web')).toEqual([
    'packages/ui/src/a.ts',
  ])
  expect(candidatePaths({ kind: 'url', path: 'admin/src/a.ts' }, '/app')).toContain('src/a.ts')
  expect(candidatePaths({ kind: 'url', path: '_nuxt/app.vue' }, '/app')).toContain('app/app.vue')
  expect(pathInside('/app', '/app')).toBeUndefined()
})

test('library paths differ from those of the application', () => {
  for (const path of [
    'node_modules/react/index.js',
    'http://localhost/.vite/deps/react.js?v=1',
    'at x (node_modules/react/index.js:1)',
    'http://localhost/@vite/client',
    'http://localhost/_next/static/chunks/node_modules_next_dist_1.js',
  ])
    expect([path, isLibraryPath(path)]).toEqual([path, true])
  for (const path of [
    'src/app.tsx',
    'http://localhost/_next/static/chunks/app_page_1.js',
    'my_node_modules.ts',
  ])
    expect([path, isLibraryPath(path)]).toEqual([path, false])
})
