import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseUserProxy } from '../../../../src/core/base/network/user-proxy.ts'

const schemes = fc.constantFrom('http', 'https', 'socks4', 'socks5')

test('scheme, host, port and the list are read as they were written', () => {
  fc.assert(
    fc.property(
      schemes,
      fc.domain(),
      fc.integer({ min: 1, max: 65_535 }),
      fc.array(fc.domain()),
      fc.constantFrom(',', ' ', ', '),
      (scheme, host, port, bypass, separator) => {
        const server = `${scheme}://${host}:${port}`
        expect(parseUserProxy(server, bypass.join(separator))).toEqual({ server, scheme, host, port, bypass })
        expect(parseUserProxy(`${scheme}://me:secret@${host}:${port}`)).toBeUndefined()
        expect(parseUserProxy(`${scheme}://me@${host}:${port}`)).toBeUndefined()
      },
    ),
    { numRuns: 300 },
  )
})

test('a port may be left out, and the scheme too', () => {
  expect(parseUserProxy('http://proxy.example')).toMatchObject({ port: 80 })
  expect(parseUserProxy('https://proxy.example:443')).toMatchObject({ port: 443 })
  expect(parseUserProxy('socks5://proxy.example')).toMatchObject({ port: 1080 })
  expect(parseUserProxy('proxy.example:3128')).toMatchObject({ server: 'http://proxy.example:3128' })
  expect(parseUserProxy('[::1]:3128')).toMatchObject({ server: 'http://[::1]:3128', host: '[::1]' })
})

test.each([
  '',
  ' ',
  'http://',
  'ftp://proxy.example',
  'file:///tmp',
  'http://proxy.example/path',
  'http://a?b',
  'a b',
])('%p is no proxy', (text) => expect(parseUserProxy(text)).toBeUndefined())
