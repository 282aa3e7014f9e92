import { expect, test } from 'bun:test'
import { parseRemoteAddress, urlBelow } from '../../../src/features/remote/remote-address.ts'

test('what messages show of an address has neither user information nor a query', () => {
  expect(parseRemoteAddress('https://me:p%40ss@grid.example/wd/hub/?key=k')).toEqual({
    url: 'https://grid.example/wd/hub/?key=k',
    headers: { authorization: `Basic ${btoa('me:p@ss')}` },
    label: 'https://grid.example/wd/hub',
  })
  expect(parseRemoteAddress('ws://127.0.0.1:1/').headers).toEqual({})
})

test('a path below an address keeps its query', () => {
  expect(urlBelow({ url: 'https://grid.example/wd/hub/?key=k' }, '/status')).toBe(
    'https://grid.example/wd/hub/status?key=k',
  )
  expect(urlBelow({ url: 'http://127.0.0.1:4444/' }, '/session')).toBe('http://127.0.0.1:4444/session')
})
