import { expect, test } from 'bun:test'
import { parseRemoteAddress } from '../../../src/browser/remote/remote-address.ts'

test('what messages show of an address has neither user information nor a query', () => {
  expect(parseRemoteAddress('https://me:p%40ss@grid.example/wd/hub/?key=k')).toEqual({
    url: 'https://grid.example/wd/hub/?key=k',
    headers: { authorization: `Basic ${btoa('me:p@ss')}` },
    label: 'https://grid.example/wd/hub',
  })
  expect(parseRemoteAddress('ws://127.0.0.1:1/').headers).toEqual({})
})
