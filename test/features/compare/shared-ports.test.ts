// Whether two versions can run side by side, and what is said of what they share.

import { expect, test } from 'bun:test'
import {
  collide,
  describeShared,
  isPortRefusal,
  type SideUse,
} from '../../../src/features/compare/flow/shared-ports.ts'

const use = (
  own: readonly number[],
  more: Partial<SideUse> = {},
  foreign: readonly number[] = [],
): SideUse => ({
  ports: { own, foreign: foreign.map((port) => ({ port, holder: '', isConnected: true })) },
  refusals: [],
  requested: [],
  ...more,
})

test.each([
  'Error: listen EADDRINUSE: address already in use :::3917',
  'OSError: [Errno 98] Address already in use',
  'Error: Port 5173 is already in use',
  'Port 5000 is in use by another program. Either identify and stop that program',
  'Web server failed to start. Port 8080 was already in use.',
  'listen tcp :8080: bind: Only one usage of each socket address is normally permitted',
])('a server that does not get its port: %s', (line) => expect(isPortRefusal(line)).toBe(true))

test.each([
  'Port 5173 is in use, trying another one...',
  'Port 3000 is in use by process 12, using available port 3001 instead.',
  'listening on port 3000',
])('one that needs none: %s', (line) => expect(isPortRefusal(line)).toBe(false))

test('one server each can run side by side; more, a port that is taken, or the other one as a server cannot', () => {
  expect(collide(use([1]), use([2]))).toBe(false)
  expect(collide(use([1], {}, [9]), use([2], {}, [9]))).toBe(false)
  expect(collide(use([1]), use([2, 3]))).toBe(true)
  expect(collide(use([1], { refusals: ['EADDRINUSE'] }), use([2]))).toBe(true)
  expect(collide(use([1], {}, [2]), use([2]))).toBe(true)
  expect(collide(use([1]), use([2], { requested: [1] }))).toBe(true)
})

test('what is shared is named, with who used it', () => {
  expect(describeShared(use([1]), use([2]), true)).toEqual([])
  expect(describeShared(use([1], {}, [9]), use([2], { requested: [9] }), false)).toEqual([
    'Port 9 of this machine was used by both versions, and is no server of either.',
    'What is shared cannot differ here.',
  ])
  expect(describeShared(use([1], { refusals: ['EADDRINUSE :::9'] }), use([2, 9]), false)).toEqual([
    'A server of the base did not get its port: "EADDRINUSE :::9".',
    'The base has 1 server, the current version 2 servers.',
    'They ran side by side and may share them: the server of the session cannot be stopped for a while.',
    'What is shared cannot differ here.',
  ])
  const unknown = { ports: undefined, refusals: [], requested: [9] }
  expect(describeShared(unknown, unknown, false)).toEqual([])
})
