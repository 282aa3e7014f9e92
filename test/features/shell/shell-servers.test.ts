// The servers that answer the shell: who gets which one, and how long they live.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { formatCommand } from '../../../src/features/lib/socket/shell-message.ts'
import { binary, callOrThrow, connect } from '../../support/client.ts'
import { until } from '../../support/leftovers.ts'
import { openShell, type Shell } from '../../support/shell.ts'

const PAGE =
  'data:text/html,<title>Shop</title><button onclick="this.textContent=Number(this.textContent)%2B1">0</button>'
const COUNT = 'document.querySelector("button").textContent'

let shell: Shell

beforeEach(() => {
  shell = openShell()
})
afterEach(() => shell.close())

const count = async (...words: string[]): Promise<string> =>
  (await shell.run(...words, 'eval', COUNT, '--raw')).out.trim()

/** The facts of the running servers. */
const servers = async (): Promise<any[]> => JSON.parse((await shell.run('daemon', '--json')).out)

const isGone = (pid: number) => () => !existsSync(`/proc/${pid}`)

/** What a server answers to these bytes; empty if it only closes the connection. */
function send(path: string, text: string): Promise<string> {
  const socket = connectSocket(path, () => socket.write(text))
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      resolve(String(chunk))
      socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(''))
  })
}

/** A process that owns sessions. */
function startOwner() {
  const child = spawn('sleep', ['1000'], { env: shell.env, stdio: 'ignore' })
  return { pid: String(child.pid), end: () => child.kill('SIGKILL') }
}

test('the page stays open between commands', async () => {
  expect(await shell.run('open', PAGE)).toMatchObject({ code: 0 })
  await shell.run('click', 'button')
  await shell.run('click', 'button')
  expect(await count()).toBe('2')
  expect(await shell.run('close')).toMatchObject({ code: 0 })
  expect(await shell.run('click', 'button')).toMatchObject({ code: 3 })
})

test('a picture and a PDF are where the caller wants them', async () => {
  await shell.run('open', PAGE)
  for (const [verb, name, start] of [
    ['shot', 'out/page.png', '\u0089PNG'],
    ['shot', 'page.jpg', '\u00ff\u00d8'],
    ['pdf', 'page.pdf', '%PDF'],
  ] as const) {
    const path = join(shell.folder, name)
    expect(await shell.run(verb, name, '--raw')).toMatchObject({ code: 0, out: `${path}\n` })
    expect(readFileSync(path, 'latin1').startsWith(start)).toBe(true)
  }
  expect(await shell.run('shot', 'page.jpg')).toMatchObject({
    code: 1,
    out: expect.stringContaining('page.jpg'),
  })
})

test('status tells no time at which a session without a time-out would end', async () => {
  await shell.run('open', PAGE)
  expect((await shell.run('status')).out).not.toContain('expires')
  await shell.run('-s', 'short', 'open', PAGE, '--session-timeout', '60000')
  expect((await shell.run('-s', 'short', 'status')).out).toContain('expires: ')
})

test('commands that begin at once get one server', async () => {
  const results = await Promise.all(['a', 'b', 'c', 'd'].map((name) => shell.run('-s', name, 'open', PAGE)))
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(await until(async () => (await servers()).length === 1)).toBe(true)
  expect((await servers())[0]).toMatchObject({ sessions: 4, tree: shell.folder })
})

test('another agent in the same work tree has pages of its own, and shares one by its name', async () => {
  const other = { env: { FOOTLIGHT_AGENT: 'other' } }
  await shell.run('open', PAGE)
  await shell.run('click', 'button')
  expect(await shell.runWith(other, 'snap')).toMatchObject({
    code: 3,
    out: expect.stringContaining('Another agent of this folder has sessions: footlight daemon lists'),
  })
  await shell.runWith(other, 'open', PAGE)
  expect((await shell.runWith(other, 'eval', COUNT, '--raw')).out.trim()).toBe('0')
  await shell.run('-s', 'shared', 'open', PAGE)
  await shell.runWith(other, '-s', 'shared', 'click', 'button')
  expect(await count('-s', 'shared')).toBe('1')
  // Opening it again navigates the one that is open.
  await shell.runWith(other, '-s', 'shared', 'open', PAGE)
  expect(await count('-s', 'shared')).toBe('0')
  expect((await servers()).length).toBe(2)
})

test('another folder is another place, and a folder of the same work tree is not', async () => {
  const [inner, outer] = [join(shell.folder, 'packages/app'), join(shell.trace.folder, 'tree/../tree-2')]
  mkdirSync(inner, { recursive: true })
  mkdirSync(join(outer, '.git'), { recursive: true })
  await shell.run('open', PAGE)
  expect((await shell.runWith({ cwd: inner }, 'snap')).code).toBe(0)
  expect((await shell.runWith({ cwd: outer }, 'snap')).code).toBe(3)
  rmSync(outer, { recursive: true })
})

test('what an agent opens over MCP the shell can use, and the other way round', async () => {
  const peer = await connect({
    cwd: shell.folder,
    env: { XDG_RUNTIME_DIR: shell.env['XDG_RUNTIME_DIR'] ?? '' },
  })
  await callOrThrow(peer, 'create_session', { name: 'mine' })
  await callOrThrow(peer, 'navigate', { url: PAGE })
  await until(() => shell.sockets().length === 1)
  expect((await shell.run('-s', 'mine', 'click', 'button')).code).toBe(0)
  expect((await callOrThrow(peer, 'evaluate', { script: COUNT })).result).toBe('1')
  expect((await shell.run('open', PAGE)).code).toBe(0)
  expect((await callOrThrow(peer, 'evaluate', { sessionId: 'default', script: COUNT })).result).toBe('0')
  expect(shell.sockets().length).toBe(1)
  expect((await shell.run('daemon', 'stop')).out).toContain('of a client, which ends it, not stopped')
  expect((await callOrThrow(peer, 'list_sessions')).sessions.length).toBe(2)
  await peer.close()
  expect(shell.sockets()).toEqual([])
})

test("with --no-socket a server over stdio is its client's alone", async () => {
  const env = { XDG_RUNTIME_DIR: shell.env['XDG_RUNTIME_DIR'] ?? '' }
  const peer = await connect({ args: ['--headless', '--no-socket'], cwd: shell.folder, env })
  await callOrThrow(peer, 'create_session', { name: 'mine' })
  expect((await shell.run('-s', 'mine', 'snap')).code).toBe(3)
  await peer.close()
})

test('a server ends with the process that owns it', async () => {
  const owner = startOwner()
  await shell.run('--owner-pid', owner.pid, 'open', PAGE)
  const [{ pid, owner: found }] = await servers()
  expect(found).toBe(Number(owner.pid))
  owner.end()
  expect(await until(isGone(pid))).toBe(true)
  expect(shell.sockets()).toEqual([])
})

test('a server ends when its socket is gone, and when its work tree is', async () => {
  await shell.run('open', PAGE)
  const [first] = await servers()
  rmSync(first.path)
  expect(await until(isGone(first.pid))).toBe(true)
  await shell.run('open', PAGE)
  const [second] = await servers()
  renameSync(shell.folder, `${shell.folder}-away`)
  expect(await until(isGone(second.pid))).toBe(true)
  renameSync(`${shell.folder}-away`, shell.folder)
})

test('a server that is killed leaves no browser and no socket', async () => {
  await shell.run('open', PAGE)
  const [{ pid }] = await servers()
  process.kill(pid, 'SIGKILL')
  expect(await until(() => shell.trace.processes().length === 0)).toBe(true)
  expect(await until(() => shell.sockets().length === 0)).toBe(true)
  expect((await shell.run('open', PAGE)).code).toBe(0)
})

test('a server that is killed before it has a browser leaves no folder', async () => {
  const start = { tree: shell.folder, agent: 'name a', path: join(shell.trace.folder, 'tree/a.sock') }
  const server = spawn(binary, ['serve-shell', JSON.stringify(start)], { env: shell.env, stdio: 'ignore' })
  await until(() => existsSync(start.path), 30_000, 1)
  server.kill('SIGKILL')
  const folders = () => readdirSync(shell.trace.folder).filter((name) => name.startsWith('footlight-'))
  expect(await until(() => folders().length === 0, 10_000)).toBe(true)
})

test('a web page that sends to the socket reaches nothing', async () => {
  await shell.run('open', PAGE)
  const [{ path }] = await servers()
  expect(await send(path, 'POST / HTTP/1.1\r\nHost: localhost\r\n\r\n{"method":"tools/call"}\n')).toBe('')
})

test('a client of another version is answered while a session is open; then the server makes place', async () => {
  await shell.run('open', PAGE)
  const [{ path, pid }] = await servers()
  const list = `footlight/1 9.9.9\n${formatCommand({ argv: ['list'], cwd: shell.folder }, '9.9.9')}`
  expect(await send(path, list)).toContain('default')
  await shell.run('close')
  expect(await send(path, list)).toContain('"hasEnded":true')
  expect(await until(isGone(pid))).toBe(true)
  expect((await shell.run('open', PAGE)).code).toBe(0)
})

test('a folder for sockets that is not safe is refused before anything starts', async () => {
  const result = await shell.runWith({ env: { XDG_RUNTIME_DIR: '/tmp' } }, 'open', PAGE)
  expect(result).toMatchObject({ code: 4, out: '' })
  expect(result.err).toContain('everybody may write to the folder around it')
})

test('tests get the variables of their caller that they name, and no others, whatever the server has', async () => {
  symlinkSync(
    resolve(import.meta.dir, '../../../node_modules'),
    join(shell.folder, 'node_modules'),
    'junction',
  )
  writeFileSync(
    join(shell.folder, 'login.spec.ts'),
    `// Needs in its environment: PASSWORD.
import { expect, test } from '@playwright/test'
test('logs in', () => {
  expect(process.env.PASSWORD).toBe('hunter2-x')
  expect(Object.keys(process.env)).not.toContain('NAMED' + '_NOWHERE')
})`,
  )
  // The server has its own environment.
  await shell.run('open', PAGE)
  const env = { PASSWORD: 'hunter2-x', NAMED_NOWHERE: '1' }
  expect(await shell.run('test', 'login.spec.ts')).toMatchObject({ code: 1 })
  expect((await shell.run('test')).out).toContain('PASSWORD is not set')
  for (const words of [['test', 'login.spec.ts:3'], ['test'], ['run-test', '--timeout', '100000']])
    expect(await shell.runWith({ env }, ...words)).toMatchObject({ code: 0, err: '' })
  const option = ['--env', 'PASSWORD=hunter2-x']
  expect(await shell.runWith({ env: { PASSWORD: 'wrong' } }, 'test', ...option)).toMatchObject({ code: 0 })
})
