// Mocked WebSockets.

import { expect, test } from 'bun:test'
import type { MockAnswer } from '../../../src/features/mock/mock-rule.ts'
import { bodyOf, button, click, mock, ORIGIN, testOf } from './recorded-steps.ts'

const route = (...lines: readonly string[]) => [
  "await page.routeWebSocket('**/chat', (socket) => {",
  ...lines.map((line) => `  ${line}`),
  '});',
]
test.each<[MockAnswer, readonly string[]]>([
  [{ socket: [] }, ["await page.routeWebSocket('**/chat', (socket) => {});"]],
  [
    { socket: [], fail: true, times: 1 },
    [
      'let remaining = 1;',
      "await page.routeWebSocket('**/chat', async (socket) => {",
      '  if (remaining-- <= 0) {',
      '    socket.connectToServer();',
      '    return;',
      '  }',
      '  await socket.close({ code: 1006 });',
      '});',
    ],
  ],
  [{ socket: ['hi', { n: 1 }] }, route("socket.send('hi');", 'socket.send(JSON.stringify({ n: 1 }));')],
])('%j', (answer, lines) => expect(bodyOf([mock({ url: '**/chat', answer })])).toBe(lines.join('\n')))

test('the URL is a path if the socket is one of the server', () => {
  const url = `${ORIGIN.replace('http', 'ws')}/chat`
  const text = bodyOf([mock({ url, answer: { socket: [] } }), click(button('Go'), { openedTab: 't2' })])
  expect(text).toStartWith(String.raw`await context.routeWebSocket(/\/chat/, (socket) => {});`)
})

test('secrets in its messages are variables', () => {
  const text = testOf([mock({ url: '**/chat', answer: { socket: [{ password: 'key-7f3a9c2e1b' }] } })])
  expect(text).toContain('socket.send(JSON.stringify({ password: process.env.PASSWORD! }));')
})
