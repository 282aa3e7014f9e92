// Another user of the machine waits for the debugging port of Firefox while it starts. FIREFOX_STARTS is how often it does. They have a
// network of their own, so that no other browser is attacked.

import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import process from 'node:process'

const START_COUNT = process.env['FIREFOX_STARTS'] ?? '50'

test('another user never reads a file through a Firefox that starts', () => {
  const program = resolve(import.meta.dir, '../fixtures/firefox-starts.ts')
  const script = 'busybox ip link set lo up && exec "$@"'
  const args = ['--net', 'sh', '-c', script, 'sh', process.execPath, program, START_COUNT]
  const lines = spawnSync('unshare', args, { encoding: 'utf8' }).stdout.trim().split('\n')
  expect(lines.filter((line) => line.startsWith('file:'))).toEqual([])
  expect(lines.filter((line) => line.startsWith('start:'))).toHaveLength(Number(START_COUNT))
  // It was there in time at least once.
  expect(lines).toContain('start: BROWSER_ERROR, another user')
}, 3_600_000)
