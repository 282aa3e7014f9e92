import { expect, test } from 'bun:test'
import { publicAddressOf } from '../../../src/features/remote/cdp-address.ts'

test.each([
  [
    'ws://127.0.0.1:9222/devtools/browser/1',
    'http://127.0.0.1:9222',
    'ws://127.0.0.1:9222/devtools/browser/1',
  ],
  ['ws://0.0.0.0:3000/devtools/1', 'https://b.example/one?token=t', 'wss://b.example/one/devtools/1?token=t'],
  ['ws://chrome:9222/devtools/1', 'http://b.example:8080/one/', 'ws://b.example:8080/one/devtools/1'],
  ['ws://b.example/devtools/1', 'https://b.example/one', 'wss://b.example/one/devtools/1'],
  ['wss://b.example/one/devtools/1', 'https://b.example/one', 'wss://b.example/one/devtools/1'],
  ['wss://fra.b.example/s/1?key=k', 'https://b.example/one?token=t', 'wss://fra.b.example/s/1?key=k'],
])('%s, which %s reports, is reached at %s', (reported, endpoint, address) =>
  expect(publicAddressOf(new URL(reported), endpoint)).toBe(address),
)
