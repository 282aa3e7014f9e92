// The ordinary ways in which a command is called. Each opens a session in one process and goes on with it in another.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { binary } from '../../support/client.ts'
import { until } from '../../support/leftovers.ts'
import { openShell, type Shell } from '../../support/shell.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

let site: Site
let shell: Shell
beforeAll(async () => {
  site = await serveSite({ '/': page('<button>Save</button>', 'Shop') })
})
afterAll(() => site.close())
beforeEach(() => {
  shell = openShell()
})
afterEach(() => shell.close())

const file = (name: string, text: string): string => {
  const path = join(shell.folder, name)
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return path
}
const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ')
const listed = (words: readonly string[]): string => JSON.stringify([binary, ...words])

/** What a program prints. The site is served by this process, which must not wait for it. */
function runProgram([command, ...words]: readonly [string, ...string[]]): Promise<string> {
  const child = spawn(command, words, {
    cwd: shell.folder,
    env: shell.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(text))
  })
}

/** The command that calls footlight with these words. */
type Way = (words: readonly string[]) => readonly [string, ...string[]]

const ways: Readonly<Record<string, Way>> = {
  'a script of bash with a shebang': (words) => [
    file('run.sh', `#!/bin/bash\n${quoted([binary, ...words])}\nexit $?\n`),
  ],
  'sh -c': (words) => ['sh', '-c', `${quoted([binary, ...words])}; exit $?`],
  'python -c': (words) => ['python3', '-c', `import subprocess; subprocess.run(${listed(words)})`],
  'a script of Node': (words) => [
    file(
      'run.mjs',
      `#!/usr/bin/env node\nimport { spawnSync } from 'node:child_process'\nspawnSync(${JSON.stringify(binary)}, ${JSON.stringify(words)}, { stdio: 'inherit' })\n`,
    ),
  ],
  perl: (words) => ['perl', '-e', `system(${[binary, ...words].map((word) => `'${word}'`).join(', ')})`],
  make: (words) => ['make', '-s', '-f', file('Makefile', `all:\n\t${quoted([binary, ...words])}\n`)],
  'npm run': (words) => {
    file('package.json', JSON.stringify({ scripts: { go: quoted([binary, ...words]) } }))
    return ['npm', 'run', '--silent', 'go']
  },
  npx: (words) => ['npx', '--yes', '-c', quoted([binary, ...words])],
  xargs: (words) => ['sh', '-c', `printf '%s\\n' ${quoted(words)} | xargs -d '\\n' ${quoted([binary])}`],
  'a process of a session of its own': (words) => [
    'sh',
    '-c',
    `setsid --wait nohup ${quoted([binary, ...words])}`,
  ],
  'a job without variables, as of cron': (words) => [
    'env',
    '-i',
    `HOME=${shell.env['HOME']}`,
    `PATH=${process.env['PATH']}`,
    ...Object.entries(shell.env).flatMap(([name, value]) =>
      /^(XDG_|TMPDIR|FOOTLIGHT_)/.test(name) && name !== 'FOOTLIGHT_AGENT' ? [`${name}=${value}`] : [],
    ),
    binary,
    ...words,
  ],
}

test.each(Object.keys(ways))(
  '%s: the next command has the session of the one before',
  async (name) => {
    const run = (...words: string[]) => runProgram(ways[name]?.(words) ?? ['false'])
    expect(await run('open', site.url)).toContain('Session default is open')
    expect(await run('snap')).toContain('button "Save"')
  },
  180_000,
)

test('two agents at once have a session each', async () => {
  const as = (name: string, ...words: string[]) => shell.runWith({ env: { FOOTLIGHT_AGENT: name } }, ...words)
  const opened = await Promise.all(['a', 'b'].map((name) => as(name, 'open', `${site.url}/?${name}`)))
  expect(opened.map(({ code }) => code)).toEqual([0, 0])
  const places = await Promise.all(['a', 'b'].map((name) => as(name, 'eval', 'location.search', '--raw')))
  expect(places.map(({ out }) => out.trim())).toEqual(['?a', '?b'])
}, 180_000)

test('a tab that cannot be opened leaves none behind, and a dialog is answered with a verb', async () => {
  await shell.run('open', site.url)
  expect((await shell.run('tabs', 'new', 'http://')).code).toBe(1)
  const { out } = await shell.run('tabs', '--json')
  expect(JSON.parse(out).tabs).toMatchObject([{ id: 't1', active: true }])
  const dialog = await shell.run('eval', "setTimeout(() => confirm('Sure?'), 0)")
  expect(dialog.code).toBe(0)
  await until(async () => (await shell.run('click', 'button')).out.includes('Run footlight dialog to accept'))
}, 180_000)

test('what ended the session is said: the command, its client, or a signal', async () => {
  await shell.run('open', site.url)
  await shell.run('close')
  const closed = await shell.run('snap')
  expect([closed.code, closed.out]).toEqual([
    3,
    expect.stringMatching(/SESSION_NOT_FOUND.*\nThe last one ended \d+ s ago: footlight close closed it\./),
  ])
  await shell.run('open', site.url)
  await shell.run('daemon', 'stop')
  await until(() => shell.sockets().length === 0)
  expect((await shell.run('snap')).out).toContain('footlight daemon stop')
  await shell.run('open', site.url)
  const [{ pid }] = JSON.parse((await shell.run('daemon', '--json')).out)
  process.kill(pid, 'SIGKILL')
  await until(() => shell.sockets().length === 0)
  expect((await shell.run('snap')).out).toContain('its server was killed, or failed')
  // A client of the list of setup, which ends.
  const claude = join(shell.folder, 'claude')
  symlinkSync('/bin/sh', claude)
  const script = `${quoted([binary, 'open', site.url])}; ${quoted([binary, 'snap'])}; true`
  const both = await runProgram([claude, '-c', script])
  expect(both).toContain('button "Save"')
  await until(() => shell.sockets().length === 0)
}, 300_000)
