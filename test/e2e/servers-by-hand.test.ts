// A server starts here as it does by hand: its input, its variables, its ports; and what is wrong with it is said.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { closeSessions, connect, type Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { reservePort } from '../support/reserve-port.ts'

let peer: Peer
let folder: string
let others: ChildProcess[] = []
beforeAll(async () => {
  peer = await connect()
})
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-hand-')))
})
afterAll(() => peer.close())
afterEach(async () => {
  await closeSessions(peer)
  for (const child of others) child.kill('SIGKILL')
  others = []
  rmSync(folder, { recursive: true, force: true })
})
const open = async (input: Record<string, unknown>) => {
  const { data, result } = await peer.call('create_session', { cwd: folder, ...input })
  const [content] = result.content
  return { ...data, answer: content?.type === 'text' ? content.text : '' }
}
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const page = (port: string, name = 'page') =>
  `require('http').createServer((request, response) => { response.setHeader('content-type', 'text/html'); response.end('<h1>${name}</h1>') }).listen(${port}, () => console.log('Local: http://localhost:' + ${port} + '/'))`

describe('input', () => {
  test('is open until the server is stopped, and ends with a Footlight that is killed', async () => {
    write(
      'server.js',
      `process.stdin.on('data', () => console.log('INPUT')).on('end', () => { console.log('END'); process.exit(0) }); ${page('process.env.PORT')}`,
    )
    const { sessionId, url } = await open({ command: 'node server.js' })
    expect((await peer.call('navigate', { sessionId, url })).data).toMatchObject({ status: 200 })
    expect((await peer.call('get_session_status', { sessionId })).data.status).toBe('running')
    expect((await peer.call('read_server_logs', { sessionId })).data.text).not.toMatch(/INPUT|END/)
    process.kill(peer.pid, 'SIGKILL')
    expect(await until(() => peer.trace.processes().length === 0)).toBe(true)
    await peer.close()
    peer = await connect()
  })

  test('of a server that its command left in the background stays open too', async () => {
    write('server.js', `process.stdin.on('end', () => process.exit(0)).resume(); ${page('process.env.PORT')}`)
    write(
      'start.js',
      `require('child_process').spawn('node', ['server.js'], { stdio: 'inherit', detached: true }).unref()`,
    )
    const { sessionId, url } = await open({ command: 'node start.js' })
    expect((await peer.call('navigate', { sessionId, url })).data).toMatchObject({ status: 200 })
    expect((await peer.call('get_session_status', { sessionId })).data.status).toBe('running')
  })

  test('that a program waits for is quoted in the failure', async () => {
    const question = 'Port 4200 is already in use. Would you like to use a different port? (Y/n)'
    write(
      'server.js',
      `require('readline').createInterface({ input: process.stdin, output: process.stdout }).question('${question} ', () => {})`,
    )
    const { errorCode, message } = await open({ command: 'node server.js', readyTimeout: 3000 })
    expect(errorCode).toBe('SERVER_START_FAILED')
    expect(message).toContain(`it asks "${question}"`)
    expect(message).toEndWith(
      'Nothing answers on its standard input: pass the option or the variable that answers it.',
    )
  })
})

describe('variables', () => {
  test('the temporary folder is that of the user, Python does not buffer', async () => {
    write(
      'server.js',
      `const { TMPDIR, PYTHONUNBUFFERED, ASTRO_DEV_BACKGROUND = 'none' } = process.env; console.log([require('os').tmpdir(), TMPDIR, PYTHONUNBUFFERED, ASTRO_DEV_BACKGROUND].join(' ')); ${page('process.env.PORT')}`,
    )
    const { sessionId } = await open({ command: 'node server.js' })
    const { text } = (await peer.call('read_server_logs', { sessionId })).data
    expect(text).toContain(`stdout ${peer.trace.folder} ${peer.trace.folder} 1 none\n`)
  })

  test('port "none" sets no PORT, and the address is found', async () => {
    const port = await reservePort()
    write('server.js', `console.log('PORT is ' + process.env.PORT); ${page(String(port))}`)
    const { sessionId, url } = await open({ command: 'node server.js', port: 'none' })
    expect(url).toBe(`http://localhost:${port}/`)
    expect((await peer.call('read_server_logs', { sessionId })).data.text).toContain('PORT is undefined')
    expect((await peer.call('restart_server', { sessionId })).data).toMatchObject({ url })
    expect((await peer.call('read_server_logs', { sessionId })).data.text).not.toMatch(/PORT is \d/)
  })
})

describe('several servers of one command', () => {
  test('a PORT that another process took is said, with the port that the page expects', async () => {
    const [web, api] = [await reservePort(), await reservePort()]
    write(
      'api.js',
      `require('http').createServer((q, r) => { r.setHeader('content-type', 'application/json'); r.end('{}') }).listen(process.env.PORT)`,
    )
    write(
      'web.js',
      `console.error('proxy error: connect ECONNREFUSED 127.0.0.1:${api}'); ${page(String(web))}`,
    )
    const { sessionId, url, message, variablePort } = await open({
      command: 'node api.js & node web.js & wait',
    })
    expect([url, variablePort]).toEqual([`http://localhost:${web}/`, undefined])
    const sentence = new RegExp(
      `PORT=\\d+ was set by Footlight and node api\\.js took it; the page expects ${api}: pass port: "none"\\.`,
    )
    expect(message).toMatch(sentence)
    expect((await peer.call('get_session_status', { sessionId })).data.message).toMatch(sentence)
  })

  test('one that failed is said at the start and in the status, with who has its port', async () => {
    const taken = await reservePort()
    write('other.js', page(String(taken)))
    const other = spawn('node', ['other.js'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
    others.push(other)
    await new Promise((resolve) => other.stdout.once('data', resolve))
    const api = `require('http').createServer().listen(${taken})`
    write('api.js', `${api}`)
    write(
      'run.js',
      `const { spawn } = require('child_process')
spawn('node', ['api.js'], { stdio: 'inherit' }).on('exit', (code) => {
  console.log('[api] node api.js exited with code ' + code)
  spawn('node', ['web.js'], { stdio: 'inherit' })
})`,
    )
    write('web.js', page('process.env.PORT'))
    const { sessionId, message } = await open({ command: 'node run.js' })
    const said = [
      '"[api] node api.js exited with code 1"',
      `port ${taken} is held by process ${other.pid} (node other.js) in ${folder}`,
    ]
    for (const text of said) expect(message).toContain(text)
    const status = (await peer.call('get_session_status', { sessionId })).data
    expect(status.status).toBe('running')
    for (const text of said) expect(status.message).toContain(text)
  })
})

describe('addresses', () => {
  test.each(['127.0.1.1', '127.0.0.2', '::1'])(
    'a server that listens at %s alone is found',
    async (address) => {
      const host = address.includes(':') ? `[${address}]` : address
      for (const [name, said] of [
        ['named.js', `console.log('  Network: http://${host}:' + process.env.PORT + '/')`],
        ['silent.js', ''],
      ] as const) {
        write(
          name,
          `require('http').createServer((q, r) => r.end('x')).listen(Number(process.env.PORT), '${address}', () => { ${said} })`,
        )
        const { sessionId, url } = await open({ command: `node ${name}` })
        expect([name, new URL(url).hostname]).toEqual([
          name,
          host === '[::1]' && said === '' ? 'localhost' : host,
        ])
        expect((await peer.call('navigate', { sessionId, url: '/' })).data).toMatchObject({ status: 200 })
        await peer.call('close_session', { sessionId })
      }
    },
  )

  test('of the addresses of one port it is the root, or the one that is named Local', async () => {
    const printed = (paths: readonly string[]) =>
      `require('http').createServer((q, r) => { r.setHeader('content-type', 'text/html'); r.end(q.url) }).listen(process.env.PORT, async () => { for (const line of ${JSON.stringify(paths)}) { console.log(line.replace('@', 'http://localhost:' + process.env.PORT)); await new Promise((next) => setTimeout(next, 20)) } })`
    for (const [name, paths, expected] of [
      ['root.js', ['Inspect: @/__inspect/', 'API docs: @/docs', 'Server: @/'], '/'],
      ['local.js', ['Inspect: @/__inspect/', '  ➜  Local:   @/shop/', 'Docs @/d'], '/shop/'],
      ['alone.js', ['Open @/app in your browser'], '/app'],
    ] as const) {
      write(name, printed(paths))
      const { sessionId, url } = await open({ command: `node ${name}` })
      expect([name, new URL(url).pathname]).toEqual([name, expected])
      await peer.call('close_session', { sessionId })
    }
  })
})

describe('a failed start', () => {
  test('names the own session that holds the port, or the process', async () => {
    const port = await reservePort()
    write('server.js', page(String(port)))
    const first = await open({ command: 'node server.js' })
    const second = await open({ command: 'node server.js' })
    expect(second.message).toContain(
      `exited with code 1 before it was ready: port ${port} is held by the server of session ${first.name} (node server.js). Use session ${first.name}, or close it with close_session and call again.`,
    )
    const stranger = await connect()
    const third = (await stranger.call('create_session', { command: 'node server.js', cwd: folder })).data
    expect(third.message).toContain(
      `(node server.js) in ${folder}, started by Footlight for another session. `,
    )
    const reused = { command: 'node server.js', readyUrl: `http://localhost:${port}/` }
    expect((await open(reused)).message).toContain(`is held by the server of session ${first.name}`)
    await stranger.close()
  })

  test('because the project has a server already names that one and readyUrl', async () => {
    const port = await reservePort()
    write('server.js', page(String(port)))
    const first = spawn('node', ['server.js'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
    others.push(first)
    await new Promise((resolve) => first.stdout.once('data', resolve))
    const command = `echo "Another dev server is already running. - Local: http://localhost:${port}"; exit 1`
    const { message } = await open({ command })
    expect(message).toContain(`port ${port} is held by process ${first.pid} (node server.js) in ${folder}. `)
    expect(message).toContain('or readyUrl to use the server that runs there')
  })

  test('for want of packages names what installs them', async () => {
    write(
      'package.json',
      JSON.stringify({ scripts: { dev: 'no-such-bundler' }, devDependencies: { x: '1' } }),
    )
    const { message, answer } = await open({ command: 'npm run dev' })
    expect(message).toEndWith(
      `Its packages are not installed, there is no node_modules: run npm install in ${folder}, and call again.`,
    )
    expect(answer).toContain('no-such-bundler: not found')
  })

  test('shows what was printed also where the command has the same words', async () => {
    const { answer } = await open({ command: ['node', '-e', `console.error('boom'); process.exit(3)`] })
    expect(answer).toMatch(/stderr:\s+boom/)
  })
})

test('a command that ends with 0 is waited for at readyUrl, and what it started elsewhere is left running', async () => {
  const port = await reservePort()
  write('app.js', page(String(port)))
  write(
    'daemon.js',
    `require('fs').watch('.', () => {}); setInterval(() => { if (require('fs').existsSync('go')) { require('fs').rmSync('go'); require('./app.js') } }, 50); console.log('up')`,
  )
  const daemon = spawn('node', ['daemon.js'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  others.push(daemon)
  await new Promise((resolve) => daemon.stdout.once('data', resolve))
  const { sessionId, url, message } = await open({
    command: 'touch go; echo Started',
    readyUrl: `http://localhost:${port}/`,
  })
  expect(url).toBe(`http://localhost:${port}/`)
  expect(message).toContain('Its command has ended, so it will be left running.')
  expect((await peer.call('navigate', { sessionId, url: '/' })).data).toMatchObject({ status: 200 })
  expect((await peer.call('get_session_status', { sessionId })).data).toMatchObject({ status: 'running' })
  expect((await peer.call('close_session', { sessionId })).data.message).toContain('left running')
  expect((await fetch(url)).status).toBe(200)
  const without = await open({ command: 'true' })
  expect(without.message).toContain('pass its readyUrl')
})
