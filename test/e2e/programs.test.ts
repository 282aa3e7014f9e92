// Where --server-command names the programs, nothing else in create_session turns one of them into another.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { connect, type Peer } from '../support/client.ts'

const node = realpathSync(Bun.which('node') ?? '')
const server = `require('http').createServer((q, r) => {
  r.setHeader('content-type', 'application/json')
  r.end(JSON.stringify({ name: process.argv0, program: process.execPath, cwd: process.cwd(), env: process.env }))
}).listen(process.env.PORT, '127.0.0.1')`

let root: string
let work: string
let peer: Peer | undefined
beforeAll(() => void (root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-programs-')))))
beforeEach(() => {
  work = mkdtempSync(join(root, 'work-'))
  mkdirSync(join(work, 'sub'))
})
afterEach(async () => {
  await peer?.close()
  peer = undefined
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const serve = async (commands: string | undefined, more: string[] = [], env: Record<string, string> = {}) => {
  const only = commands === undefined ? [] : ['--server-command', commands]
  peer = await connect({ args: ['--headless', '--max-sessions', '50', ...only, ...more], cwd: work, env })
  return peer
}
const seen = async (url: string) => (await fetch(url)).json() as Promise<Record<string, any>>

describe('the environment', () => {
  const turning = () => ({
    NODE_OPTIONS: `--require ${join(work, 'evil.cjs')}`,
    LD_PRELOAD: join(work, 'evil.so'),
    LD_LIBRARY_PATH: work,
    PATH: work,
    BASH_ENV: join(work, 'evil.sh'),
    ENV: join(work, 'evil.sh'),
    PYTHONPATH: work,
    PERL5OPT: '-Mevil',
    npm_config_script_shell: join(work, 'evil.sh'),
    port: '1',
    'PORT ': '1',
    '': 'x',
  })
  const evil = () => {
    const mark = join(work, 'ran')
    writeFileSync(
      join(work, 'evil.cjs'),
      `if (process.env.PORT) require('fs').writeFileSync(${JSON.stringify(mark)}, '')`,
    )
    return mark
  }

  test('only the listed variables are set; another is refused by its name, and nothing is run', async () => {
    const mark = evil()
    const { call } = await serve(node)
    for (const [name, value] of Object.entries(turning())) {
      const { data } = await call('create_session', { command: [node, '-e', server], env: { [name]: value } })
      expect([name, data.errorCode]).toEqual([name, 'ACCESS_DENIED'])
      expect(data.message).toContain(`env ${name} is not allowed`)
      expect(data.message).toContain('--server-env')
      expect(data.message).toContain('Allowed: PORT, HOST, NODE_ENV.')
    }
    expect(existsSync(mark)).toBe(false)
    const env = { HOST: '127.0.0.1', NODE_ENV: 'test' }
    const { data } = await call('create_session', { command: [node, '-e', server], env })
    expect((await seen(data.url))['env']).toMatchObject(env)
  })
  test('--server-env names others, or none', async () => {
    const { call } = await serve(node, ['--server-env', 'API_URL'])
    const start = (env: Record<string, string>) =>
      call('create_session', { command: [node, '-e', server], env })
    expect((await seen((await start({ API_URL: 'x' })).data.url))['env']).toMatchObject({ API_URL: 'x' })
    expect((await start({ HOST: '127.0.0.1' })).data.errorCode).toBe('ACCESS_DENIED')
    await peer?.close()
    const none = await serve(node, ['--server-env='])
    const refused = await none.call('create_session', { command: [node, '-e', server], env: { PORT: '1' } })
    expect(refused.data.message).toContain('Allowed: none.')
  })
  test('a command for the shell and one of the contract are judged alike', async () => {
    const contract = resolve(import.meta.dir, '../fixtures/contract.mjs')
    const { call } = await serve(`${contract}:exec node server.cjs`)
    const env = { NODE_OPTIONS: '--require ./evil.cjs' }
    for (const input of [{ command: 'exec node server.cjs' }, { commandPath: contract }])
      expect((await call('create_session', { ...input, env })).data.errorCode).toBe('ACCESS_DENIED')
  })
  test('without --server-command every variable may be set', async () => {
    const mark = evil()
    const { call } = await serve(undefined)
    const env = { NODE_OPTIONS: turning().NODE_OPTIONS, ANY: 'x' }
    const { data } = await call('create_session', { command: [node, '-e', server], env })
    expect((await seen(data.url))['env']).toMatchObject({ ANY: 'x' })
    expect(existsSync(mark)).toBe(true)
  })
})

describe('the folder', () => {
  const command = [node, '-e', server]
  test('lies in the workspace, by its real path, and not in the output directory', async () => {
    const outside = join(root, 'outside')
    mkdirSync(outside)
    mkdirSync(join(work, '.footlight/12345678'), { recursive: true })
    symlinkSync(outside, join(work, 'away'))
    symlinkSync(join(work, '.footlight'), join(work, 'results'))
    symlinkSync(join(work, 'sub'), join(work, 'near'))
    const { call } = await serve(node)
    for (const cwd of [
      outside,
      '..',
      '/',
      '/tmp',
      'away',
      'sub/../away',
      `${work}-twin`,
      '.footlight',
      '.footlight/12345678',
      'results',
      'results/12345678',
    ]) {
      const { data } = await call('create_session', { command, cwd })
      expect([cwd, data.errorCode]).toEqual([cwd, 'ACCESS_DENIED'])
      expect(data.message).toContain(`cwd ${cwd} is not allowed`)
    }
    for (const cwd of ['.', 'sub', 'near', join(work, 'sub')]) {
      const { data } = await call('create_session', { command, cwd })
      expect([cwd, (await seen(data.url))['cwd']]).toEqual([cwd, realpathSync(resolve(work, cwd))])
    }
  }, 120_000)
  test('is the folder of the program where there is no workspace', async () => {
    const program = join(work, 'sub', 'serve')
    writeFileSync(program, `#!${node}\n${server}`, { mode: 0o755 })
    // The home folder is no workspace, whatever link leads to it.
    symlinkSync(work, join(root, 'home'))
    const { call } = await serve(program, [], { HOME: join(root, 'home') })
    for (const cwd of ['.', work, '/tmp'])
      expect((await call('create_session', { command: [program], cwd })).data.errorCode).toBe('ACCESS_DENIED')
    const { data } = await call('create_session', { command: [program], cwd: join(work, 'sub') })
    expect((await seen(data.url))['cwd']).toBe(dirname(program))
  })
})

describe('the program', () => {
  test('is spawned by its real path, under the name that is listed', async () => {
    const listed = join(work, 'serve')
    symlinkSync(node, listed)
    symlinkSync(node, join(work, 'other'))
    const { call } = await serve(listed)
    for (const program of ['./serve', listed, './other', node]) {
      const { data } = await call('create_session', { command: [program, '-e', server] })
      expect(await seen(data.url)).toMatchObject({ name: listed, program: node })
    }
  })

  // What an attacker with a foothold in the workspace changes between two starts.
  const script = (path: string, text: string) => writeFileSync(path, `#!${node}\n${text}`, { mode: 0o755 })
  const answering = (word: string) =>
    `require('http').createServer((q, r) => r.end('${word}')).listen(process.env.PORT, '127.0.0.1')`
  const relink = (path: string, target: string) => {
    rmSync(path)
    symlinkSync(target, path)
  }

  test('that was judged is what restarts, not what its name leads to by then', async () => {
    const [real, evil, link] = [join(work, 'real.cjs'), join(work, 'evil.cjs'), join(work, 'link')]
    script(real, answering('real'))
    script(evil, answering('evil'))
    symlinkSync(real, link)
    const { call } = await serve(real)
    const { sessionId, url } = (await call('create_session', { command: ['./link'] })).data
    const word = async () => (await fetch(url)).text()
    expect(await word()).toBe('real')
    relink(link, evil)
    expect((await call('restart_server', { sessionId })).failed).toBe(false)
    expect(await word()).toBe('real')
    relink(real, evil)
    const { data } = await call('restart_server', { sessionId })
    expect(data).toMatchObject({ errorCode: 'SERVER_START_FAILED', details: { reason: 'permission_denied' } })
    expect(data.message).toContain('resolves to another file than when it was allowed')
  })

  test('of the contract is the same for --restart, --status and --shutdown', async () => {
    const [real, evil, link] = [join(work, 'contract.mjs'), join(work, 'evil.cjs'), join(work, 'link')]
    const mark = join(work, 'ran')
    copyFileSync(resolve(import.meta.dir, '../fixtures/contract.mjs'), real)
    script(evil, `require('fs').writeFileSync(${JSON.stringify(mark)}, '')`)
    symlinkSync(real, link)
    const { call } = await serve(real, [], { STATE: work })
    const start = async () => (await call('create_session', { commandPath: './link' })).data.sessionId
    const sessionId = await start()
    relink(link, evil)
    expect((await call('get_session_status', { sessionId })).data.status).toBe('running')
    expect((await call('close_session', { sessionId })).failed).toBe(false)
    expect(readFileSync(join(work, 'shutdown'), 'utf8')).toBe('asked')
    relink(link, real)
    rmSync(join(work, 'port'))
    const second = await start()
    relink(real, evil)
    expect((await call('get_session_status', { sessionId: second })).data).toMatchObject({
      status: 'unhealthy',
      message: expect.stringContaining('resolves to another file'),
    })
    expect((await call('restart_server', { sessionId: second })).data.errorCode).toBe('SERVER_START_FAILED')
    expect((await call('close_session', { sessionId: second })).data.message).toContain(
      'resolves to another file',
    )
    expect(existsSync(mark)).toBe(false)
  })
})
