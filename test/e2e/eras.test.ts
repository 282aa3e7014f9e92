// Protocol revision 2026-07-28: no initialize and no transport session. The legacy era is what all other tests speak.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connectOverHttp, type HttpServer, serveOverHttp } from '../support/http.ts'
import { until } from '../support/leftovers.ts'
import {
  connectModern,
  connectModernOverHttp,
  MODERN_REVISION,
  modernMeta,
  type ModernPeer,
} from '../support/modern.ts'
import { startRaw } from '../support/raw.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const request = (id: number, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: modernMeta },
})

let site: Site
beforeAll(async () => {
  site = await serveSite({}, page('<button>Go</button><script>console.log("ready")</script>', 'Home'))
})
afterAll(() => site.close())

test('a probe starts no process; the list of tools starts the browser', async () => {
  const raw = await startRaw([], { greet: false })
  raw.send(request(1, 'server/discover'))
  const { result } = await raw.answer(1)
  expect(result).toMatchObject({
    supportedVersions: [MODERN_REVISION],
    resultType: 'complete',
    ttlMs: 3_600_000,
    cacheScope: 'public',
  })
  raw.send(request(2, 'resources/list'))
  await raw.answer(2)
  expect(raw.trace.processes().map(({ pid }) => pid)).toEqual([raw.pid])
  raw.send(request(3, 'tools/list'))
  // Clients that render apps have one tool more.
  expect((await raw.answer(3)).result).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'private' })
  expect(await until(() => raw.trace.browsers().length > 0)).toBe(true)
  expect(await raw.close()).toBe(0)
})

test('an unknown revision is refused with the known ones; a request without its client, too', async () => {
  const raw = await startRaw([], { greet: false })
  const version = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
  raw.send({ ...request(1, 'tools/list'), params: { _meta: { ...modernMeta, ...version } } })
  expect((await raw.answer(1)).error).toMatchObject({
    code: -32_022,
    data: { supported: [MODERN_REVISION], requested: '2099-01-01' },
  })
  const { 'io.modelcontextprotocol/clientCapabilities': _, ...incomplete } = modernMeta
  raw.send({ ...request(2, 'tools/list'), params: { _meta: incomplete } })
  expect((await raw.answer(2)).error.code).toBe(-32_602)
  // Also after calls of a known one, and these go on.
  raw.send(request(3, 'tools/list'))
  expect((await raw.answer(3)).result.tools).not.toEqual([])
  raw.send({ ...request(4, 'tools/list'), params: { _meta: { ...modernMeta, ...version } } })
  expect((await raw.answer(4)).error).toMatchObject({
    code: -32_022,
    data: { supported: [MODERN_REVISION], requested: '2099-01-01' },
  })
  raw.send(request(5, 'resources/templates/list'))
  expect((await raw.answer(5)).result.resourceTemplates).not.toEqual([])
  expect(await raw.close()).toBe(0)
})

test('in the legacy era a resource that is not there has the code of that era', async () => {
  const params = { uri: 'footlight://sessions/none/console' }
  const raw = await startRaw()
  raw.send({ jsonrpc: '2.0', id: 1, method: 'resources/read', params })
  expect((await raw.answer(1)).error.code).toBe(-32_002)
  expect(await raw.close()).toBe(0)
  const server = await serveOverHttp()
  const peer = await connectOverHttp(server.url)
  await expect(peer.client.readResource(params)).rejects.toMatchObject({ code: -32_002 })
  await peer.close()
  expect(await server.close()).toBe(0)
})

describe('over stdio', () => {
  let peer: ModernPeer
  const questions: string[] = []
  let isAccepted = true
  beforeAll(async () => {
    peer = await connectModern(['--ask-hosts'], ({ params }) => {
      questions.push(params.message)
      return isAccepted ? { action: 'accept', content: { allow: true } } : { action: 'decline' }
    })
    await peer.call('create_session')
  })
  afterAll(() => peer.close())

  test('the user is asked by input_required, once in each call that needs it', async () => {
    isAccepted = false
    const refused = await peer.call('navigate', { url: site.url })
    expect([refused.data.errorCode, questions.length]).toEqual(['ACCESS_DENIED', 1])
    isAccepted = true
    const opened = await peer.call('navigate', { url: site.url })
    expect([opened.data.title, questions.length]).toEqual(['Home', 2])
    expect(questions[1]).toContain(`127.0.0.1 on port ${new URL(site.url).port}, which no rule allows`)
    await peer.call('navigate', { url: `${site.url}/again` })
    expect(questions).toHaveLength(2)
  })

  test('a failing call has its evidence, and the session is kept', async () => {
    const { failed, data } = await peer.call('click', { selector: '#none', timeout: 100 })
    expect([failed, data.errorCode]).toEqual([true, 'ELEMENT_NOT_FOUND'])
    expect(data.evidence.page.title).toBe('Home')
    expect((await peer.call('list_sessions')).data.sessions).toHaveLength(1)
  })

  test('a listener hears of its resources until it stops', async () => {
    const [{ sessionId }] = (await peer.call('list_sessions')).data.sessions
    const uri = `footlight://sessions/${sessionId}/console`
    const updates: string[] = []
    let listChanges = 0
    peer.client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updates.push(params.uri)
    })
    peer.client.setNotificationHandler('notifications/resources/list_changed', () => {
      listChanges += 1
    })
    const subscription = await peer.client.listen({
      resourceSubscriptions: [uri],
      resourcesListChanged: true,
    })
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uri], resourcesListChanged: true })
    await peer.call('evaluate', { script: 'console.log("heard")' })
    expect(await until(() => updates.length > 0)).toBe(true)
    expect(new Set(updates)).toEqual(new Set([uri]))
    const { data } = await peer.call('create_session')
    expect(await until(() => listChanges > 0)).toBe(true)
    await subscription.close()
    const count = listChanges
    await peer.call('close_session', { sessionId: data.sessionId })
    await peer.call('list_sessions')
    expect(listChanges).toBe(count)
  })

  test('a cancelled call ends, and the next one runs', async () => {
    const abort = new AbortController()
    const call = peer.client.callTool(
      { name: 'wait_for', arguments: { selector: '#never', timeout: 60_000 } },
      { signal: abort.signal },
    )
    abort.abort('enough')
    await expect(call).rejects.toThrow(/enough/)
    expect((await peer.call('evaluate', { script: '1 + 1' })).data.result).toBe(2)
  })

  test('a resource that is not there is a wrong parameter', async () => {
    const uri = 'footlight://sessions/none/console'
    const reading = peer.client.readResource({ uri })
    await expect(reading).rejects.toMatchObject({ code: -32_602, data: { uri } })
  })
})

describe('over HTTP', () => {
  let server: HttpServer
  beforeAll(async () => {
    server = await serveOverHttp(['--ask-hosts', '--allowed-hosts', '127.0.0.1', '--implicit-session'])
  })
  afterAll(async () => {
    expect(await server.close()).toBe(0)
  })
  const post = (body: object, headers: Record<string, string> = {}) =>
    fetch(server.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': MODERN_REVISION,
        ...headers,
      },
      body: JSON.stringify(body),
    })

  test('without authentication a session is found by its id, and by nothing else', async () => {
    const questions: string[] = []
    const decline = ({ params }: { params: { message: string } }) => {
      questions.push(params.message)
      return { action: 'decline' as const }
    }
    const [one, two] = [
      await connectModernOverHttp(server.url, undefined, decline),
      await connectModernOverHttp(server.url),
    ]
    const { tools } = await one.client.listTools()
    expect(tools.find(({ name }) => name === 'snapshot')?.inputSchema.required).toEqual(['sessionId'])
    const made = await one.client.callTool({ name: 'create_session', arguments: {} })
    const { sessionId, name } = made.structuredContent as { sessionId: string; name: string }
    // Several clients show their model the text alone.
    expect(JSON.stringify(made.content)).toContain(sessionId)
    expect((await one.call('navigate', { url: site.url })).data.errorCode).toBe('INVALID_PARAMETERS')
    for (const { call, client } of [one, two]) {
      expect((await call('list_sessions')).data.sessions).toEqual([])
      expect((await client.listResources()).resources).toEqual([])
      expect((await call('navigate', { sessionId: name, url: site.url })).data.errorCode).toBe(
        'SESSION_NOT_FOUND',
      )
      expect((await call('navigate', { sessionId, url: site.url })).data.title).toBe('Home')
    }
    // An address that is asked about and never granted, so that nothing leaves this machine.
    const refused = await one.call('navigate', { sessionId, url: 'http://93.184.216.34/' })
    expect([refused.data.errorCode, questions.length]).toEqual(['ACCESS_DENIED', 1])
    const updates: string[] = []
    one.client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updates.push(params.uri)
    })
    const uri = `footlight://sessions/${sessionId}/console`
    const subscription = await one.client.listen({ resourceSubscriptions: [uri] })
    await two.call('evaluate', { sessionId, script: 'console.log("heard")' })
    expect(await until(() => updates.length > 0)).toBe(true)
    await subscription.close()
    const abort = new AbortController()
    const endless = { sessionId, selector: '#never', timeout: 60_000 }
    const call = two.client.callTool({ name: 'wait_for', arguments: endless }, { signal: abort.signal })
    call.catch(() => {})
    const isRunning = async () =>
      (await (await fetch(new URL('/metrics', server.url))).text()).includes('\nfootlight_calls_open 1\n')
    expect(await until(isRunning)).toBe(true)
    abort.abort('enough')
    await expect(call).rejects.toThrow(/enough/)
    const startedAt = performance.now()
    expect((await one.call('evaluate', { sessionId, script: '1 + 1' })).data.result).toBe(2)
    expect(performance.now() - startedAt).toBeLessThan(50_000)
    expect((await two.call('close_session', { sessionId })).failed).toBe(false)
    await Promise.all([one.close(), two.close()])
  })

  test('headers that say something else than the body are refused', async () => {
    const list = request(1, 'tools/list')
    const codeOf = async (headers: Record<string, string>) => {
      const response = await post(list, headers)
      return [response.status, (await response.json()).error?.code]
    }
    expect(await codeOf({ 'mcp-method': 'tools/call' })).toEqual([400, -32_020])
    expect(await codeOf({ 'mcp-method': 'tools/list', 'mcp-protocol-version': '2025-11-25' })).toEqual([
      400, -32_020,
    ])
    expect(await codeOf({ 'mcp-method': 'tools/list' })).toEqual([200, undefined])
  })

  test('too many resources in one subscription are refused', async () => {
    const resourceSubscriptions = Array.from(
      { length: 101 },
      (_, index) => `footlight://sessions/${index}/console`,
    )
    const listen = request(1, 'subscriptions/listen', { notifications: { resourceSubscriptions } })
    const response = await post(listen, { 'mcp-method': 'subscriptions/listen' })
    expect([response.status, (await response.json()).error.code]).toEqual([400, -32_602])
  })
})

test('with a token its subject owns the sessions, whatever connection it uses', async () => {
  const token = 'a-token-of-the-test-1234'
  const server = await serveOverHttp(['--auth', 'bearer', '--allowed-hosts', '127.0.0.1'], {
    FOOTLIGHT_TOKEN: token,
  })
  const [one, two] = [
    await connectModernOverHttp(server.url, token),
    await connectModernOverHttp(server.url, token),
  ]
  const { name } = (await one.call('create_session')).data
  expect((await two.call('list_sessions')).data.sessions).toHaveLength(1)
  expect((await two.call('navigate', { url: site.url })).data.title).toBe('Home')
  expect((await two.call('close_session', { sessionId: name })).failed).toBe(false)
  await expect(connectModernOverHttp(server.url, 'another-token-1234567')).rejects.toThrow()
  await Promise.all([one.close(), two.close()])
  expect(await server.close()).toBe(0)
})
