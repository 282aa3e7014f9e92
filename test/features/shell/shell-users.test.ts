// Two users on one machine: what the second one can do to the shell of the first. Only root can become another user.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { binary } from '../../support/client.ts'
import { openShell, type Shell } from '../../support/shell.ts'

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const NOBODY = 65534
const PAGE = 'data:text/html,<title>Secret</title><h1>Secret</h1>'

let shell: Shell
let program: string

beforeEach(() => {
  shell = openShell()
  program = join(shell.folder, 'footlight')
  copyFileSync(binary, program)
  // The outer folders protect too; here only what Footlight itself makes does.
  for (let folder = shell.folder; folder !== dirname(folder); folder = dirname(folder))
    if ((statSync(folder).mode & 0o005) !== 0o005) chmodSync(folder, 0o755)
})
afterEach(() => shell.close())

/** Runs a program as the other user. */
function runAsOther(env: Readonly<Record<string, string>>, ...command: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    'setpriv',
    [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...command],
    { cwd: shell.folder, env: { ...shell.env, ...env }, encoding: 'utf8', timeout: 60_000 },
  )
  return { status, out: stdout, err: stderr }
}

/** A folder of the other user. */
function otherFolder(name: string): string {
  const folder = join(shell.folder, name)
  mkdirSync(folder)
  chownSync(folder, NOBODY, NOBODY)
  return folder
}

/** Every file and folder below, by path. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))

const stateFolder = () => join(shell.folder, 'home/.local/state')

test.skipIf(!isRoot).each([
  ['of the runtime', () => ({ XDG_RUNTIME_DIR: join(shell.folder, 'runtime') }), 'runtime'],
  [
    'of the state',
    () => ({ HOME: join(shell.folder, 'home'), XDG_RUNTIME_DIR: '', XDG_STATE_HOME: '' }),
    'home/.local/state',
  ],
])('with the folder %s another user can neither connect nor read a file', async (_, envOf, place) => {
  const env = envOf()
  expect(await shell.runWith({ env }, 'open', PAGE)).toMatchObject({ code: 0 })
  expect(await shell.runWith({ env }, 'shot')).toMatchObject({ code: 0 })
  const folder = join(shell.folder, place)
  for (let outer = folder; outer !== shell.folder; outer = dirname(outer)) chmodSync(outer, 0o755)

  const paths = [...filesBelow(join(folder, 'footlight')), ...filesBelow(join(shell.folder, '.footlight'))]
  const socket = paths.find((path) => path.endsWith('.sock')) ?? ''
  expect(paths.some((path) => path.endsWith('.log'))).toBe(true)
  expect(paths.some((path) => path.endsWith('.png'))).toBe(true)
  for (const path of paths) {
    expect([path, statSync(path).mode & 0o077]).toEqual([path, 0])
    expect(runAsOther({}, 'cat', path).err).toContain('Permission denied')
  }
  const connect = `require("node:net").connect(${JSON.stringify(socket)}).on("connect", () => console.log("open")).on("error", (error) => console.log(error.code))`
  expect(runAsOther({ BUN_BE_BUN: '1' }, program, '-e', connect).out).toBe('EACCES\n')
  expect(runAsOther(env, program, 'eval', 'document.title')).toMatchObject({ status: 4, out: '' })
  const own = { XDG_RUNTIME_DIR: otherFolder('other') }
  expect(runAsOther(own, program, 'eval', 'document.title').status).toBe(3)

  expect((await shell.runWith({ env }, 'eval', 'document.title', '--raw')).out).toBe('Secret\n')
  await shell.runWith({ env }, 'daemon', 'stop')
})

test.skipIf(!isRoot)('another user cannot make the folder first', async () => {
  mkdirSync(stateFolder(), { recursive: true })
  expect(runAsOther({}, 'mkdir', join(stateFolder(), 'footlight')).err).toContain('Permission denied')

  const theirs = otherFolder('theirs')
  for (const isMade of [false, true]) {
    if (isMade) expect(runAsOther({}, 'mkdir', join(theirs, 'footlight')).status).toBe(0)
    const result = await shell.runWith({ env: { XDG_RUNTIME_DIR: theirs } }, 'open', PAGE)
    expect(result).toMatchObject({ code: 4, out: '' })
    expect(result.err).toContain(`belongs to user ${NOBODY}`)
    expect(existsSync(join(theirs, 'footlight'))).toBe(isMade)
  }
})

test.skipIf(!isRoot)('another user gets nothing from the view, also with its path', async () => {
  expect(await shell.run('open', PAGE)).toMatchObject({ code: 0 })
  const { origin, pathname, hash } = new URL((await shell.run('view')).out.trim())
  // What the other user finds on the machine: the port, and the arguments of all processes.
  const processes = runAsOther({}, 'sh', '-c', 'cat /proc/[0-9]*/cmdline 2>/dev/null').out
  expect(processes).toContain('footlight')
  for (const secret of [pathname, hash]) expect(processes).not.toContain(secret.slice(1))
  const request = `const [origin, path] = process.argv.slice(-2)
    const post = (target, body) => fetch(origin + target, { method: 'POST', headers: { origin, 'content-type': 'application/json' }, body: JSON.stringify(body) })
    const list = { server: '', method: 'list', params: { viewer: 'viewer-1' } }
    const answers = [await fetch(origin + '/'), await post('/guess/api', list), await post(path + '/api', list), await post(path + '/enter', { token: 'guess' })]
    console.log(JSON.stringify(await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()]))))`
  const { out, err } = runAsOther({ BUN_BE_BUN: '1' }, program, '-e', request, origin, pathname)
  expect([out.trim(), err]).toEqual([
    JSON.stringify([
      [404, ''],
      [404, ''],
      [401, ''],
      [403, ''],
    ]),
    '',
  ])
  await shell.run('daemon', 'stop')
})
