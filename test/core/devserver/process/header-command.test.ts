// A program of --endpoint-header-command that hangs is ended with what it has started.

import { expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { runHeaderCommand } from '../../../../src/core/devserver/process/run-header-command.ts'
import { until } from '../../../support/leftovers.ts'

const isRunning = (pid: number): boolean => {
  try {
    // A process that has ended and was not reaped counts as ended.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test.skipIf(process.platform !== 'linux')(
  'it ends with its group, and an ordinary one is read',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fl-header-'))
    const program = (name: string, text: string): string => {
      const path = join(folder, name)
      writeFileSync(path, `#!/bin/sh\n${text}\n`)
      chmodSync(path, 0o755)
      return path
    }
    const pids = join(folder, 'pids')
    const hanging = program('hanging', `sleep 1000 & echo $! > ${pids}; echo $$ >> ${pids}; wait`)
    const running = runHeaderCommand(hanging, 'http://127.0.0.1/', 1000, 'tag-of-this-test')
    expect(await until(() => existsSync(pids) && readFileSync(pids, 'utf8').split('\n').length === 3)).toBe(
      true,
    )
    const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
    expect(readFileSync(`/proc/${started[0]}/environ`, 'utf8')).toContain('FOOTLIGHT_RUN=tag-of-this-test')
    await expect(running).rejects.toThrow('did not end within 1000 ms')
    expect(await until(() => !started.some(isRunning))).toBe(true)

    const endless = program('endless', 'yes')
    await expect(runHeaderCommand(endless, '', 60_000, 'tag')).rejects.toThrow('more than 100000 bytes')
    const ordinary = program('ordinary', 'echo \'{"authorization":"Bearer 1"}\'')
    expect(await runHeaderCommand(ordinary, '', 60_000, 'tag')).toEqual({ authorization: 'Bearer 1' })
    rmSync(folder, { recursive: true, force: true })
  },
  60_000,
)
