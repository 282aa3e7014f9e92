// What a path says to the watchdog, and what that removes.

import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { until } from '../../../support/leftovers.ts'

test.skipIf(process.platform === 'win32')(
  'a path with line breaks is one path, and only what has the name of a base is removed',
  async () => {
    const outer = mkdtempSync(join(tmpdir(), 'fl-watchdog-'))
    const thesis = join(outer, 'thesis')
    const repository = join(outer, `evil\nfolder ${thesis}\nx\\n \\\\repo`)
    const names = ['a b/worktrees/footlight-base-0123abcd', 'c/worktrees/footlight-base-89ab4567']
    const records = names.map((name) => join(repository, name))
    const kept = [
      thesis,
      join(outer, 'worktrees', 'precious'),
      join(outer, 'footlight-base-00000000'),
      join(outer, 'worktrees', 'footlight-base-0000000g'),
      join(outer, 'worktrees', 'footlight-base-00000000x'),
    ]
    for (const folder of [...records, ...kept]) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'file'), '')
    }
    const socket = join(outer, `s\nsocket ${join(thesis, 'file')}\n.sock`)
    mkdirSync(join(outer, `s\nsocket ${thesis}`), { recursive: true })
    writeFileSync(socket, '')
    const run = join(outer, 'run')
    mkdirSync(run)
    const module = resolve(import.meta.dir, '../../../../src/core/devserver/process/watchdog.ts')
    const script = `import { createWatchdog } from ${JSON.stringify(module)}
      const watchdog = createWatchdog('test-run-tag', ${JSON.stringify(run)})
      watchdog.guardSocket(${JSON.stringify(socket)})
      for (const path of ${JSON.stringify([...records, ...kept])}) await watchdog.guardFolder(path)`
    const child = spawn(process.execPath, ['-e', script], { stdio: 'inherit' })
    await new Promise((ended) => child.once('close', ended))
    expect(await until(() => !existsSync(run) && records.every((path) => !existsSync(path)))).toBe(true)
    expect(existsSync(socket)).toBe(false)
    for (const folder of kept) expect([folder, existsSync(join(folder, 'file'))]).toEqual([folder, true])
    rmSync(outer, { recursive: true, force: true })
  },
  60_000,
)
