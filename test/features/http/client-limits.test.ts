// Over HTTP every request counts for its client, whatever connection it comes over, and no client takes another one's place.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type HttpServer, serveOverHttp } from '../../support/http.ts'
import { MODERN_REVISION, modernMeta } from '../../support/modern.ts'

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly message: any
}

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const rpc = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })
const initialize = rpc('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
})
const call = (name: string) => rpc('tools/call', { name, arguments: {} })

/** A request over a connection of its own, from an address of this machine. */
const post = (
  url: URL,
  body: unknown,
  headers: Record<string, string> = {},
  from = '127.0.0.1',
  method = 'POST',
): Promise<Got> =>
  new Promise((resolve, reject) => {
    const options = { method, headers: { ...HEADERS, ...headers }, localAddress: from, agent: false }
    const request = send(url, options, (response) => {
      let text = ''
      const settle = () => {
        const data = text.startsWith('{')
          ? text
          : (text.split('\n').findLast((line) => line.startsWith('data: {')) ?? '').slice(6)
        const { statusCode: status = 0, headers: got } = response
        resolve({ status, headers: got, message: data === '' ? undefined : JSON.parse(data) })
      }
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', settle)
      // A stream does not end: its headers are the answer.
      if (method === 'GET' && response.statusCode === 200) {
        settle()
        open.push(() => request.destroy())
      }
    })
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
const open: (() => void)[] = []
const hangUp = () => open.splice(0).forEach((close) => close())

const sessionOf = ({ headers }: Got) => ({ 'mcp-session-id': String(headers['mcp-session-id']) })

describe('requests', () => {
  let server: HttpServer
  afterAll(async () => void (await server?.close()))
  const start = async (...more: string[]) => {
    await server?.close()
    server = await serveOverHttp(['--rate-limit', '6', ...more])
    return server.url
  }

  test.each([
    ['initialize', initialize],
    ['tools/list', rpc('tools/list')],
    ['resources/list', rpc('resources/list')],
    ['ping', rpc('ping')],
    ['notifications/initialized', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an answer to nothing', { jsonrpc: '2.0', id: 9, result: {} }],
    ['no JSON-RPC', { some: 'thing' }],
  ])(
    '%s: too many are 429 with the time to wait, over new connections and MCP sessions too',
    async (_, body) => {
      const url = await start()
      const statuses: number[] = []
      let last: Got | undefined
      for (let round = 0; round < 9; round += 1) {
        const first = await post(url, initialize)
        if (first.status === 429) {
          last = first
          break
        }
        last = await post(url, body, sessionOf(first))
        statuses.push(last.status)
        if (last.status === 429) break
      }
      expect(last?.status).toBe(429)
      expect(statuses.length).toBeLessThanOrEqual(3)
      expect(Number(last?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(last?.message.error.message).toMatch(
        /^Rate limit exceeded \(6 requests per minute\)\. Wait \d+ ms/,
      )
      // Another address is another client; a header that names one is not.
      expect((await post(url, initialize, { 'x-forwarded-for': '10.1.2.3' })).status).toBe(429)
      expect((await post(url, initialize, {}, '127.0.0.2')).status).toBe(200)
    },
    30_000,
  )
  test('GET streams, DELETE and a body that is no JSON count as well', async () => {
    const url = await start()
    const session = sessionOf(await post(url, initialize))
    expect((await post(url, undefined, session, undefined, 'GET')).status).toBe(200)
    for (let round = 0; round < 4; round += 1) await post(url, 'nothing', {}, undefined, 'PUT')
    expect((await post(url, undefined, session, undefined, 'GET')).status).toBe(429)
    expect((await post(url, undefined, session, undefined, 'DELETE')).status).toBe(429)
    hangUp()
  })
  test('calls of tools are RATE_LIMITED, counted for the client and not for its MCP session', async () => {
    const url = await start('--session-rate-limit', '1000')
    const sessions = [sessionOf(await post(url, initialize)), sessionOf(await post(url, initialize))]
    const codes: string[] = []
    for (let round = 0; round < 8; round += 1) {
      const { status, message } = await post(url, call('list_sessions'), sessions[round % 2])
      expect(status).toBe(200)
      codes.push(message.result.structuredContent.errorCode ?? 'ok')
    }
    expect(codes).toEqual([...Array<string>(6).fill('ok'), 'RATE_LIMITED', 'RATE_LIMITED'])
    const unknown = await post(url, call('no_such_tool'), sessions[0])
    expect(unknown.message.result.structuredContent.errorCode).toBe('RATE_LIMITED')
    // A batch is as many as it holds.
    const fresh = await post(url, initialize, {}, '127.0.0.3')
    const batch = Array.from({ length: 7 }, (_, id) => rpc('ping', {}, id))
    expect((await post(url, batch, sessionOf(fresh), '127.0.0.3')).status).toBe(429)
    for (let round = 0; round < 6; round += 1) await post(url, [], {}, '127.0.0.4')
    expect((await post(url, [], {}, '127.0.0.4')).status).toBe(429)
  })
  test.each<[string, unknown, Record<string, string>]>([
    ['wrong parameters', rpc('tools/call', { name: 7 }), {}],
    ['no parameters', { jsonrpc: '2.0', id: 1, method: 'tools/call' }, {}],
    ['no id', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'list_sessions' } }, {}],
    ['no MCP session', call('list_sessions'), { 'mcp-session-id': '' }],
    ['an unknown MCP session', call('list_sessions'), { 'mcp-session-id': crypto.randomUUID() }],
    [
      'the headers of another method',
      rpc('tools/call', { name: 'list_sessions', arguments: {}, _meta: modernMeta }),
      { 'mcp-protocol-version': MODERN_REVISION, 'mcp-method': 'tools/list', 'mcp-session-id': '' },
    ],
  ])('a call with %s counts as a call', async (_, body, headers) => {
    const url = await start()
    const session = sessionOf(await post(url, initialize))
    const sent = { ...session, ...headers }
    if (sent['mcp-session-id'] === '') delete (sent as Record<string, string>)['mcp-session-id']
    const refusals: boolean[] = []
    for (let round = 0; round < 8; round += 1) {
      const { status, message } = await post(url, body, sent)
      refusals.push(status === 429 || message?.result?.structuredContent?.errorCode === 'RATE_LIMITED')
    }
    expect(refusals).toEqual([...Array<boolean>(6).fill(false), true, true])
    // What asks for no work is not refused for it.
    expect((await post(url, rpc('ping'), session)).status).toBe(200)
    expect((await post(url, undefined, session, undefined, 'GET')).status).toBe(200)
    hangUp()
  })
})

describe('connections', () => {
  let server: HttpServer
  beforeEach(
    async () => void (server = await serveOverHttp(['--rate-limit', '100000', '--private-hosts', 'allow'])),
  )
  afterEach(async () => void (await server.close()))

  test('a client that opens many loses only its own; without an idle one it is refused', async () => {
    const { url } = server
    const mine = sessionOf(await post(url, initialize, {}, '127.0.0.2'))
    const first = sessionOf(await post(url, initialize))
    for (let round = 0; round < 120; round += 1) await post(url, initialize)
    expect((await post(url, rpc('ping'), mine, '127.0.0.2')).status).toBe(200)
    expect((await post(url, rpc('ping'), first)).status).toBe(404)
    // With a stream open, a connection is in use.
    for (let round = 0; round < 100; round += 1) {
      const session = sessionOf(await post(url, initialize, {}, '127.0.0.3'))
      await post(url, undefined, session, '127.0.0.3', 'GET')
    }
    const refused = await post(url, initialize, {}, '127.0.0.3')
    expect([refused.status, refused.message.error.message]).toEqual([
      503,
      expect.stringContaining('All 100 connections allowed for one client are in use'),
    ])
    expect(refused.headers['retry-after']).toBe('60')
    hangUp()
  }, 300_000)
  test('where all are taken, a new client is refused and those that are there stay', async () => {
    const { url } = server
    const held: [Record<string, string>, string][] = []
    for (let client = 10; client < 20; client += 1) {
      const from = `127.0.0.${client}`
      for (let round = 0; round < 100; round += 1) {
        const got = await post(url, initialize, {}, from)
        if (got.status === 200 && round % 30 === 0) held.push([sessionOf(got), from])
      }
    }
    const late = await post(url, initialize, {}, '127.0.0.99')
    expect([late.status, late.message.error.message]).toEqual([
      503,
      expect.stringContaining('All 1000 connections of this server are in use'),
    ])
    for (const [session, from] of held) {
      const { status } = await post(url, rpc('ping'), session, from)
      expect([from, status]).toEqual([from, 200])
    }
  }, 120_000)
})

describe('tokens', () => {
  let server: HttpServer
  let folder: string
  let key: CryptoKey
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fl-keys-'))
    const pair = await generateKeyPair('ES256')
    key = pair.privateKey
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' }
    writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys: [jwk] }))
    const jwks = join(folder, 'keys.json')
    const oauth = ['--auth', 'oauth', '--issuer', 'https://issuer.test', '--audience', 'footlight']
    server = await serveOverHttp(['--rate-limit', '30', ...oauth, '--jwks', jwks])
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  const ask = async (claims: Record<string, unknown>, from?: string) => {
    const token = await new SignJWT({
      iss: 'https://issuer.test',
      aud: 'footlight',
      scope: 'mcp:execute',
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setExpirationTime('5m')
      .sign(key)
    return post(server.url, initialize, { authorization: `Bearer ${token}` }, from)
  }

  test.each([[1], [''], ['  '], [{ id: 'ada' }], [['ada']], [null], [true]])(
    'a sub of %j names nobody',
    async (sub) => {
      const { status, headers } = await ask({ sub })
      expect([status, headers['www-authenticate']]).toEqual([
        401,
        expect.stringContaining('error="invalid_token", error_description="the token\'s sub is not'),
      ])
    },
  )
  test.each([
    [{ scope: { 'mcp:execute': true } }, 401],
    [{ scope: 1 }, 401],
    [{ scope: ['mcp:execute', 1] }, 401],
    [{ scope: null, scp: 'mcp:execute' }, 401],
    [{ scp: { toString: 'mcp:execute' } }, 401],
    [{ scope: ['x mcp:execute'] }, 403],
    [{ scope: 'mcp:executed' }, 403],
    [{ scope: undefined }, 403],
    [{ scope: undefined, scp: ['read', 'mcp:execute'] }, 200],
    [{ scope: undefined, scp: 'read mcp:execute' }, 200],
    [{ scope: ['mcp:execute'] }, 200],
  ])('the claims %j are answered with %d', async (claims, status) => {
    expect((await ask({ sub: `s-${JSON.stringify(claims)}`, ...claims }, '127.0.0.5')).status).toBe(status)
  })
  test('a subject has one count wherever it comes from; guesses at tokens count for their address', async () => {
    // Two seconds give another one.
    const refused = (statuses: readonly number[]) => statuses.indexOf(429)
    const began = performance.now()
    const statuses: number[] = []
    while (refused(statuses) < 0 && statuses.length < 200)
      statuses.push((await ask({ sub: 'busy' }, `127.0.1.${statuses.length + 1}`)).status)
    expect(refused(statuses)).toBeWithin(30, 32 + (performance.now() - began) / 2000)
    expect((await ask({ sub: 'other' }, '127.0.1.1')).status).toBe(200)
    const guesses: number[] = []
    while (refused(guesses) < 0 && guesses.length < 200)
      guesses.push((await post(server.url, initialize, { authorization: 'Bearer x' }, '127.0.0.7')).status)
    expect([guesses[0], guesses.at(-1)]).toEqual([401, 429])
    expect((await ask({ sub: 'other' }, '127.0.0.7')).status).toBe(200)
  })
})
