// The files of a program, as its process is found running.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { findProgramFiles } from '../../../../src/core/devserver/process/program-files.ts'

const ENTRY = "require('../app')\nconsole.log('ready')\nsetInterval(() => {}, 1000)\n"
const FILES = {
  'package.json':
    '{ "main": "./start/main.js", "imports": { "#db": { "default": "./data/db.js" }, "#lib/*": "./lib/*.js" } }',
  'bin/www': ENTRY,
  'bin/start.js': ENTRY,
  'start/main.js': ENTRY,
  'server/index.js': ENTRY,
  'app.js': "require('#db')\nrequire('#lib/money')\nrequire('./linked')\n",
  'data/db.js': '',
  'lib/money.js': '',
  'shared/real.js': '',
}
const READ = ['app.js', 'data/db.js', 'lib/money.js', 'shared/real.js']

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-program-')))
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  symlinkSync('shared/real.js', join(folder, 'linked.js'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.skipIf(process.platform !== 'linux').each([
  [['./bin/www'], 'bin/www'],
  [['bin/start'], 'bin/start.js'],
  [['bin/start.js'], 'bin/start.js'],
  [['.'], 'start/main.js'],
  [['--no-warnings', 'server'], 'server/index.js'],
])('node %j', async (args, entry) => {
  const program = spawn('node', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await new Promise<void>((resolve) => program.stdout.once('data', () => resolve()))
    const files = findProgramFiles(program.pid ?? 0, { folder, root: folder })
    expect([...(files ?? [])].toSorted()).toEqual([...READ, entry].toSorted())
  } finally {
    const ended = new Promise((resolve) => program.once('exit', resolve))
    program.kill('SIGKILL')
    await ended
  }
})
