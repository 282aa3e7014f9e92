// HTML files are written so that a dev server that watches their folder does not take them for sources.

import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createFiles } from '../../../../src/core/base/files/session-files.ts'

test.skipIf(process.platform !== 'linux')(
  'an HTML file in a watched project has an ending that dev servers do not reload for, elsewhere its own',
  async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-html-')))
    const write = async (session: string, name: string) => {
      const file = await createFiles(join(root, '.footlight')).folder(session).write(name, 'x')
      return file.ok ? basename(file.value.path) : file.error
    }
    expect(await write('11111111', 'report.html')).toBe('report.html')
    const script = `require('fs').watch(process.argv[1], () => {}); console.log('watching')`
    const watcher = spawn('node', ['-e', script, root], { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise((resolve) => watcher.stdout.once('data', resolve))
    expect(await write('22222222', 'report.html')).toBe('report.htm')
    expect(await write('22222222', 'report.md')).toBe('report.md')
    const ended = new Promise((resolve) => watcher.once('exit', resolve))
    watcher.kill('SIGKILL')
    await ended
    expect(await write('33333333', 'report.html')).toBe('report.html')
    rmSync(root, { recursive: true })
  },
)
