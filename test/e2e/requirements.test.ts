// The acceptance criteria of the session-server seed, 1.1 to 9.5, each through the built binary as a client sees it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import manifest from '../../package.json' with { type: 'json' }
import { binary, connect, type Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { pool } from '../support/pool.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const nobody = '00000000-0000-4000-8000-000000000000'

let site: Site
let peer: Peer
let live = 0

beforeAll(async () => {
  site = await serveSite({
    '/': page(
      '<h1>Home</h1><button id="go" onclick="this.textContent=\'gone\'">Go</button><input id="name"><input id="fixed" readonly><p>text</p>',
      'Home',
    ),
    '/late': page(
      '<script>setTimeout(() => { const b = document.createElement("button"); b.id = "late"; b.textContent = "Late"; document.body.append(b) }, 300)</script>',
    ),
    '/covered': page('<button id="under">Under</button><div id="over" style="position:fixed;inset:0"></div>'),
    '/slow.png': (_, response) => setTimeout(() => response.end(''), 400),
    '/slow': page('<img src="/slow.png">', 'Slow'),
    '/never': () => {},
    '/redirect': (_, response) => response.writeHead(302, { location: '/' }).end(),
    // Open as long as the page that asked for it is.
    '/live': page('<script>new EventSource("/stream")</script>', 'Live'),
    '/stream': (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n')
      live += 1
      request.on('close', () => (live -= 1))
    },
  })
  peer = await connect()
})

afterAll(async () => {
  await peer.close()
  site.close()
})

const codeOf = async (tool: string, input: Record<string, unknown>, of = peer) => {
  const { failed, data } = await of.call(tool, input)
  return failed ? data.errorCode : 'ok'
}

/** A server of its own for one test. */
async function withServer<T>(
  args: string[],
  use: (own: Peer) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  const own = await connect({ args, env })
  try {
    return await use(own)
  } finally {
    await own.close()
  }
}

describe('requirement 1: create a session', () => {
  test('1.1 create_session answers a unique session id', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => peer.session()))
    expect(new Set(ids).size).toBe(5)
    for (const id of ids) expect(id).toMatch(uuid4)
    await Promise.all(ids.map((sessionId) => peer.call('close_session', { sessionId })))
  })

  test('1.2 a new session has a context and a page of its own', async () => {
    const sessionId = await peer.session()
    const { data } = await peer.call('get_session_status', { sessionId })
    expect(data).toMatchObject({ status: 'none', page: { url: 'about:blank' } })
    await peer.call('close_session', { sessionId })
  })

  test('1.3 it expires after the configured time, from now', async () => {
    await withServer(['--headless', '--session-timeout', '120000'], async (own) => {
      const before = Date.now()
      const { data } = await own.call('create_session')
      expect(data.expiresAt).toBeGreaterThanOrEqual(before + 120_000)
      expect(data.expiresAt).toBeLessThanOrEqual(Date.now() + 120_000)
    })
  })

  test('1.4 when that time comes the session is closed by itself', async () => {
    const { data } = await peer.call('create_session', { sessionTimeout: 400 })
    await peer.call('navigate', { sessionId: data.sessionId, url: `${site.url}/live` })
    expect(await until(() => live === 1)).toBe(true)
    expect(await until(() => live === 0)).toBe(true)
    expect((await peer.call('list_sessions')).data.sessions).toEqual([])
  })

  test('1.5 at the limit: MAX_SESSIONS_REACHED and a description', async () => {
    await withServer(['--headless', '--max-sessions', '1'], async (own) => {
      await own.session()
      const { failed, data } = await own.call('create_session')
      expect(failed).toBe(true)
      expect(data).toMatchObject({ errorCode: 'MAX_SESSIONS_REACHED', details: { limit: 1 } })
      expect(data.message).toContain('close_session')
    })
  })
})

describe('requirement 2: close a session', () => {
  test('2.1 close_session closes the page and its context', async () => {
    const sessionId = await peer.session()
    await peer.call('navigate', { sessionId, url: `${site.url}/live` })
    expect(await until(() => live === 1)).toBe(true)
    expect((await peer.call('close_session', { sessionId })).data).toMatchObject({ success: true })
    expect(await until(() => live === 0)).toBe(true)
  })

  test('2.2 and cancels its timer: later the id is unknown, not expired', async () => {
    const sessionId = await peer.session({ sessionTimeout: 300 })
    await peer.call('close_session', { sessionId })
    const other = await peer.session({ sessionTimeout: 600 })
    expect(await until(async () => (await peer.call('list_sessions')).data.sessions.length === 0)).toBe(true)
    expect(await codeOf('click', { sessionId: other, selector: 'a' })).toBe('SESSION_EXPIRED')
    expect(await codeOf('click', { sessionId, selector: 'a' })).toBe('SESSION_NOT_FOUND')
  })

  test('2.3 and removes the id', async () => {
    const sessionId = await peer.session()
    await peer.call('close_session', { sessionId })
    const { data } = await peer.call('list_sessions')
    expect(data.sessions.map((one: { sessionId: string }) => one.sessionId)).not.toContain(sessionId)
  })

  test('2.4 an unknown id answers SESSION_NOT_FOUND and a description', async () => {
    const { data } = await peer.call('close_session', { sessionId: nobody })
    expect(data).toMatchObject({ errorCode: 'SESSION_NOT_FOUND', sessionId: nobody })
    expect(data.message).toContain('create_session')
  })

  test('2.5 an expired session is closed and everything of it released', async () => {
    const sessionId = await peer.session({ sessionTimeout: 200 })
    expect(
      await until(
        async () =>
          (await codeOf('close_session', { sessionId: nobody })) === 'SESSION_NOT_FOUND' &&
          (await peer.call('list_sessions')).data.sessions.length === 0,
        3000,
      ),
    ).toBe(true)
    expect(await codeOf('close_session', { sessionId })).toBe('SESSION_EXPIRED')
  })
})

describe('requirements 3 to 5: navigate, click, type', () => {
  let sessionId: string
  beforeAll(async () => {
    sessionId = await peer.session()
  })
  afterAll(async () => void (await peer.call('close_session', { sessionId })))
  const on = (path: string) => peer.call('navigate', { sessionId, url: `${site.url}${path}` })
  const expired = async () => {
    const id = await peer.session({ sessionTimeout: 150 })
    await until(async () => !JSON.stringify((await peer.call('list_sessions')).data).includes(id))
    return id
  }

  test("3.1 navigate uses the session's own page", async () => {
    await on('/')
    expect((await peer.call('get_session_status', { sessionId })).data.page).toEqual({
      url: `${site.url}/`,
      title: 'Home',
    })
  })
  test('3.2 it answers title, final address and status', async () => {
    expect((await on('/redirect')).data).toEqual({
      success: true,
      title: 'Home',
      url: `${site.url}/`,
      status: 200,
    })
    expect((await on('/nothing')).data).toMatchObject({ success: true, status: 404 })
  })
  test('3.3 unknown and expired sessions are distinguished', async () => {
    expect(await codeOf('navigate', { sessionId: nobody, url: site.url })).toBe('SESSION_NOT_FOUND')
    expect(await codeOf('navigate', { sessionId: await expired(), url: site.url })).toBe('SESSION_EXPIRED')
  })
  test('3.4 a timeout or an error is NAVIGATION_FAILED with what happened', async () => {
    const late = await peer.call('navigate', { sessionId, url: `${site.url}/never`, timeout: 200 })
    expect(late.data).toMatchObject({
      errorCode: 'NAVIGATION_FAILED',
      details: { reason: 'timeout', waited: 200 },
    })
    const refused = await peer.call('navigate', { sessionId, url: 'http://127.0.0.1:9999/' })
    expect(refused.data).toMatchObject({
      errorCode: 'NAVIGATION_FAILED',
      details: { reason: 'ERR_CONNECTION_REFUSED' },
    })
    expect(refused.data.message).toContain('Is the server running')
  })
  test('3.5 it waits until the page has loaded', async () => {
    await on('/slow')
    const { data } = await peer.call('evaluate', { sessionId, script: 'document.readyState' })
    expect(data.result).toBe('complete')
  })

  test('4.1 and 4.2 click finds and clicks the element, and says so', async () => {
    await on('/')
    expect((await peer.call('click', { sessionId, selector: '#go' })).data).toMatchObject({
      success: true,
      message: 'Clicked.',
    })
    expect((await peer.call('evaluate', { sessionId, script: 'go.textContent' })).data.result).toBe('gone')
  })
  test('4.3 missing and unclickable elements are distinguished', async () => {
    await on('/covered')
    expect(await codeOf('click', { sessionId, selector: '#none', timeout: 2000 })).toBe('ELEMENT_NOT_FOUND')
    const { data } = await peer.call('click', { sessionId, selector: '#under', timeout: 2000 })
    expect(data).toMatchObject({ errorCode: 'ELEMENT_NOT_CLICKABLE', details: { reason: 'covered' } })
    expect(data.message).toContain('<div id="over">')
  })
  test('4.4 unknown and expired sessions', async () => {
    expect(await codeOf('click', { sessionId: nobody, selector: 'a' })).toBe('SESSION_NOT_FOUND')
    expect(await codeOf('click', { sessionId: await expired(), selector: 'a' })).toBe('SESSION_EXPIRED')
  })
  test('4.5 timeout and force are used', async () => {
    await on('/late')
    expect(await codeOf('click', { sessionId, selector: '#late', timeout: 3000 })).toBe('ok')
    await on('/covered')
    expect(await codeOf('click', { sessionId, selector: '#under', force: true })).toBe('ok')
  })

  test('5.1 and 5.2 type finds the field and types, and says so', async () => {
    await on('/')
    expect((await peer.call('type', { sessionId, selector: '#name', text: 'Ada' })).data).toMatchObject({
      success: true,
    })
    expect(
      (await peer.call('evaluate', { sessionId, script: 'document.querySelector("#name").value' })).data
        .result,
    ).toBe('Ada')
  })
  test('5.3 missing and uneditable elements are distinguished', async () => {
    expect(await codeOf('type', { sessionId, selector: '#none', text: 'x', timeout: 2000 })).toBe(
      'ELEMENT_NOT_FOUND',
    )
    expect(await codeOf('type', { sessionId, selector: '#fixed', text: 'x', timeout: 2000 })).toBe(
      'ELEMENT_NOT_EDITABLE',
    )
    expect(await codeOf('type', { sessionId, selector: 'p', text: 'x' })).toBe('ELEMENT_NOT_EDITABLE')
  })
  test('5.4 unknown and expired sessions', async () => {
    expect(await codeOf('type', { sessionId: nobody, selector: 'a', text: 'x' })).toBe('SESSION_NOT_FOUND')
    expect(await codeOf('type', { sessionId: await expired(), selector: 'a', text: 'x' })).toBe(
      'SESSION_EXPIRED',
    )
  })
  test('5.5 delay is used between keys', async () => {
    await on('/')
    await peer.call('evaluate', {
      sessionId,
      script: 'window.keys = []; addEventListener("keydown", (e) => keys.push(e.timeStamp)); 0',
    })
    await peer.call('type', { sessionId, selector: '#name', text: 'abcd', delay: 60 })
    const { data } = await peer.call('evaluate', { sessionId, script: 'keys.at(-1) - keys[0]' })
    expect(data.result).toBeGreaterThanOrEqual(150)
  })
})

describe('requirement 6: configuration', () => {
  // Each has servers of its own.
  const lanes = pool([1, 2, 3])
  const inLane = (body: () => Promise<void>) => () => lanes.with(body)
  const browserOf = (args: string[], env: Record<string, string> = {}) =>
    withServer(
      args,
      async (own) => {
        await own.session()
        return { commands: own.trace.browsers().map(({ command }) => command), stderr: own.stderr() }
      },
      env,
    )

  test.concurrent(
    '6.1 chromium without a browser option; 6.2 the one that is asked for',
    inLane(async () => {
      expect((await browserOf(['--headless'])).commands.join()).toMatch(/chrom/)
      expect((await browserOf(['--headless', '--browser', 'firefox'])).commands.join()).toMatch(/firefox/)
    }),
    120_000,
  )
  test.concurrent(
    '6.2 webkit cannot be had from a system; its absence is explained with the next command',
    inLane(async () => {
      await withServer(['--headless', '--browser', 'webkit'], async (own) => {
        const { failed, data } = await own.call('create_session')
        if (!failed) return
        expect(data).toMatchObject({ errorCode: 'BROWSER_NOT_INSTALLED', details: { browser: 'webkit' } })
        expect(data.message).toContain(`npx -y playwright@${manifest.dependencies.playwright} install webkit`)
      })
    }),
    120_000,
  )
  test.concurrent(
    '6.3 with windows by default; without a display it runs headless and says so once',
    inLane(async () => {
      const without = await browserOf([], { DISPLAY: '', WAYLAND_DISPLAY: '' })
      expect(without.stderr.match(/no display/g)).toHaveLength(1)
      expect(without.commands.join()).toMatch(/headless/)
    }),
    120_000,
  )
  test.concurrent(
    '6.3 and 6.4 on a display there is a window, and none with --headless',
    inLane(async () => {
      const number = `:${90 + (process.pid % 9)}`
      const display = spawn('Xvfb', [number, '-screen', '0', '800x600x24', '-nolisten', 'tcp'], {
        stdio: 'ignore',
      })
      try {
        const socket = `/tmp/.X11-unix/X${number.slice(1)}`
        expect(await until(() => spawnSync('test', ['-S', socket]).status === 0)).toBe(true)
        const shown = await browserOf([], { DISPLAY: number })
        expect(shown.commands.join()).not.toMatch(/headless/)
        expect(shown.stderr).not.toMatch(/no display/)
        expect((await browserOf(['--headless=true'], { DISPLAY: number })).commands.join()).toMatch(
          /headless/,
        )
      } finally {
        display.kill()
        await new Promise((done) => display.once('exit', done))
      }
    }),
    120_000,
  )
  test.concurrent(
    '6.5 five minutes without a session timeout; 6.6 the one that is given',
    inLane(async () => {
      const life = async (args: string[]) =>
        withServer(args, async (own) => {
          await own.session()
          const [one] = (await own.call('list_sessions')).data.sessions
          return one.expiresAt - one.createdAt
        })
      expect(await life(['--headless'])).toBe(300_000)
      expect(await life(['--headless', '--sessionTimeout', '4321'])).toBe(4321)
    }),
    120_000,
  )
  test.concurrent(
    '6.7 ten sessions without a limit; 6.8 the one that is given',
    inLane(async () => {
      const most = async (args: string[]) =>
        withServer(args, async (own) => {
          const made = await Promise.all(Array.from({ length: 15 }, () => own.call('create_session')))
          return made.filter(({ failed }) => !failed).length
        })
      expect(await most(['--headless'])).toBe(10)
      expect(await most(['--headless', '--maxSessions', '3'])).toBe(3)
    }),
    120_000,
  )
})

describe('requirement 7: one shared browser', () => {
  test('7.1 started with the server, once its tools are listed; 7.2 used by every session; 7.3 kept when all are closed; 7.4 ended with the server', async () => {
    const own = await connect()
    await own.client.listTools()
    expect(await until(() => own.trace.browsers().length === 1)).toBe(true)
    const [browser] = own.trace.browsers()
    const ids = await Promise.all([own.session(), own.session(), own.session()])
    expect(own.trace.browsers()).toEqual([browser as NonNullable<typeof browser>])
    await Promise.all(ids.map((sessionId) => own.call('close_session', { sessionId })))
    expect(own.trace.browsers()).toEqual([browser as NonNullable<typeof browser>])
    await own.session()
    expect(own.trace.browsers()).toEqual([browser as NonNullable<typeof browser>])
    await own.close()
  })
  test('7.5 sessions do not see each other: cookies, localStorage, sessionStorage', async () => {
    const [a, b] = await Promise.all([peer.session(), peer.session()])
    await Promise.all([a, b].map((sessionId) => peer.call('navigate', { sessionId, url: site.url })))
    await peer.call('evaluate', {
      sessionId: a,
      script: 'document.cookie = "c=1"; localStorage.l = 1; sessionStorage.s = 1; 0',
    })
    const { data } = await peer.call('evaluate', {
      sessionId: b,
      script: '[document.cookie, localStorage.length, sessionStorage.length]',
    })
    expect(data.result).toEqual(['', 0, 0])
    await Promise.all([a, b].map((sessionId) => peer.call('close_session', { sessionId })))
  })
})

describe('requirement 8: errors', () => {
  test('8.1, 8.2, 8.3, 8.4 code, message, session and details', async () => {
    const sessionId = await peer.session()
    const { failed, data, result } = await peer.call('click', { sessionId, selector: '#none', timeout: 50 })
    expect(failed).toBe(true)
    expect(data).toMatchObject({
      errorCode: 'ELEMENT_NOT_FOUND',
      category: 'browser',
      sessionId,
      details: { target: '#none' },
    })
    expect(data.message.length).toBeGreaterThan(20)
    const text = result.content[0]?.type === 'text' ? result.content[0].text : ''
    expect(text).toStartWith(`ELEMENT_NOT_FOUND: ${data.message}`)
    await peer.call('close_session', { sessionId })
  })
  test('8.5 a session that is gone says that a new one is needed', async () => {
    const { data } = await peer.call('navigate', { sessionId: nobody, url: site.url })
    expect(data.message).toContain('create_session')
  })
})

describe('requirement 9: a standard MCP server', () => {
  test('9.1 the npm package runs through npx', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fl-npx-'))
    try {
      const packed = spawnSync(
        'npm',
        ['pack', '--silent', '--pack-destination', folder, resolve('dist/npm')],
        { encoding: 'utf8' },
      )
      const tarball = join(folder, packed.stdout.trim())
      const ran = spawnSync('npx', ['-y', '-p', tarball, 'footlight', '--version'], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, npm_config_cache: join(folder, 'cache') },
      })
      expect(ran.stdout.trim()).toBe('0.1.0')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
  test('9.2 arguments come from an args array, as client configurations have it', async () => {
    const config = {
      mcpServers: { footlight: { command: binary, args: ['--headless', '--max-sessions', '1'] } },
    }
    const { command, args } = config.mcpServers.footlight
    const own = await connect({ command: [command], args })
    await own.session()
    expect(await codeOf('create_session', {}, own)).toBe('MAX_SESSIONS_REACHED')
    await own.close()
  })
  test('9.3 and 9.4 it speaks MCP over stdio, and only that on stdout', async () => {
    const child = spawn(binary, ['--headless', '--log-level', 'debug'], { stdio: ['pipe', 'pipe', 'ignore'] })
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    })
    send({ method: 'notifications/initialized' })
    send({ id: 2, method: 'tools/call', params: { name: 'create_session', arguments: {} } })
    send({ id: 3, method: 'no/such' })
    send({ id: 4, method: 'tools/call', params: { name: 'clickk', arguments: {} } })
    const answered = (id: number) => out.includes(`"id":${id}`)
    expect(await until(() => [1, 2, 3, 4].every(answered) && out.endsWith('\n'))).toBe(true)
    const messages = out
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text))
    const byId = (id: number) => messages.find((message) => message.id === id)
    expect(byId(1).result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'footlight', version: '0.1.0' },
    })
    expect(byId(2).result.structuredContent.sessionId).toMatch(uuid4)
    expect(byId(3).error.code).toBe(-32601)
    expect(byId(4).error).toMatchObject({
      code: -32602,
      message: 'Unknown tool "clickk". Did you mean "click"?',
    })
    child.stdin.end()
    expect(await new Promise((done) => child.once('exit', done))).toBe(0)
  })
  test('9.5 all tools are registered with their descriptions', async () => {
    const { tools } = await peer.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['create_session', 'close_session', 'navigate', 'click', 'type']),
    )
    for (const tool of tools) expect(tool.description?.length).toBeGreaterThan(20)
  })
})
