// Mocked WebSockets.

import { expect, test } from 'bun:test'
import type { MockAnswer } from '../../../src/core/network/mock-rule.ts'
import { bodyOf, button, click, mock, navigate, ORIGIN, step, testOf } from '../test-code/recorded-steps.ts'

const route = (...lines: readonly string[]) => [
  "await page.routeWebSocket('**/chat', (socket) => {",
  ...lines.map((line) => `  ${line}`),
  '});',
]
const receive = (...lines: readonly string[]) => [
  'socket.onMessage((message) => {',
  ...['const text = message.toString();', ...lines].map((line) => `  ${line}`),
  '});',
]
const READ_JSON = 'const json = /^[[{]/.test(text) ? JSON.parse(text) : undefined;'

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
  [
    { socket: [{ send: ['hi', { n: 1 }] }, { close: 1001 }] },
    route("socket.send('hi');", 'socket.send(JSON.stringify({ n: 1 }));', 'socket.close({ code: 1001 });'),
  ],
  [
    {
      socket: [
        { on: 'ping', send: ['pong'] },
        { on: String.raw`/^a/b\d$/`, send: ['number'], close: 4001, reason: 'it is' },
      ],
    },
    route(
      ...receive(
        "if (text.includes('ping')) {",
        "  socket.send('pong');",
        String.raw`} else if (/^a\/b\d$/.test(text)) {`,
        "  socket.send('number');",
        "  socket.close({ code: 4001, reason: 'it is' });",
        '}',
      ),
    ),
  ],
  [
    {
      socket: [{ on: { type: 'a', of: [{ 'b-c': null }], all: {} }, send: [{ id: '$.id', x: ['$.a-b.0'] }] }],
    },
    route(
      ...receive(
        READ_JSON,
        "if (json?.type === 'a' && json?.of?.length === 1 && json?.of?.[0]?.['b-c'] === null && json?.all instanceof Object) {",
        "  socket.send(JSON.stringify({ id: json?.id, x: [json?.['a-b']?.['0']] }));",
        '}',
      ),
    ),
  ],
  [
    {
      socket: [
        { on: 'x' },
        { on: { a: 1 }, json: { a: 2 } },
        { from: 'server', on: { b: 1 }, json: { b: null } },
        { from: 'server' },
        { from: 'server', on: 'never' },
      ],
      change: true,
    },
    route(
      'const server = socket.connectToServer();',
      ...receive(
        READ_JSON,
        "if (text.includes('x')) {",
        '  // It is dropped.',
        '} else if (json?.a === 1) {',
        '  server.send(JSON.stringify({ ...json, a: 2 }));',
        '} else {',
        '  server.send(message);',
        '}',
      ),
      ...receive(
        READ_JSON,
        'if (json?.b === 1) {',
        '  socket.send(JSON.stringify({ ...json, b: undefined }));',
        '} else {',
        '  // It is dropped.',
        '}',
      ).map((line) => line.replace('socket.onMessage', 'server.onMessage')),
    ),
  ],
])('%j', (answer, lines) => expect(bodyOf([mock({ url: '**/chat', answer })])).toBe(lines.join('\n')))

test('the URL is a path if the socket is one of the server', () => {
  const url = `${ORIGIN.replace('http', 'ws')}/chat`
  const text = bodyOf([mock({ url, answer: { socket: [] } }), click(button('Go'), { openedTab: 't2' })])
  expect(text).toStartWith(String.raw`await context.routeWebSocket(/\/chat/, (socket) => {});`)
})

test('what is pushed goes to the open sockets of the test', () => {
  const push = (rules: readonly object[], url?: string) =>
    step({ kind: 'push', push: { ...(url !== undefined && { url }), matchesUrl: () => true, rules } })
  const text = testOf([
    mock({ url: '**/chat', answer: { socket: [] } }),
    navigate('/'),
    push([{ send: ['hi'] }]),
    push([{ close: 1001, delay: 5 }], '**/chat'),
  ])
  expect(text).toContain("import { expect, test, type WebSocketRoute } from '@playwright/test';")
  expect(text).toContain(
    [
      '  const sockets: WebSocketRoute[] = [];',
      '',
      "  await page.routeWebSocket('**/chat', (socket) => {",
      '    sockets.push(socket);',
      "    socket.onClose((code = 1000, reason = '') => {",
      '      sockets.splice(sockets.indexOf(socket), 1);',
      '      socket.close({ code, reason });',
      '    });',
      '  });',
    ].join('\n'),
  )
  expect(text).toContain(
    [
      '  await expect.poll(() => sockets.length).toBeGreaterThan(0);',
      '  for (const socket of sockets) {',
      "    socket.send('hi');",
      '  }',
      '  // The messages come at once here.',
      String.raw`  await expect`,
    ].join('\n'),
  )
  expect(text).toContain(
    String.raw`  for (const socket of sockets.filter((socket) => /\/chat$/.test(socket.url()))) {`,
  )
})

test('secrets in its messages are variables', () => {
  const text = testOf([
    mock({ url: '**/chat', answer: { socket: [{ send: [{ password: 'key-7f3a9c2e1b' }] }] } }),
  ])
  expect(text).toContain('socket.send(JSON.stringify({ password: process.env.PASSWORD! }));')
})
