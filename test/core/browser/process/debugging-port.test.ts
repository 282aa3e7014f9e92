import { expect, test } from 'bun:test'
import { debuggingPortOf } from '../../../../src/core/browser/process/debugging-port.ts'

test.each([
  [
    'http://127.0.0.1:9222',
    '*://*:9222/*',
    ['http://localhost:9222/json', 'http://[::1]:9222/'],
    'http://localhost:92221/',
  ],
  ['ws://[::1]:9222/devtools/browser/b', '*://*:9222/*', ['http://10.0.0.1:9222/'], 'about:blank'],
  [
    'wss://grid.example.org/session/1',
    '*://grid.example.org/*',
    ['https://grid.example.org/x'],
    'https://example.org/',
  ],
  [
    'http://grid.example.org:4444',
    '*://grid.example.org:4444/*',
    ['http://grid.example.org:4444/x'],
    'http://localhost:4444/',
  ],
])('%s', (endpoint, urlPattern, inside, outside) => {
  const port = debuggingPortOf(endpoint)
  expect(port.urlPattern).toBe(urlPattern)
  expect([...inside, outside].map(port.covers)).toEqual([...inside.map(() => true), false])
})
