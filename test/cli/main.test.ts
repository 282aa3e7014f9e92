// The command line as a shell sees it.

import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { binary } from '../support/client.ts'

const shell = (script: string) =>
  spawnSync('bash', ['-c', script, binary], { encoding: 'utf8', timeout: 120_000 })

test.skipIf(process.platform === 'win32')('a reader that closes the pipe ends it quietly', () => {
  const { stdout, stderr } = shell('"$0" tools | head -1 | cut -c 1-14; echo "${PIPESTATUS[0]}"')
  expect([stdout, stderr]).toEqual(['create_session\n0\n', ''])
})
