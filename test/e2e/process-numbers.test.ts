// The number of a dev server that has ended is given to a process of somebody else: no signal reaches that one. PROCESS_ROUNDS is how often.

import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import process from 'node:process'

const ROUND_COUNT = Number(process.env['PROCESS_ROUNDS'] ?? 1)
const program = resolve(import.meta.dir, '../fixtures/process-numbers.ts')

test('neither close_session nor restart_server nor the watchdog ends a process with the number of a server that has ended', () => {
  const args = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const run = spawnSync('unshare', [...args, process.execPath, program, String(ROUND_COUNT)], {
    encoding: 'utf8',
  })
  const ways = ['close_session', 'restart_server', 'watchdog']
  const expected = Array.from({ length: ROUND_COUNT }, () => ways.map((way) => `${way} left alone`)).flat()
  expect([run.stdout.trim().split('\n'), run.stderr]).toEqual([expected, ''])
}, 3_600_000)
