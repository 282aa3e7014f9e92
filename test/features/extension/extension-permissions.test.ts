import { expect, test } from 'bun:test'
import { findRefusedPermission } from '../../../src/features/extension/extension-permissions.ts'

const refusedNames = [
  'proxy',
  'privacy',
  'debugger',
  'nativeMessaging',
  'pageCapture',
  'downloads.open',
  'dns',
]

test.each(refusedNames)('the permission %s is refused in any place and form', (name) => {
  for (const value of [[name], ['tabs', name], [{ [name]: {} }]]) {
    expect(findRefusedPermission({ permissions: value })).toContain(`"${name}"`)
    expect(findRefusedPermission({ permissions: [], optional_permissions: value })).toContain(`"${name}"`)
  }
})

test('Chrome apps are refused, and what is no list says nothing', () => {
  expect(findRefusedPermission({ app: { background: {} } })).toContain('"app"')
  expect(findRefusedPermission({ sockets: {} })).toContain('"sockets"')
  for (const value of [undefined, null, 'proxy', 1, {}, [[['proxy']]], [null, 1, ['proxy']]])
    expect(findRefusedPermission({ permissions: value })).toBeUndefined()
  expect(
    findRefusedPermission({ permissions: ['tabs', 'storage', 'scripting', 'downloads', 'proxyServer'] }),
  ).toBeUndefined()
})
