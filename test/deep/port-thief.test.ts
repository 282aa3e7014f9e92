// Another user of the machine waits for the debugging port of Firefox while it starts. FIREFOX_STARTS is how often it does. Root alone can
// act as another user.

import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { connect } from '../support/client.ts'
import { until } from '../support/leftovers.ts'

const START_COUNT = Number(process.env['FIREFOX_STARTS'] ?? 50)
const NOBODY = 65_534

test.skipIf(process.getuid?.() !== 0)(
  'another user never reads a file through a Firefox that starts',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'thief-'))
    const file = join(folder, 'secret.txt')
    writeFileSync(file, 'only for its owner', { mode: 0o600 })
    const program = resolve(import.meta.dir, '../fixtures/port-thief.mjs')
    const node = process.env['FOOTLIGHT_TEST_NODE'] ?? 'node'
    const code = `exec "$1" --input-type=module - 0 ${JSON.stringify(file)}`
    const thief = spawn('sh', ['-c', code, 'sh', node], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: '/',
      // It reads the program from a file that it may not open itself.
      stdio: [openSync(program, 'r'), 'pipe', 'inherit'],
    })
    const lines: string[] = []
    createInterface({ input: thief.stdout as NodeJS.ReadableStream }).on('line', (line) => lines.push(line))
    await until(() => lines.includes('ready'))
    const messages: string[] = []
    for (let start = 0; start < START_COUNT; start += 1) {
      const peer = await connect({ args: ['--headless', '--browser', 'firefox'] })
      const { data } = await peer.call('create_session')
      messages.push(data.errorCode ?? 'opened')
      await peer.close()
    }
    thief.kill('SIGKILL')
    rmSync(folder, { recursive: true })
    expect(lines.filter((line) => line.startsWith('read'))).toEqual([])
    // It was there in time at least once.
    expect(messages).toContain('BROWSER_ERROR')
  },
  3_600_000,
)
