// Dev servers that are any command: real ones, through the built binary.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { isPortFree } from '../../src/core/devserver/process/free-port.ts'
import { binary, closeSessions, connect, type Peer } from '../support/client.ts'
import { trace, until } from '../support/leftovers.ts'
import { reservePort } from '../support/reserve-port.ts'

const node = (body: string, before = '') => [
  process.env['FOOTLIGHT_TEST_NODE'] ?? 'node',
  '-e',
  `${before}; require('http').createServer((request, response) => { ${body} }).listen(process.env.PORT, '127.0.0.1', function () { console.log('ready on http://127.0.0.1:' + this.address().port + '/') })`,
]
const hello = node(
  `console.error('asked ' + request.url); response.setHeader('content-type', 'text/html'); response.end('<title>Node</title><button>Save order</button>')`,
)

let peer: Peer
beforeAll(async () => {
  peer = await connect()
})
afterEach(() => closeSessions(peer))
afterAll(() => peer.close())

const open = async (input: Record<string, unknown>) => (await peer.call('create_session', input)).data
const portFree = (port: number) => until(() => isPortFree(port))

describe('starting and ending', () => {
  test('a Node server: page, logs, status, restart, and its port free afterwards', async () => {
    const { sessionId, url, port, pid, logs } = await open({ command: hello })
    expect((await peer.call('navigate', { sessionId, url })).data).toMatchObject({
      title: 'Node',
      status: 200,
    })
    expect((await peer.call('get_session_status', { sessionId })).data).toMatchObject({
      status: 'running',
      healthy: true,
      url,
    })
    expect(
      (await peer.call('read_server_logs', { sessionId, logType: 'stderr', lines: 1 })).data,
    ).toMatchObject({ text: 'asked /', lineCount: 1, truncated: true })
    expect((await peer.call('read_server_logs', { sessionId, pattern: 'ready' })).data.text).toMatch(
      /^\S+Z stdout ready on /,
    )
    expect(spawnSync('stat', ['-c', '%a', logs.combined], { encoding: 'utf8' }).stdout.trim()).toBe('600')
    const again = (await peer.call('restart_server', { sessionId })).data
    expect([again.previousPid, again.previousPort, again.port]).toEqual([pid, port, port])
    expect((await peer.call('navigate', { sessionId, url: again.url })).data).toMatchObject({ status: 200 })
    await peer.call('close_session', { sessionId })
    expect(await portFree(port)).toBe(true)
  })
  test('the log files that an answer names have no secrets, with --reveal as they were written', async () => {
    const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
    const secrets = [token, 'hunter2-x', 's3ss1on', 'MIIEvQIBADANBgkq']
    const key = `-----BEGIN PRIVATE KEY-----\n${secrets[3]}\n-----END PRIVATE KEY-----`
    const printed = ['using ' + token, 'cookie: sid=' + secrets[2], 'password=' + secrets[1], key]
    const command = node(
      `console.error(${JSON.stringify(printed.join('\n'))}); response.end('<title>Node</title>')`,
      `console.log(${JSON.stringify(printed.join('\n'))})`,
    )
    const { sessionId, url, logs } = await open({ command })
    await peer.call('navigate', { sessionId, url })
    const read = (path: string) => readFileSync(path, 'utf8')
    expect(await until(() => read(logs.stderr).includes('using'))).toBe(true)
    for (const path of [logs.stdout, logs.stderr]) {
      expect(read(path)).toContain(
        'using [redacted GitHub token]\ncookie: sid=[redacted]\npassword=[redacted]\n',
      )
      for (const secret of secrets) expect(read(path)).not.toContain(secret)
    }
    expect(read(logs.combined)).toMatch(/\n\S+Z stderr using \[redacted GitHub token\]\n\S+Z stderr cookie: /)
    for (const secret of secrets) expect(read(logs.combined)).not.toContain(secret)
    await peer.call('close_session', { sessionId })
    const revealing = await connect({ args: ['--headless', '--reveal'] })
    const revealed = (await revealing.call('create_session', { command })).data
    expect(read(revealed.logs.stdout)).toContain(printed.join('\n'))
    await revealing.close()
  })
  test('python3 -m http.server with $PORT, which announces nothing useful', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fl-py-'))
    writeFileSync(join(folder, 'index.html'), '<title>Python</title>')
    const { sessionId, url, port } = await open({ command: 'python3 -u -m http.server $PORT', cwd: folder })
    expect((await peer.call('navigate', { sessionId, url })).data).toMatchObject({ title: 'Python' })
    await peer.call('close_session', { sessionId })
    expect(await portFree(port)).toBe(true)
    rmSync(folder, { recursive: true })
  })
  test('a server that ignores PORT and says nothing is found by its socket', async () => {
    const silent = ['node', '-e', `require('http').createServer((q, r) => r.end('x')).listen(0, '127.0.0.1')`]
    const { url, sessionId } = await open({ command: silent })
    expect((await peer.call('navigate', { sessionId, url })).data).toMatchObject({ status: 200 })
  })
  test('a port that the server did not take is noted, and a page that nothing serves names the address of the server', async () => {
    const asked = await reservePort()
    const other = node(`response.end('x')`).map((part) => part.replace('process.env.PORT', '0'))
    const { url, sessionId, message } = await open({ command: other, port: asked })
    expect(message).toEndWith(
      `The server is ready at ${url}. It did not take port ${asked}: its program may not read PORT; pass the port in the command, as in "npm run dev -- --port 5199"`,
    )
    const refused = await peer.call('navigate', { sessionId, url: `http://localhost:${asked}/` })
    expect(refused.data.message).toBe(
      `The connection was refused. The dev server of this session is at ${url}: navigate there, or to a path such as /.`,
    )
  })
  test('one that answers at readyUrl already is used, and left running', async () => {
    const { url, sessionId } = await open({ command: hello })
    const second = await connect()
    const { data } = await second.call('create_session', { command: 'exit 1', readyUrl: url })
    expect(data.message).toContain('left running')
    await second.close()
    expect((await peer.call('get_session_status', { sessionId })).data.status).toBe('running')
  })
  test('the same for one that takes a while, as a server that compiles the page first', async () => {
    const slow = createHttpServer((_, response) => void setTimeout(() => response.end('slow'), 2500))
    await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done))
    const { port } = slow.address() as { port: number }
    const readyUrl = `http://127.0.0.1:${port}/`
    const { data } = await peer.call('create_session', { command: 'exit 1', readyUrl })
    expect(data.message).toContain('left running')
    await peer.call('close_session', { sessionId: data.sessionId })
    slow.close()
    slow.closeAllConnections()
  })
  test("another program's server on the port is never taken for ours", async () => {
    const other = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nother'))
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    const { port } = other.address() as { port: number }
    const failed = await open({
      command: `echo "listening on http://127.0.0.1:${port}/"; sleep 60`,
      port,
      readyTimeout: 1200,
    })
    expect(failed).toMatchObject({ errorCode: 'SERVER_START_FAILED', details: { reason: 'timeout' } })
    other.close()
  })
  test('one that ignores SIGTERM, and a daemon that left its group, are gone after close', async () => {
    const stubborn = `setsid sleep 7777 & ${hello.map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ')}`
    const { sessionId, port } = await open({ command: `trap '' TERM; ${stubborn}` })
    const daemons = () => peer.trace.processes().filter(({ command }) => command === 'sleep 7777')
    expect(daemons()).toHaveLength(1)
    await peer.call('close_session', { sessionId })
    expect(daemons()).toHaveLength(0)
    expect(await portFree(port)).toBe(true)
  })
  test('a command that is not there, may not run, ends, or never listens', async () => {
    const reason = async (input: Record<string, unknown>) => (await open(input)).details?.reason
    expect(await reason({ command: 'no-such-command' })).toBe('command_not_found')
    expect(await reason({ command: ['no-such-command'] })).toBe('command_not_found')
    expect(await reason({ command: ['/etc/passwd'] })).toBe('permission_denied')
    const cwd = mkdtempSync(join(tmpdir(), 'fl-bin-'))
    mkdirSync(join(cwd, 'node_modules/.bin'), { recursive: true })
    writeFileSync(join(cwd, 'node_modules/.bin/devtool'), '')
    for (const command of ['devtool --host', ['devtool', '--host']])
      expect((await open({ command, cwd })).message).toEndWith(
        'It is installed in node_modules: call again with command "npx devtool --host".',
      )
    rmSync(cwd, { recursive: true })
    expect(await reason({ command: 'exit 0' })).toBe('exited')
    const ended = await open({ command: 'echo Error: EADDRINUSE >&2; exit 3' })
    expect(ended).toMatchObject({
      details: { reason: 'non_zero_exit', exitCode: 3, stderr: ['Error: EADDRINUSE'] },
    })
    const late = await open({ command: 'echo compiling; sleep 60', readyTimeout: 400 })
    expect(late).toMatchObject({
      details: { reason: 'timeout', waited: 400, stdout: ['compiling'], ports: [] },
    })
    expect(readFileSync(late.details.logs.stdout, 'utf8')).toBe('compiling\n')
    expect((await peer.call('list_sessions')).data.sessions).toEqual([])
  })
  test('bad combinations are refused before anything is started', async () => {
    expect(await open({ command: 'x', commandPath: '/x' })).toMatchObject({
      errorCode: 'INVALID_PARAMETERS',
      details: { received: 'both' },
    })
    expect(await open({ port: 80 })).toMatchObject({
      errorCode: 'INVALID_PARAMETERS',
      details: { field: 'command' },
    })
    const sessionId = await peer.session()
    expect((await peer.call('restart_server', { sessionId })).data).toMatchObject({
      errorCode: 'INVALID_PARAMETERS',
    })
  })
  test('progress is reported while a server takes its time', async () => {
    const told: string[] = []
    const slow = node(
      `response.end('late')`,
      `console.log('building'); console.log(' '); const until = Date.now() + 2300; while (Date.now() < until);`,
    )
    await peer.client.callTool({ name: 'create_session', arguments: { command: slow } }, undefined, {
      onprogress: ({ message = '' }) => told.push(message),
    })
    expect(told[0]).toContain('last line: building')
  })
})

describe('many and much', () => {
  test('two sessions with two servers never mix logs, ports or evidence', async () => {
    const named = (name: string) =>
      node(
        `console.error('${name} ' + request.url); response.setHeader('content-type', 'text/html'); response.end('<title>${name}</title>')`,
      )
    const [a, b] = await Promise.all([open({ command: named('alpha') }), open({ command: named('beta') })])
    expect(a.port).not.toBe(b.port)
    await Promise.all(
      [a, b].map(({ sessionId, url }) => peer.call('navigate', { sessionId, url: `${url}own` })),
    )
    for (const [own, other, session] of [
      ['alpha', 'beta', a],
      ['beta', 'alpha', b],
    ]) {
      const { sessionId } = session
      const logs = JSON.stringify((await peer.call('read_server_logs', { sessionId })).data)
      const failed = JSON.stringify(
        (await peer.call('click', { sessionId, selector: '#none', timeout: 50 })).data,
      )
      const line = JSON.stringify((await peer.call('timeline', { sessionId })).data)
      for (const text of [logs, failed, line]) {
        expect(text).toContain(`${own} /own`)
        expect(text).not.toContain(other)
      }
    }
  })
  test('a server that prints 256 MB twice neither blocks nor grows us', async () => {
    const loud = node(
      `if (request.url !== '/go') return response.end('up'); let left = 256; const line = ('x'.repeat(1023) + '\\n').repeat(1024); const more = () => { while (left-- > 0) if (!process.stdout.write(line)) return process.stdout.once('drain', more); response.end('printed') }; more()`,
    )
    const { sessionId, url } = await open({ command: loud })
    const resident = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${peer.pid}/status`, 'utf8'))?.[1]) / 1024
    const print = async () => {
      expect(
        (await peer.call('navigate', { sessionId, url: `${url}go`, timeout: 240_000 })).data,
      ).toMatchObject({ status: 200 })
      return resident()
    }
    const before = resident()
    const first = await print()
    // What a collection has not freed yet goes with one of the next; what is held stays.
    expect(await until(async () => (await print()) - first < 50)).toBe(true)
    expect(first - before).toBeLessThan(200)
  }, 900_000)
})

test('when the browser dies, the server of its session ends with it', async () => {
  const { sessionId, port } = await open({ command: hello })
  for (const { pid } of peer.trace.browsers()) process.kill(pid, 'SIGKILL')
  expect(await portFree(port)).toBe(true)
  expect((await peer.call('exists', { sessionId, selector: 'a' })).data.errorCode).toBe('BROWSER_CRASHED')
})

describe('killed', () => {
  const kill = async (wrap: boolean) => {
    const left = trace()
    const env = { ...process.env, ...left.env }
    const [program, args] = wrap
      ? ['bash', ['-c', 'exec 3<&0; "$0" "$@" <&3 & wait', binary, '--headless']]
      : [binary, ['--headless']]
    const child = spawn(program as string, args as string[], { stdio: ['pipe', 'pipe', 'ignore'], env })
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    })
    send({ method: 'notifications/initialized' })
    const command = `setsid sleep 8888 & (setsid sh -c 'sleep 9999 & exit' &); exec node -e "require('http').createServer((q,r)=>r.end('x')).listen(process.env.PORT)"`
    send({ id: 2, method: 'tools/call', params: { name: 'create_session', arguments: { command } } })
    expect(await until(() => out.includes('"id":2'))).toBe(true)
    expect(out).toContain('The server is ready')
    const sleeping = left.processes().filter(({ command }) => /sleep (8888|9999)/.test(command))
    expect(sleeping.length).toBeGreaterThanOrEqual(2)
    child.kill('SIGKILL')
    expect(await until(() => left.processes().length === 0)).toBe(true)
    expect(await until(() => readdirSync(left.folder).length === 0)).toBe(true)
    await left.expectNothing()
  }
  test('SIGTERM, and stdin at its end: server and port are gone', async () => {
    for (const end of ['SIGTERM', 'EOF']) {
      const own = await connect()
      const { data } = await own.call('create_session', { command: hello })
      if (end === 'SIGTERM') process.kill(own.pid, 'SIGTERM')
      if (end === 'EOF') await own.client.close()
      expect(await until(() => own.trace.processes().length === 0)).toBe(true)
      expect(await portFree(data.port)).toBe(true)
      await own.close()
    }
  })
  test('row 43: SIGKILL of footlight: server, daemons, browser and temporary files are gone', () =>
    kill(false))
  test('row 44: SIGKILL of its parent: the same', () => kill(true))
})
