import { describe, expect, test } from 'bun:test'
import {
  createFailedProcesses,
  findTakenPort,
} from '../../../../src/core/devserver/start/failed-processes.ts'

const failuresIn = (lines: readonly string[], listening: readonly number[] = []) => {
  const failed = createFailedProcesses()
  for (const line of lines) failed.add(line)
  return failed.list((port) => listening.includes(port)).map(({ line }) => line)
}

describe('a process that failed is known by what is printed about it', () => {
  test.each([
    '[api] node server/index.js exited with code 1',
    'ERROR: "dev:api" exited with 1.',
    'npm error Lifecycle script `dev` failed with error:',
    'npm ERR! code ELIFECYCLE',
    'ELIFECYCLE  Command failed with exit code 1.',
    'error Command failed with exit code 1.',
    'error: script "dev" exited with code 1',
    'ERROR  run failed: command  exited (1)',
    '17:00:01 api.1   | exited with code 1',
    'web-1 exited with code 137',
    '[1] npm run api exited with code SIGKILL',
    '[nodemon] app crashed - waiting for file changes before starting...',
    "Failed running 'server/index.js'. Waiting for file changes before restarting...",
    'Error: listen EADDRINUSE: address already in use :::3917',
    'OSError: [Errno 98] Address already in use',
  ])('%p', (line) => expect(failuresIn([line])).toEqual([line]))

  test.each([
    '[api] node server/index.js exited with code 0',
    '[web] vite exited with code SIGTERM',
    'Port 5173 is in use, trying another one...',
    'Port 3000 is in use, using available port 3001 instead.',
    '[nodemon] clean exit - waiting for changes before restart',
    'request failed with status code 404 in 12ms',
    'Job finished with status 200',
    'server started on port 3000',
  ])('and is none: %p', (line) => expect(failuresIn([line])).toEqual([]))
})

test('what runs again is no failure any more', () => {
  expect(
    failuresIn([
      '[nodemon] app crashed - waiting for file changes',
      '[nodemon] restarting due to changes...',
    ]),
  ).toEqual([])
  expect(failuresIn(['[api] npm run api exited with code 1', '[api] npm run api restarted'])).toEqual([])
  expect(failuresIn(['[api] npm run api exited with code 1', '[web] restarting the compiler'])).toHaveLength(
    1,
  )
  // The process could have the port at its next attempt.
  const taken = 'Error: listen EADDRINUSE: address already in use :::3917'
  expect(failuresIn([taken], [3917])).toEqual([])
  expect(failuresIn([taken], [3918])).toEqual([taken])
})

test('the last three are kept', () => {
  const lines = ['1', '2', '3', '4'].map((name) => `[${name}] exited with code 1`)
  expect(failuresIn(lines)).toEqual(lines.slice(1))
})

test.each([
  ['Error: listen EADDRINUSE: address already in use :::3917', 3917],
  ['Error: listen EADDRINUSE: address already in use 127.0.0.1:3917', 3917],
  ['listen tcp :8080: bind: address already in use', 8080],
  ['Error: Port 5173 is already in use', 5173],
  ['Port 5000 is in use by another program.', 5000],
  ['Something is already running on port 3000.', 3000],
  ['Port 5173 is in use, trying another one...', undefined],
  ['OSError: [Errno 98] Address already in use', undefined],
])('%p names %p', (line, port) => expect(findTakenPort(line)).toBe(port))
