// Over HTTP: many clients, those that drop and return, those that should not be there, and bytes that no client would send.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect as connectSocket, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { connectOverHttp, type HttpServer, serveOverHttp } from '../../support/http.ts'
import { until } from '../../support/leftovers.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

let site: Site
beforeAll(async () => void (site = await serveSite({ '/': page('<h1>Site</h1><input id="i">', 'Site') })))
afterAll(() => site.close())

// The test's own site is on this machine, where pages may not go over HTTP unless a rule names it.
const open = () => [
  '--allowed-hosts',
  new URL(site.url).host,
  '--rate-limit',
  '100000',
  '--session-rate-limit',
  '1000',
]

const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const initialize = (id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})
/** The headers of a client that has initialised. */
const initialized = async (url: URL, message: object = initialize()) => {
  const made = await fetch(url, { method: 'POST', headers: accept, body: JSON.stringify(message) })
  await made.text()
  return { ...accept, 'mcp-session-id': made.headers.get('mcp-session-id') ?? '' }
}
/** The one message of an answer, which may be JSON or a stream. */
const messageIn = async (response: Response) => {
  const text = await response.text()
  const data = text.startsWith('{')
    ? text
    : (text.split('\n').findLast((line) => line.startsWith('data: {')) ?? '').slice(6)
  return data === '' ? undefined : JSON.parse(data)
}

describe('without authentication', () => {
  let server: HttpServer
  beforeAll(async () => void (server = await serveOverHttp([...open(), '--max-sessions', '60'])))
  afterAll(async () => {
    expect(await server.close()).toBe(0)
  })

  test('a client that drops and returns finds its page by its session id; lists are its own', async () => {
    const first = await connectOverHttp(server.url)
    const sessionId = await first.session({ name: 'mine' })
    await first.call('navigate', { sessionId, url: site.url })
    await first.call('type', { sessionId: 'mine', selector: '#i', text: 'kept' })
    await first.close()
    const second = await connectOverHttp(server.url)
    expect((await second.call('list_sessions')).data.sessions).toEqual([])
    expect((await second.call('evaluate', { sessionId: 'mine', script: '1' })).data.errorCode).toBe(
      'SESSION_NOT_FOUND',
    )
    expect((await second.call('evaluate', { sessionId, script: 'i.value' })).data.result).toBe('kept')
    expect((await second.call('close_session', { sessionId })).failed).toBe(false)
    await second.close()
  })
  test('a client that initialises for each call keeps its page too', async () => {
    let sessionId = ''
    const once = async (tool: string, input: Record<string, unknown>) => {
      const peer = await connectOverHttp(server.url)
      const { data } = await peer.call(tool, input)
      await peer.transport.terminateSession()
      await peer.close()
      return data
    }
    sessionId = (await once('create_session', {})).sessionId
    await once('navigate', { sessionId, url: site.url })
    expect((await once('evaluate', { sessionId, script: 'document.title' })).result).toBe('Site')
    await once('close_session', { sessionId })
  })
  test('both paths serve; an unknown one, a session that is not there, and no body say so', async () => {
    const at = (path: string) => new URL(path, server.url)
    const made = await fetch(at('/message'), {
      method: 'POST',
      headers: accept,
      body: JSON.stringify(initialize()),
    })
    expect([made.status, (await messageIn(made)).result.serverInfo.name]).toEqual([200, 'footlight'])
    expect((await fetch(at('/other'))).status).toBe(404)
    const lost = await fetch(server.url, {
      method: 'POST',
      headers: { ...accept, 'mcp-session-id': 'nope' },
      body: '{}',
    })
    expect([lost.status, (await lost.json()).error.message]).toEqual([
      404,
      'Session not found: initialize again.',
    ])
    expect((await fetch(server.url, { method: 'POST', headers: accept, body: 'not json' })).status).toBe(400)
    expect((await fetch(at('/health'))).status).toBe(200)
    expect(await (await fetch(at('/health'))).json()).toMatchObject({
      status: 'ok',
      activeSessions: expect.any(Number),
      uptime: expect.any(Number),
      memory: expect.any(Number),
    })
    const metrics = await (await fetch(at('/metrics'))).text()
    expect(metrics).toMatch(/footlight_call_seconds_count\{tool="navigate"\} \d+/)
    expect(metrics).toContain('footlight_failures_total{code="SESSION_NOT_FOUND"} 1')
  })
  test('row 60: 50 clients with equal message ids and 5 calls each: every answer is its own', async () => {
    const client = async (index: number) => {
      const headers = await initialized(server.url)
      const call = async (id: number, name: string, input: object) => {
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name, arguments: input },
        })
        const message = await messageIn(await fetch(server.url, { method: 'POST', headers, body }))
        expect(message.id).toBe(id)
        return message.result.structuredContent
      }
      const { sessionId } = await call(1, 'create_session', {})
      const answers = await Promise.all(
        Array.from({ length: 5 }, (_, n) =>
          call(n + 2, 'evaluate', {
            sessionId,
            script: `new Promise((r) => setTimeout(() => r(${index * 1000 + n}), ${(n * 7) % 30}))`,
            timeout: 120_000,
          }),
        ),
      )
      expect(answers.map(({ result }) => result)).toEqual(
        Array.from({ length: 5 }, (_, n) => index * 1000 + n),
      )
      await call(99, 'close_session', { sessionId })
    }
    await Promise.all(Array.from({ length: 50 }, (_, index) => client(index)))
  }, 300_000)
  test('row 55: a header that says another thing than the server speaks', async () => {
    const headers = await initialized(server.url)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
    const wrong = await fetch(server.url, {
      method: 'POST',
      headers: { ...headers, 'mcp-protocol-version': '1999-01-01' },
      body,
    })
    expect([wrong.status, (await wrong.json()).error.message]).toEqual([
      400,
      expect.stringContaining('1999-01-01'),
    ])
    const right = await fetch(server.url, {
      method: 'POST',
      headers: { ...headers, 'mcp-protocol-version': '2025-11-25' },
      body,
    })
    expect((await messageIn(right)).id).toBe(2)
  })
  test('row 57: a stream that has nothing to say is kept alive, and what was missed is sent again', async () => {
    const headers = await initialized(server.url)
    const stream = await fetch(server.url, { headers })
    const reader = stream.body?.getReader()
    let got = ''
    const decode = new TextDecoder()
    for (let part = await reader?.read(); part && !part.done && !/^:/m.test(got); part = await reader?.read())
      got += decode.decode(part.value)
    await reader?.cancel()
    expect(got).toMatch(/^:/m)
  }, 120_000)
  test('a client that loses its stream in the middle of a call has the answer when it comes back', async () => {
    const headers = { ...(await initialized(server.url)), 'mcp-protocol-version': '2025-11-25' }
    const post = (id: number, name: string, input: object, signal?: AbortSignal) => {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name, arguments: input },
      })
      return fetch(server.url, { method: 'POST', headers, body, ...(signal && { signal }) })
    }
    const { sessionId } = (await messageIn(await post(1, 'create_session', {}))).result.structuredContent
    const lost = new AbortController()
    const script = 'new Promise((r) => setTimeout(() => r("kept"), 700))'
    const stream = await post(2, 'evaluate', { sessionId, script }, lost.signal)
    const first = new TextDecoder().decode((await stream.body?.getReader().read())?.value)
    const id = /^id: (\S+)/m.exec(first)?.[1] ?? ''
    expect(id).not.toBe('')
    lost.abort()
    // Until the server has noticed that the stream is gone, it is not given again.
    let got = ''
    const read = async () => {
      const again = await fetch(server.url, { headers: { ...headers, 'last-event-id': id } })
      const reader = again.body?.getReader()
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        got += new TextDecoder().decode(part.value)
        if (got.includes('"id":2')) return void (await reader?.cancel())
      }
    }
    await until(async () => {
      await Promise.race([read(), Bun.sleep(2000)])
      return got.includes('"id":2')
    }, 6000)
    expect(got).toContain('"result":"kept"')
    await post(3, 'close_session', { sessionId })
  }, 120_000)
  test('private places are refused unless a rule names them; programs unless --server-command does', async () => {
    const peer = await connectOverHttp(server.url)
    const sessionId = await peer.session()
    const { data } = await peer.call('navigate', { sessionId, url: `http://127.0.0.1:${server.port}/health` })
    expect(data.errorCode).toBe('ACCESS_DENIED')
    expect((await peer.call('create_session', { command: 'npm run dev' })).data.errorCode).toBe(
      'COMMAND_NOT_ALLOWED',
    )
    await peer.call('close_session', { sessionId })
    await peer.close()
  })
})

/** Writes bytes to a socket, a part at a time, and gives all that comes back until it closes. */
const speak = (port: number, parts: readonly string[], gap = 0, patience = 3000) =>
  new Promise<string>((resolve) => {
    let got = ''
    const socket = connectSocket(port, '127.0.0.1', async () => {
      for (const part of parts) {
        if (socket.destroyed) break
        socket.write(part)
        if (gap > 0) await Bun.sleep(gap)
      }
    })
    socket.on('data', (chunk) => (got += chunk))
    socket.on('error', () => {})
    socket.on('close', () => resolve(got))
    setTimeout(() => socket.destroy(), patience).unref()
  })

describe('raw bytes', () => {
  let server: HttpServer
  beforeAll(async () => void (server = await serveOverHttp(open())))
  afterAll(async () => {
    await server.close()
  })
  const statusOf = (got: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(got)?.[1] ?? 0)
  const get = (...headers: string[]) =>
    `GET /health HTTP/1.1\r\n${headers.map((line) => `${line}\r\n`).join('')}Connection: close\r\n\r\n`
  const own = (): string => `127.0.0.1:${server.port}`

  const requests: [string, () => string, number][] = [
    ['the right host', () => get(`Host: ${own()}`), 200],
    ['its own origin', () => get(`Host: ${own()}`, `Origin: http://${own()}`), 200],
    ['another host', () => get('Host: evil.test'), 403],
    ['another port', () => get('Host: 127.0.0.1:1'), 403],
    ['a host that begins alike', () => get(`Host: ${own()}.evil.test`), 403],
    ['two hosts', () => get(`Host: ${own()}`, 'Host: evil.test'), 403],
    ['two equal hosts', () => get(`Host: ${own()}`, `Host: ${own()}`), 403],
    ['no host', () => get(), 400],
    ['HTTP/1.0 without a host', () => 'GET /health HTTP/1.0\r\n\r\n', 403],
    [
      'an absolute target',
      () => `GET http://evil.test/health HTTP/1.1\r\nHost: ${own()}\r\nConnection: close\r\n\r\n`,
      403,
    ],
    ['another origin', () => get(`Host: ${own()}`, 'Origin: https://evil.test'), 403],
    ['the null origin', () => get(`Host: ${own()}`, 'Origin: null'), 403],
    ['a huge header', () => get(`Host: ${own()}`, `X-Big: ${'x'.repeat(100_000)}`), 431],
    [
      'two lengths',
      () =>
        `POST /mcp HTTP/1.1\r\nHost: ${own()}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{}`,
      400,
    ],
    [
      'a huge body',
      () =>
        `POST /mcp HTTP/1.1\r\nHost: ${own()}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 99999999\r\nConnection: close\r\n\r\n{`,
      413,
    ],
  ]
  test.each(requests)('row 52: %s', async (_, bytes, status) => {
    expect(statusOf(await speak(server.port, [bytes()]))).toBe(status)
  })
  test('row 58: a huge body in chunks is cut off', async () => {
    const head = `POST /mcp HTTP/1.1\r\nHost: ${own()}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
    const chunk = `${(1_000_000).toString(16)}\r\n${'x'.repeat(1_000_000)}\r\n`
    expect([0, 400, 413]).toContain(
      statusOf(await speak(server.port, [head, ...Array<string>(8).fill(chunk)])),
    )
  })
  test('row 56: slow headers and slow bodies are closed, while others are served', async () => {
    const slow = speak(
      server.port,
      ['GET /health HTTP/1.1\r\n', ...Array<string>(120).fill('X: 1\r\n')],
      500,
      61_000,
    )
    const since = performance.now()
    for (let round = 0; round < 20; round += 1)
      expect((await fetch(new URL('/health', server.url))).status).toBe(200)
    const got = await slow
    expect([0, 400, 408]).toContain(statusOf(got))
    expect(performance.now() - since).toBeLessThan(45_000)
  }, 120_000)
  test('row 59: 2,000 idle connections, and another client is served at once', async () => {
    const idle: Socket[] = []
    for (let index = 0; index < 2000; index += 1) {
      const socket = connectSocket(server.port, '127.0.0.1')
      socket.on('error', () => {})
      idle.push(socket)
      if (index % 200 === 0) await new Promise((resolve) => socket.once('connect', resolve))
    }
    const peer = await connectOverHttp(server.url)
    expect((await peer.call('list_sessions')).failed).toBe(false)
    await peer.close()
    for (const socket of idle) socket.destroy()
  }, 120_000)
})

describe('with a shared token', () => {
  const token = 'a-token-that-is-long-enough'
  let server: HttpServer
  beforeAll(
    async () =>
      void (server = await serveOverHttp([...open(), '--auth', 'bearer'], { FOOTLIGHT_TOKEN: token })),
  )
  afterAll(async () => {
    await server.close()
  })
  test('row 53: no token, a wrong one, one in the query: 401 with how to do it; the right one: served', async () => {
    const ask = (headers: Record<string, string>, query = '') =>
      fetch(new URL(`/mcp${query}`, server.url), {
        method: 'POST',
        headers: { ...accept, ...headers },
        body: JSON.stringify(initialize()),
      })
    for (const response of [
      await ask({}),
      await ask({ authorization: 'Bearer wrong-token-of-some-length' }),
      await ask({}, `?access_token=${token}`),
      await ask({ authorization: `Basic ${token}` }),
    ]) {
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toStartWith('Bearer error="')
    }
    expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(200)
    expect((await fetch(new URL('/metrics', server.url))).status).toBe(401)
    expect((await fetch(new URL('/health', server.url))).status).toBe(200)
  })
  test('row 31: sessions belong to the token, whatever the connection', async () => {
    const first = await connectOverHttp(server.url, token)
    await first.session({ name: 'shared' })
    await first.close()
    const second = await connectOverHttp(server.url, token)
    expect((await second.call('list_sessions')).data.sessions).toHaveLength(1)
    expect((await second.call('close_session', { sessionId: 'shared' })).failed).toBe(false)
    await second.close()
  })
})

describe('with tokens of an issuer', () => {
  let server: HttpServer
  let issuer: string
  let keys: { privateKey: CryptoKey; publicKey: CryptoKey }
  let others: { privateKey: CryptoKey; publicKey: CryptoKey }
  let web: ReturnType<typeof createServer>
  beforeAll(async () => {
    keys = await generateKeyPair('ES256')
    others = await generateKeyPair('ES256')
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256' }
    web = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      if (request.url === '/keys') return void response.end(JSON.stringify({ keys: [jwk] }))
      if (request.url === '/.well-known/oauth-authorization-server')
        return void response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }))
      response.writeHead(404).end('{}')
    })
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
    server = await serveOverHttp([
      ...open(),
      '--auth',
      'oauth',
      '--issuer',
      issuer,
      '--audience',
      'footlight',
    ])
  })
  afterAll(async () => {
    await server.close()
    web.close()
  })

  const token = (
    claims: Record<string, unknown> = {},
    more: { subject?: string; expires?: string; key?: CryptoKey; kid?: string } = {},
  ) => {
    const { aud = 'footlight', iss = issuer, ...rest } = claims
    return new SignJWT({ scope: 'mcp:execute', ...rest })
      .setProtectedHeader({ alg: 'ES256', kid: more.kid ?? 'one' })
      .setIssuer(String(iss))
      .setAudience(String(aud))
      .setSubject(more.subject ?? 'ada')
      .setIssuedAt()
      .setExpirationTime(more.expires ?? '5m')
      .sign(more.key ?? keys.privateKey)
  }
  const ask = (authorization?: string) =>
    fetch(server.url, {
      method: 'POST',
      headers: { ...accept, ...(authorization !== undefined && { authorization }) },
      body: JSON.stringify(initialize()),
    })

  const tokens: [string, () => Promise<string | undefined>, number, string][] = [
    ['none', async () => undefined, 401, 'invalid_request'],
    ['expired', async () => token({}, { expires: '-1m' }), 401, 'invalid_token'],
    ['of another issuer', async () => token({ iss: 'https://evil.test' }), 401, 'invalid_token'],
    ['for another audience', async () => token({ aud: 'other' }), 401, 'invalid_token'],
    ['signed by another key', async () => token({}, { key: others.privateKey }), 401, 'invalid_token'],
    [
      'with an unknown key',
      async () => token({}, { kid: 'two', key: others.privateKey }),
      401,
      'invalid_token',
    ],
    [
      'unsigned',
      async () =>
        new UnsecuredJWT({ scope: 'mcp:execute' })
          .setIssuer(issuer)
          .setAudience('footlight')
          .setSubject('ada')
          .setExpirationTime('5m')
          .encode(),
      401,
      'invalid_token',
    ],
    ['without the scope', async () => token({ scope: 'other' }), 403, 'insufficient_scope'],
    ['of another shape', async () => 'rubbish', 401, 'invalid_token'],
  ]
  test.each(tokens)('a token %s', async (_, make, status, error) => {
    const made = await make()
    const response = await ask(made === undefined ? undefined : `Bearer ${made}`)
    const told = response.headers.get('www-authenticate') ?? ''
    expect(response.status).toBe(status)
    expect(told).toContain(`error="${error}"`)
    expect(told).toContain(
      `resource_metadata="http://127.0.0.1:${server.port}/.well-known/oauth-protected-resource"`,
    )
    expect(told).toContain('scope="mcp:execute"')
  })
  test('metadata says where tokens come from; a good one is served', async () => {
    const metadata = await (
      await fetch(new URL('/.well-known/oauth-protected-resource/mcp', server.url))
    ).json()
    expect(metadata).toMatchObject({
      resource: String(server.url),
      authorization_servers: [issuer],
      scopes_supported: ['mcp:execute'],
    })
    expect((await ask(`Bearer ${await token()}`)).status).toBe(200)
  })
  test('row 54: sessions belong to the subject: the same one has them on any connection, another sees nothing', async () => {
    const ada = await connectOverHttp(server.url, await token())
    const sessionId = await ada.session()
    const adaAgain = await connectOverHttp(server.url, await token())
    expect((await adaAgain.call('evaluate', { sessionId, script: '1' })).data.result).toBe(1)
    const bob = await connectOverHttp(server.url, await token({}, { subject: 'bob' }))
    expect((await bob.call('evaluate', { sessionId, script: '1' })).data.errorCode).toBe('SESSION_NOT_FOUND')
    expect((await bob.call('list_sessions')).data.sessions).toEqual([])
    // Nor does the id of a connection help another subject.
    const response = await fetch(server.url, {
      method: 'POST',
      headers: {
        ...accept,
        authorization: `Bearer ${await token({}, { subject: 'bob' })}`,
        'mcp-session-id': ada.transport.sessionId ?? '',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expect(response.status).toBe(404)
    for (const peer of [ada, adaAgain, bob]) await peer.close()
  })
})

test('a question to the user comes on the stream of the call that needs it', async () => {
  const server = await serveOverHttp(['--allowed-hosts', 'example.com', '--ask-hosts'])
  const asking = {
    ...initialize(),
    params: { ...initialize().params, capabilities: { elicitation: { form: {} } } },
  }
  const headers = await initialized(server.url, asking)
  const post = (message: object) =>
    fetch(server.url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
  const call = (id: number, name: string, input: object) =>
    post({ id, method: 'tools/call', params: { name, arguments: input } })
  await (await post({ method: 'notifications/initialized' })).text()
  const { sessionId } = (await messageIn(await call(1, 'create_session', {}))).result.structuredContent
  const stream = await call(2, 'navigate', { sessionId, url: 'http://93.184.216.34/', timeout: 300 })
  let got = ''
  let answered = false
  const reader = stream.body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    got += new TextDecoder().decode(part.value)
    const question = /^data: (\{.*elicitation\/create.*\})$/m.exec(got)?.[1]
    if (question === undefined || answered) continue
    answered = true
    await (await post({ id: JSON.parse(question).id, result: { action: 'decline' } })).text()
  }
  expect(answered).toBe(true)
  expect(got).toContain('ACCESS_DENIED')
  await server.close()
}, 120_000)

test('one client has its share of the sessions, and leaves the rest to others', async () => {
  const server = await serveOverHttp([...open(), '--client-sessions', '2'])
  const greedy = await connectOverHttp(server.url)
  await greedy.session()
  await greedy.session()
  expect((await greedy.call('create_session')).data).toMatchObject({
    errorCode: 'MAX_SESSIONS_REACHED',
    message: expect.stringContaining('All your 2 sessions'),
  })
  const other = await connectOverHttp(server.url)
  await other.session()
  await greedy.close()
  await other.close()
  await server.close()
})

test('rates over HTTP are on by default, and a new connection does not reset them', async () => {
  const server = await serveOverHttp()
  const peer = await connectOverHttp(server.url)
  // The limit refills with time, so a slow machine needs more calls to reach it.
  const callUntilLimited = async ({ call }: typeof peer) => {
    const codes: unknown[] = []
    while (codes.at(-1) !== 'RATE_LIMITED' && codes.length < 400)
      codes.push((await call('list_sessions')).data.errorCode ?? 'ok')
    return codes
  }
  const codes = await callUntilLimited(peer)
  expect(codes.filter((code) => code === 'ok').length).toBeGreaterThanOrEqual(100)
  expect(codes).toContain('RATE_LIMITED')
  const other = await connectOverHttp(server.url)
  const otherCodes = await callUntilLimited(other)
  expect(otherCodes.at(-1)).toBe('RATE_LIMITED')
  expect(otherCodes.length).toBeLessThan(50)
  await peer.close()
  await other.close()
  await server.close()
})

test('footlight call works on a running server; what cannot be is refused at the start', async () => {
  const server = await serveOverHttp(open())
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-http-')))
  const run = async (args: string[]) => {
    const { binary } = await import('../../support/client.ts')
    const child = Bun.spawn([binary, ...args], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      cwd: folder,
    })
    const [stdout, stderr] = [
      await new Response(child.stdout).text(),
      await new Response(child.stderr).text(),
    ]
    return { status: await child.exited, stdout, stderr }
  }
  expect(await run(['call', 'list_sessions', '--server', String(server.url)])).toMatchObject({
    status: 0,
    stdout: '{"sessions":[]}\n',
  })
  writeFileSync(join(folder, 'short'), 'x')
  for (const [args, told] of [
    [['--http', '0', '--host', '0.0.0.0'], 'is reachable from other machines'],
    [['--http', '0', '--auth', 'bearer'], 'requires --token-file'],
    [['--http', '0', '--auth', 'bearer', '--token-file', 'short'], 'at least 16 characters'],
    [['--http', '0', '--auth', 'oauth'], 'requires --issuer and --audience'],
    [['--http', String(server.port)], 'failed to listen'],
  ] as const) {
    const { status, stderr } = await run([...args])
    expect([status, stderr]).toEqual([2, expect.stringContaining(told)])
  }
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}, 120_000)
