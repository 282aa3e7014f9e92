// Doctor on this machine and in bad surroundings, as a real process.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { binary } from '../../support/client.ts'
import { leaveFolder, trace, until } from '../../support/leftovers.ts'

let root: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-doctor-')))
  mkdirSync(join(root, 'tmp'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Row = { check: string; state: string; found: string; next?: string }

// In a mount namespace of its own a process sees no browser of the system.
const canHide =
  spawnSync('unshare', ['-rmp', '--fork', '--mount-proc', 'sh', '-c', 'mount -t tmpfs none /usr/bin'])
    .status === 0
const hide =
  'for folder in /usr/lib/firefox /opt /usr/local/bin /usr/bin; do [ -d $folder ] && mount -t tmpfs none $folder; done; exec "$@"'

function doctor(args: string[], env: Record<string, string> = {}, hidden = false) {
  const command = hidden ? ['unshare', '-rm', 'sh', '-c', hide, 'sh', binary] : [binary]
  const [program = '', ...before] = command
  const ran = spawnSync(program, [...before, 'doctor', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: root, TMPDIR: join(root, 'tmp'), ...env },
    encoding: 'utf8',
    timeout: 60_000,
  })
  const json = args.includes('--json') && ran.stdout !== '' ? JSON.parse(ran.stdout) : undefined
  const row = (check: string) => (json?.checks as Row[]).find((one) => one.check === check)
  return { ...ran, json, row }
}

test('what works is started; clients, variables and folders are listed; nothing stays', () => {
  mkdirSync(join(root, '.cursor'), { recursive: true })
  writeFileSync(join(root, '.cursor/mcp.json'), '{"mcpServers":{"footlight":{"command":"footlight"}}}')
  const { status, stderr, json, row } = doctor(['--json'], {
    FOOTLIGHT_LOG_LEVEL: 'warn',
    FOOTLIGHT_TOKEN: 's3cret',
  })
  expect([status, stderr, json.ok]).toEqual([0, '', true])
  expect(row('chromium (used)')).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/^\d+\.[\d.]+, a page in \d+ ms: \//),
  })
  // Another browser is not started.
  for (const { check, found } of json.checks as Row[])
    if (check === 'firefox') expect(found).not.toContain('a page in')
  expect(row('settings')?.found).toContain('FOOTLIGHT_LOG_LEVEL, FOOTLIGHT_TOKEN')
  expect(JSON.stringify(json)).not.toContain('s3cret')
  expect(row('clients')?.found).toBe(`Cursor (${join(root, '.cursor/mcp.json')})`)
  expect(row('loopback')?.state).toBe('ok')
  expect(row('output folder')).toMatchObject({
    state: 'ok',
    found: `${join(root, '.footlight')} is writable`,
  })
  expect(existsSync(join(root, '.footlight'))).toBe(false)
  expect(readdirSync(join(root, 'tmp'))).toEqual([])
}, 300_000)

test('it fails where the browser that would be used cannot be started, and says why', () => {
  const { status, json, row } = doctor(['--json', '--executable-path', '/nope'])
  expect([status, json.ok]).toEqual([1, false])
  expect(row('chromium (used)')).toEqual({
    check: 'chromium (used)',
    state: 'fail',
    found: '/nope (--executable-path) does not exist',
    next: 'correct the path, or omit the option',
  })
})

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('rows are shown while a browser starts; %s ends it then, with %p', async (signal, code) => {
  const slow = join(root, 'slow')
  writeFileSync(slow, '#!/bin/sh\nexec sleep 300\n', { mode: 0o755 })
  const left = trace()
  const child = spawn(binary, ['doctor', '--executable-path', slow], {
    env: { PATH: process.env['PATH'] ?? '', HOME: root, ...left.env },
  })
  const ended = once(child, 'exit')
  let output = ''
  // The end of the reading would end it too.
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  expect(await until(() => output.includes('clients'))).toBe(true)
  child.kill(signal)
  expect(await ended).toEqual([code, null])
  expect(output).not.toContain('(used)')
  await left.expectNothing()
})

describe.skipIf(!canHide)('with no browser on the machine', () => {
  test('it says so, with the next command, and exits with 1', () => {
    const { status, row } = doctor(['--json'], {}, true)
    expect(status).toBe(1)
    expect(row('chromium (used)')).toMatchObject({
      state: 'fail',
      found: expect.stringMatching(/^not found; looked in \d+ places$/),
      next: expect.stringContaining('footlight browsers unpack'),
    })
    expect(row('firefox')?.state).toBe('skip')
    expect(row('sandbox')?.state).toBe('skip')
  })

  test('a broken one is reported with its message, for people too', () => {
    const broken = join(root, 'broken')
    const shell = join(root, 'sh')
    copyFileSync('/bin/sh', shell)
    writeFileSync(
      broken,
      `#!${shell}\necho "x: error while loading shared libraries: libnss3.so: gone" >&2\nexit 127\n`,
      { mode: 0o755 },
    )
    const { status, stdout } = doctor([], { FOOTLIGHT_EXECUTABLE_PATH: broken }, true)
    expect(status).toBe(1)
    expect(stdout).toContain('✗ fail  chromium (used)')
    expect(stdout).toContain('missing library libnss3.so: ')
    expect(stdout).toEndWith('Footlight is not ready: chromium (used) failed.\n')
    expect(readdirSync(join(root, 'tmp'))).toEqual([])
  })

  test('a setting that makes no sense is a row, not the end', () => {
    const { status, row } = doctor(['--json'], { FOOTLIGHT_BROWSER: 'opera' }, true)
    expect(status).toBe(1)
    expect(row('settings')).toMatchObject({
      state: 'fail',
      found: expect.stringContaining('FOOTLIGHT_BROWSER: expected one of'),
    })
  })

  // In a namespace of processes too, so that --fix can end nothing but what this test started.
  // Both processes must be `sleep` before /usr/bin is hidden: a shell would not find it any more.
  test('what a killed run left is found, and removed only by --fix', () => {
    const gone = join(root, 'tmp/footlight-99999-AbCd12')
    const living = join(root, 'tmp/footlight-1-AbCd12')
    mkdirSync(living)
    leaveFolder(gone)
    const script = `
      FOOTLIGHT_RUN=gone sleep 300 & a=$!
      FOOTLIGHT_RUN=gone sh -c "trap '' TERM; exec sleep 300" & b=$!
      for pid in $a $b; do until grep -qx sleep /proc/$pid/comm; do :; done; done
      ${hide.replace('exec "$@"', '')}
      "$1" doctor --json; [ -e "$2" ] && kill -0 $a && echo still
      "$1" doctor --json --fix
      "$1" doctor --json
      wait $a; echo $?; wait $b; echo $?`
    const args = ['-rmp', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', script, 'sh', binary, gone]
    const env = { PATH: process.env['PATH'] ?? '', HOME: root, TMPDIR: join(root, 'tmp') }
    const ran = spawnSync('unshare', args, { env, encoding: 'utf8', timeout: 120_000 })
    const [seen = '', still, fixed = '', after = '', ...codes] = ran.stdout.trim().split('\n')
    const row = (text: string) =>
      (JSON.parse(text).checks as Row[]).find(({ check }) => check === 'leftovers')
    expect(row(seen)).toMatchObject({ state: 'warn', next: 'footlight doctor --fix' })
    expect(row(seen)?.found).toContain(`1 folder (${gone})`)
    expect(row(seen)?.found).toContain('sleep 300')
    expect(still).toBe('still')
    expect(row(fixed)).toMatchObject({ state: 'ok', found: expect.stringContaining('removed: 1 folder') })
    expect(row(after)).toEqual({ check: 'leftovers', state: 'ok', found: 'none from earlier runs' })
    // One ended by TERM, the other only by KILL.
    expect(codes).toEqual(['143', '137'])
    expect([existsSync(gone), existsSync(living)]).toEqual([false, true])
  })
})

test.each([
  [['--jsn'], 'Did you mean --json?'],
  [['now'], 'unexpected argument "now"'],
])('%p exits with 2 and says what to do', (args, words) => {
  expect(doctor(args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(words) })
})
