import { expect, test } from 'bun:test'
import { findLeftPort } from '../../../../src/core/devserver/start/moved-port.ts'

test.each([
  ['Port 5173 is in use, trying another one...', 5174, 5173],
  [
    '\u001b[33m⚠\u001b[39m Port 3000 is in use by process 4711, using available port 3001 instead.',
    3001,
    3000,
  ],
  [
    'Unable to find an available port (tried 3000 on host "localhost"). Using alternative port 3001.',
    3001,
    3000,
  ],
  ['Something is already running on port 3000.', 3001, 3000],
  ['Error: listen EADDRINUSE: address already in use :::8080', 8081, 8080],
  ['port 3000 is already used, using 3001', 3001, 3000],
  // The port of another server of the command, and no port at all.
  ['Error: listen EADDRINUSE: address already in use :::3919', 5173, undefined],
  ['Local: http://localhost:5173/', 5173, undefined],
  ['Port 5173 is used for the page', 5173, undefined],
])('%s', (line, port, left) => {
  expect(findLeftPort(['', line], `http://localhost:${port}/`)).toBe(left as number)
})
