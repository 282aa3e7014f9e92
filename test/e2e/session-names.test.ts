// Short names of sessions, and calls that name no session.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Peer } from '../support/client.ts'
import { connect } from '../support/client.ts'
import { connectOverHttp, serveOverHttp } from '../support/http.ts'
import { page, serveSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(
  async () =>
    void (site = await serveSite({ '/': page('<h1>One</h1>', 'One'), '/two': page('<h1>Two</h1>', 'Two') })),
)
afterAll(() => site.close())

const titleOf = async ({ call }: Pick<Peer, 'call'>, input: object = {}) =>
  (await call('evaluate', { script: 'document.title', ...input })).data.result
const requiredOf = async ({ client }: Peer, tool: string): Promise<readonly string[]> => {
  const { tools } = await client.listTools()
  return tools.find(({ name }) => name === tool)?.inputSchema.required ?? []
}

describe('without sessionId', () => {
  test('none: create one; one: it is meant; several: they are listed; closed again: none', async () => {
    const peer = await connect()
    expect(await requiredOf(peer, 'navigate')).toEqual(['url'])
    expect((await peer.call('navigate', { url: site.url })).data).toMatchObject({
      errorCode: 'SESSION_NOT_FOUND',
      category: 'session',
      message: 'No session is open. Call create_session.',
    })
    const startedAt = Date.now()
    const first = (await peer.call('create_session')).data
    const [listed] = (await peer.call('list_sessions')).data.sessions
    expect(listed.createdAt).toBeGreaterThanOrEqual(startedAt)
    expect([first.expiresAt, listed.expiresAt]).toEqual(Array(2).fill(listed.createdAt + 300_000))
    expect((await peer.call('get_session_status')).data).toMatchObject({
      status: 'none',
      page: { url: 'about:blank' },
    })
    expect(first).toMatchObject({ name: 's1', message: expect.stringContaining('Session s1 is open') })
    expect(first.sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    expect((await peer.call('navigate', { url: site.url })).data.title).toBe('One')
    expect(await titleOf(peer, { sessionId: null })).toBe('One')
    expect((await peer.call('get_session_status')).data).toMatchObject({ name: 's1', page: { title: 'One' } })

    const named = (await peer.call('create_session', { name: ' my shop ' })).data
    expect(named).toMatchObject({ name: 'my shop', message: expect.stringContaining('"my shop" is open') })
    await peer.call('navigate', { sessionId: 'my shop', url: `${site.url}/two` })
    for (const tool of ['snapshot', 'close_session', 'get_session_status'])
      expect((await peer.call(tool)).data).toMatchObject({
        errorCode: 'INVALID_PARAMETERS',
        message: `sessionId: expected the name of one of your 2 open sessions, received nothing. Pass one of s1 (${site.url}/), "my shop" (${site.url}/two).`,
        details: {
          field: 'sessionId',
          sessions: [
            { name: 's1', status: 'open', url: `${site.url}/` },
            { name: 'my shop', status: 'open', url: `${site.url}/two` },
          ],
        },
      })
    expect(await titleOf(peer, { sessionId: 's1' })).toBe('One')
    expect(await titleOf(peer, { sessionId: named.sessionId })).toBe('Two')
    const { sessions } = (await peer.call('list_sessions')).data
    expect(sessions.map(({ name }: { name: string }) => name)).toEqual(['s1', 'my shop'])

    expect((await peer.call('close_session', { sessionId: 's1' })).data.message).toBe('Session s1 is closed.')
    expect(await titleOf(peer)).toBe('Two')
    expect((await peer.call('close_session')).data.message).toBe('Session "my shop" is closed.')
    expect((await peer.call('snapshot')).data.errorCode).toBe('SESSION_NOT_FOUND')
    expect((await peer.call('create_session')).data.name).toBe('s2')
    await peer.close()
  })

  test('calls sent together with create_session or close_session go to the session that is open then', async () => {
    const peer = await connect()
    const [created, navigated, title] = await Promise.all([
      peer.call('create_session'),
      peer.call('navigate', { url: site.url }),
      titleOf(peer),
    ])
    expect([created.data.name, navigated.data.title, title]).toEqual(['s1', 'One', 'One'])
    await peer.call('create_session')
    await peer.call('navigate', { sessionId: 's2', url: `${site.url}/two` })
    const [closed, other] = await Promise.all([
      peer.call('close_session', { sessionId: 's1' }),
      titleOf(peer),
    ])
    expect([closed.failed, other]).toEqual([false, 'Two'])
    await peer.close()
  })

  test('a call that fails while another session opens is answered for its own', async () => {
    const peer = await connect()
    const { sessionId } = (await peer.call('create_session')).data
    await peer.call('navigate', { url: site.url })
    const failing = peer.call('click', { selector: '#missing', timeout: 2000 })
    await peer.call('create_session')
    expect((await failing).data).toMatchObject({
      errorCode: 'ELEMENT_NOT_FOUND',
      sessionId,
      evidence: { page: { url: `${site.url}/` } },
    })
    await peer.close()
  })

  test('an expired session is named, and another one is soon made', async () => {
    const peer = await connect({ args: ['--headless', '--session-timeout', '1000'] })
    const { sessionId } = (await peer.call('create_session')).data
    while ((await peer.call('list_sessions')).data.sessions.length > 0) await Bun.sleep(50)
    const expired = {
      errorCode: 'SESSION_EXPIRED',
      sessionId,
      message: expect.stringMatching(/^Session s1 expired .*create_session/),
      details: { name: 's1', reason: 'idle', after: 1000 },
    }
    expect((await peer.call('snapshot')).data).toMatchObject(expired)
    expect((await peer.call('close_session')).data).toMatchObject(expired)
    expect((await peer.call('create_session', { sessionTimeout: 60_000 })).data.name).toBe('s2')
    expect((await peer.call('navigate', { url: site.url })).data.title).toBe('One')
    await peer.close()
  })

  test.each(['session', 'e2e', 'browser'])(
    '--names %s: it is required, and a name is enough',
    async (names) => {
      const peer = await connect({ args: ['--headless', '--names', names] })
      const { tools } = await peer.client.listTools()
      const withSession = tools.filter(({ inputSchema }) => 'sessionId' in (inputSchema.properties ?? {}))
      expect(withSession.length).toBeGreaterThan(25)
      for (const { inputSchema } of withSession) expect(inputSchema.required).toContain('sessionId')
      const { name } = (await peer.call('create_session')).data
      expect((await peer.call('navigate', { url: site.url })).data).toMatchObject({
        errorCode: 'INVALID_PARAMETERS',
        details: { field: 'sessionId', received: 'nothing' },
      })
      expect((await peer.call('navigate', { sessionId: name, url: site.url })).data.title).toBe('One')
      await peer.close()
    },
  )
})

describe('names', () => {
  test('of sessions opened at the same time differ; one browser serves them', async () => {
    const peer = await connect()
    const created = await Promise.all(Array.from({ length: 10 }, () => peer.call('create_session')))
    const names = created.map(({ data }) => data.name)
    expect(names.toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `s${index + 1}`).toSorted())
    expect((await peer.call('snapshot')).data.details.openCount).toBe(10)
    expect(peer.trace.browsers()).toHaveLength(1)
    await peer.close()
  })

  test('that are taken are refused; an automatic one avoids those that were given', async () => {
    const peer = await connect()
    expect((await peer.call('create_session', { name: 's2' })).data.name).toBe('s2')
    expect((await peer.call('create_session')).data.name).toBe('s1')
    expect((await peer.call('create_session')).data.name).toBe('s3')
    for (const name of ['s1', 's2', 's3', 's3 '])
      expect((await peer.call('create_session', { name })).data).toMatchObject({
        errorCode: 'INVALID_PARAMETERS',
        details: { field: 'name' },
      })
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(65)])
      expect((await peer.call('create_session', { name })).data.details.field).toBe('name')
    const { contents } = await peer.client.readResource({ uri: 'footlight://sessions/s1/console' })
    expect(contents).toHaveLength(1)
    await peer.close()
  })

  test('over HTTP each client has its own, and a call goes only to a session of its client', async () => {
    const server = await serveOverHttp(['--allowed-hosts', new URL(site.url).host])
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => connectOverHttp(server.url)))
    if (!first || !second || !third) throw new Error('no clients')
    const created = await Promise.all([first.call('create_session'), second.call('create_session')])
    expect(created.map(({ data }) => data.name)).toEqual(['s1', 's1'])
    await first.call('navigate', { url: site.url })
    await second.call('navigate', { url: `${site.url}/two` })
    expect(await Promise.all([titleOf(first), titleOf(second)])).toEqual(['One', 'Two'])
    for (const input of [{}, { sessionId: 's1' }])
      expect((await third.call('snapshot', input)).data.errorCode).toBe('SESSION_NOT_FOUND')
    // A full id is a handle; it makes the session neither its own nor the only one.
    expect(await titleOf(third, { sessionId: created[0]?.data.sessionId })).toBe('One')
    expect((await third.call('close_session')).data.errorCode).toBe('SESSION_NOT_FOUND')
    await first.call('create_session')
    const { details } = (await first.call('snapshot')).data
    expect(details.sessions.map(({ name }: { name: string }) => name)).toEqual(['s1', 's2'])
    expect(await titleOf(second)).toBe('Two')
    await Promise.all([first, second, third].map((peer) => peer.close()))
    expect(await server.close()).toBe(0)
  })
})

test('a number is the name of a session, also beside the only one', async () => {
  const peer = await connect()
  await peer.call('create_session', { name: '7' })
  const find = async (sessionId: unknown) => (await peer.call('exists', { selector: 'body', sessionId })).data
  expect(await find(7)).toMatchObject({ exists: true })
  expect(await find(8)).toMatchObject({ errorCode: 'SESSION_NOT_FOUND' })
  await peer.close()
})
