import { expect, test } from 'bun:test'
import { createRedactor } from '../../../src/core/base/redaction/redactor.ts'
import { err, ok } from '../../../src/core/base/result.ts'
import type {
  DevServer,
  OwnedServer,
  ServerRequest,
  Servers,
} from '../../../src/core/sessions/types/servers.ts'
import type { SessionManagerOptions } from '../../../src/core/sessions/types/session-options.ts'
import type { ToolCall } from '../../../src/core/tool/tool-call.ts'
import {
  sessionSettings,
  type StillBrowsers,
  stillBrowsers,
  stillSessionManager,
} from '../../support/pages.ts'

const signal = new AbortController().signal
const caller = { signal, progress: () => {} }
const createManager = (browsers: StillBrowsers, more: Partial<SessionManagerOptions> = {}) =>
  stillSessionManager(browsers, { ...sessionSettings, ...more }, () => Math.floor(performance.now()))
const request = (key: string | undefined, more: Partial<ToolCall> = {}): ToolCall => ({
  owner: 'me',
  sessionKey: key,
  signal,
  progress: () => {},
  ask: undefined,
  description: 'test',
  timeoutKind: 'action',
  changesPage: false,
  graceMs: 0,
  ...more,
})

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const codeOf = (outcome: { ok: boolean; error?: { code: string } }) =>
  outcome.ok ? 'ok' : outcome.error?.code

test('100 parallel creates with a limit of 10 give exactly 10, each with an id of its own', async () => {
  const browsers = stillBrowsers()
  const manager = createManager(browsers)
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => manager.create('me', {}, caller)))
  const count = (code: string) => outcomes.filter((outcome) => codeOf(outcome) === code).length
  expect([count('ok'), count('MAX_SESSIONS_REACHED')]).toEqual([10, 90])
  expect(browsers.opened).toHaveLength(10)
  const ids = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value.record.id] : []))
  expect(new Set(ids).size).toBe(10)
  for (const id of ids) expect(id).toMatch(UUID_V4)
  await manager.end(1000)
  expect(browsers.released()).toBe(10)
})

test('close frees the slot and the page; closing twice at once does it once and both succeed', async () => {
  const browsers = stillBrowsers()
  const manager = createManager(browsers, { maxSessions: 1 })
  const session = await manager.create('me', {}, caller)
  if (!session.ok) throw new Error('not made')
  const both = await Promise.all([
    manager.close('me', session.value.record.id),
    manager.close('me', session.value.record.id),
  ])
  expect(both.map(codeOf)).toEqual(['ok', 'ok'])
  expect(browsers.released()).toBe(1)
  expect(codeOf(await manager.close('me', session.value.record.id))).toBe('SESSION_NOT_FOUND')
  for (const run of [manager.runOnPage, manager.runOnSession])
    expect(codeOf(await run(request(session.value.record.id), async () => ok(1)))).toBe('SESSION_NOT_FOUND')
  expect(codeOf(await manager.create('me', {}, caller))).toBe('ok')
})

test('a running call fails with the reason if its session is closed or its browser crashes', async () => {
  const browsers = stillBrowsers()
  const manager = createManager(browsers)
  const [a, b] = await Promise.all([manager.create('me', {}, caller), manager.create('me', {}, caller)])
  if (!a.ok || !b.ok) throw new Error('not made')
  const never = () => new Promise<never>(() => {})
  const closed = manager.runOnPage(request(a.value.record.id), never)
  await manager.close('me', a.value.record.id)
  expect(codeOf(await closed)).toBe('SESSION_CLOSED')
  const died = manager.runOnPage(request(b.value.record.id), never)
  browsers.die({ code: 'BROWSER_CRASHED', browser: 'chromium' })
  expect(codeOf(await died)).toBe('BROWSER_CRASHED')
  expect(codeOf(await manager.runOnPage(request(b.value.record.id), never))).toBe('BROWSER_CRASHED')
})

test('the crash of a browser leaves evidence to the call that runs, to one that waits, and to later ones', async () => {
  const browsers = stillBrowsers()
  const manager = createManager(browsers)
  const session = await manager.create('me', {}, caller)
  if (!session.ok) throw new Error('not made')
  const { id } = session.value.record
  const never = () => new Promise<never>(() => {})
  const running = [manager.runOnPage(request(id), never), manager.runOnPage(request(id), never)]
  browsers.die({ code: 'BROWSER_CRASHED', browser: 'chromium' })
  const ended = await Promise.all(running)
  const later = [
    await manager.runOnPage(request(id), never),
    await manager.runOnSession(request(id), never),
    await manager.close('me', id),
  ]
  for (const outcome of [...ended, ...later]) {
    expect(codeOf(outcome)).toBe('BROWSER_CRASHED')
    expect(outcome.evidence).toMatchObject({ missing: { screenshot: 'the browser has exited' } })
  }
  const stranger = await manager.runOnPage({ ...request(id), owner: 'another' }, never)
  expect([codeOf(stranger), stranger.evidence]).toEqual(['SESSION_NOT_FOUND', undefined])
})

test('a failure is redacted by its own session, also when its browser has crashed', async () => {
  const browsers = stillBrowsers()
  const settings = { ...sessionSettings, implicitSession: false }
  const clock = () => Math.floor(performance.now())
  const manager = stillSessionManager(browsers, settings, clock, undefined, undefined, createRedactor())
  const [session] = [await manager.create('me', {}, caller), await manager.create('me', {}, caller)]
  if (!session.ok) throw new Error('not made')
  const { id } = session.value.record
  manager.find('me', id)?.redactor.learn('typed', ['tulips of Haarlem'])
  const run = manager.runOnPage(request(id), async () =>
    err({ code: 'SCRIPT_ERROR', text: 'no tulips of Haarlem' }),
  )
  expect(JSON.stringify(await run)).toContain('SCRIPT_ERROR')
  expect(JSON.stringify(await run)).not.toContain('tulips')
  browsers.die({ code: 'BROWSER_CRASHED', browser: 'chromium' })
  await manager.close('me', id)
  expect(manager.redactor('me', id).redactText('the tulips of Haarlem')).not.toContain('tulips')
})

test('a cancelled call answers at once and leaves its session usable', async () => {
  const manager = createManager(stillBrowsers())
  const session = await manager.create('me', {}, caller)
  const id = session.ok ? session.value.record.id : ''
  const cancel = new AbortController()
  const call = manager.runOnPage(request(id, { signal: cancel.signal }), () => new Promise<never>(() => {}))
  cancel.abort()
  expect(codeOf(await call)).toBe('CANCELLED')
  expect(codeOf(await manager.runOnPage(request(id), async () => ok(1)))).toBe('ok')
})

test('past the deadline a page that answers timed out, one that does not is hung', async () => {
  const never = () => new Promise<never>(() => {})
  for (const [state, code] of [
    ['answering', 'TIMEOUT'],
    ['freed', 'PAGE_HUNG'],
    ['stuck', 'PAGE_HUNG'],
    ['silent', 'TIMEOUT'],
  ] as const) {
    const manager = createManager(stillBrowsers({ recover: async () => state }))
    const session = await manager.create('me', {}, caller)
    const call = await manager.runOnPage(
      request(session.ok ? session.value.record.id : '', { requestedTimeout: 5 }),
      never,
    )
    expect(codeOf(call)).toBe(code)
  }
})

test('a navigation frees the page of what reads it before that, unless it stays on the document', async () => {
  const reading = Promise.withResolvers<void>()
  let recoveries = 0
  const recover = async () => {
    recoveries += 1
    reading.resolve()
    return 'freed' as const
  }
  const manager = createManager(stillBrowsers({ recover }))
  const session = await manager.create('me', {}, caller)
  const id = session.ok ? session.value.record.id : ''
  const read = manager.runOnPage(request(id, { isRead: true, requestedTimeout: 60_000 }), async () => {
    await reading.promise
    return ok('read')
  })
  const navigate = (opensUrl: string) => manager.runOnPage(request(id, { opensUrl }), async () => ok('left'))
  const staying = navigate('http://127.0.0.1/#part')
  expect(recoveries).toBe(0)
  expect(await navigate('http://127.0.0.1/')).toMatchObject(ok('left'))
  expect([await read, await staying]).toMatchObject([ok('read'), ok('left')])
  expect(recoveries).toBe(1)
})

test('a call on a session that is still opening waits for it', async () => {
  const opening = Promise.withResolvers<void>()
  const manager = createManager(stillBrowsers({}, opening.promise))
  const session = manager.create('me', { name: 'slow' }, caller)
  const call = manager.runOnPage(request('slow'), async () => ok('done'))
  opening.resolve()
  expect(await call).toMatchObject(ok('done'))
  expect(codeOf(await session)).toBe('ok')
})

test('a full queue is refused without losing the calls in it', async () => {
  const manager = createManager(stillBrowsers())
  const session = await manager.create('me', {}, caller)
  const id = session.ok ? session.value.record.id : ''
  const queueBlocked = Promise.withResolvers<void>()
  const calls = Array.from({ length: 101 }, () =>
    manager.runOnPage(request(id), async () => (await queueBlocked.promise, ok(1))),
  )
  expect(codeOf((await calls.at(-1)) ?? ok(1))).toBe('SESSION_BUSY')
  queueBlocked.resolve()
  expect((await Promise.all(calls.slice(0, 100))).every((outcome) => outcome.ok)).toBe(true)
})

test('an implicit session is made once, and not meant where there are several', async () => {
  const browsers = stillBrowsers()
  const lenient = createManager(browsers, { implicitSession: true })
  const calls = await Promise.all(
    [1, 2, 3].map((n) => lenient.runOnPage(request(undefined), async () => ok(n))),
  )
  expect(calls.map(codeOf)).toEqual(['ok', 'ok', 'ok'])
  expect(browsers.opened).toHaveLength(1)
  await lenient.create('me', {}, caller)
  expect(codeOf(await lenient.runOnPage(request(undefined), async () => ok(1)))).toBe('INVALID_PARAMETERS')
})

test('a session lives as long as the options say, or as it asks for', async () => {
  const manager = createManager(stillBrowsers())
  for (const [options, lifeMs] of [
    [{}, sessionSettings.sessionTimeout],
    [{ sessionTimeout: 1234 }, 1234],
  ] as const) {
    const session = await manager.create('me', options, caller)
    if (!session.ok) throw new Error('not made')
    expect(session.value.record.expiresAt - session.value.record.createdAt).toBe(lifeMs)
  }
})

test('a session that asks for more time than any may live is refused', async () => {
  const session = await createManager(stillBrowsers()).create('me', { sessionTimeout: 60_001 }, caller)
  expect(session).toMatchObject({ ok: false, error: { field: 'sessionTimeout' } })
})

test('1,000 create and close cycles leave nothing in the session manager', async () => {
  const browsers = stillBrowsers()
  const manager = createManager(browsers)
  for (let i = 0; i < 1000; i += 1) {
    const session = await manager.create('me', {}, caller)
    if (session.ok) await manager.close('me', session.value.record.id)
  }
  expect(browsers.released()).toBe(1000)
  expect(manager.list('me')).toEqual([])
})

test('closing a session that is being released because it expired says that it expired', async () => {
  const slow = Promise.withResolvers<void>()
  let releases = 0
  const release = () => ((releases += 1), slow.promise)
  const manager = createManager(stillBrowsers({ release }), {
    sessionTimeout: 50,
    maxLifetime: 50,
  })
  const session = await manager.create('me', {}, caller)
  const id = session.ok ? session.value.record.id : ''
  while (manager.list('me').length > 0) await Bun.sleep(20)
  expect(codeOf(await manager.close('me', id))).toBe('SESSION_EXPIRED')
  expect(releases).toBe(1)
  slow.resolve()
})

test('calls that were cancelled in the queue leave room for the next one', async () => {
  const manager = createManager(stillBrowsers())
  const session = await manager.create('me', {}, caller)
  if (!session.ok) throw new Error(session.error.code)
  const key = session.value.record.id
  const blocked = Promise.withResolvers<void>()
  const running = manager.runOnPage(request(key), async () => (await blocked.promise, ok(1)))
  const cancel = new AbortController()
  const cancelled = Array.from({ length: 99 }, () =>
    manager.runOnPage(request(key, { signal: cancel.signal }), async () => ok(2)),
  )
  await Promise.resolve()
  cancel.abort()
  expect((await Promise.all(cancelled)).map(codeOf)).toEqual(Array(99).fill('CANCELLED'))
  const next = manager.runOnPage(request(key), async () => ok(3))
  blocked.resolve()
  expect([await running, await next].map(codeOf)).toEqual(['ok', 'ok'])
  await manager.end(1000)
})

test('events that come while page and server are opened are recorded', async () => {
  const origins: string[] = []
  const still = stillBrowsers({ setServerOrigin: async (origin) => void origins.push(origin) })
  const browsers: StillBrowsers = {
    ...still,
    open(options, hooks) {
      hooks.onEntry({ kind: 'console', level: 'error', text: 'uncaught Error: early' })
      return still.open(options, hooks)
    },
  }
  const infoOf = (port: number) => ({ url: `http://localhost:${port}/`, port, isOwned: true }) as DevServer
  const server = {
    info: () => infoOf(2),
    exitReason: () => undefined,
    sync: () => {},
    stop: async () => ok(''),
  }
  const servers: Servers = {
    async start(_, { onMove }) {
      onMove(infoOf(2), infoOf(1))
      return ok(server as unknown as OwnedServer)
    },
  }
  const manager = stillSessionManager(browsers, sessionSettings, undefined, undefined, servers)
  const session = await manager.create('me', { server: { command: 'x' } as unknown as ServerRequest }, caller)
  if (!session.ok) throw new Error(session.error.code)
  const { entries } = session.value.journal.read({ limit: 10 })
  expect(entries.map(({ text }) => text)).toEqual([
    'The dev server moved from http://localhost:1/ to http://localhost:2/',
    'uncaught Error: early',
  ])
  // Once for the start, once for the move.
  expect(origins).toEqual(['http://localhost:2', 'http://localhost:2'])
  await manager.end(1000)
})

test.each(['cancelled', 'closed', 'ended'] as const)(
  'a session that is %s while its server starts releases the page and stops the server',
  async (ending) => {
    const events: string[] = []
    const servers: Servers = {
      // As a start that was too far to be given up.
      start: (_, __, stop) =>
        new Promise((resolve) => {
          const server = {
            info: () => ({ url: 'http://localhost:1/' }),
            stop: async () => (events.push('server stopped'), ok('')),
          }
          stop.addEventListener('abort', () => resolve(ok(server as unknown as OwnedServer)))
        }),
    }
    const browsers = stillBrowsers({ release: async () => void events.push('page released') })
    const manager = stillSessionManager(browsers, sessionSettings, undefined, undefined, servers)
    const cancel = new AbortController()
    const creation = manager.create(
      'me',
      { server: { command: 'x' } as unknown as ServerRequest },
      { ...caller, signal: cancel.signal },
    )
    await Promise.resolve()
    if (ending === 'cancelled') cancel.abort()
    if (ending === 'closed') await manager.close('me', manager.list('me')[0]?.id)
    if (ending === 'ended') await manager.end(1000)
    expect(codeOf(await creation)).toBe(ending === 'cancelled' ? 'CANCELLED' : 'SESSION_CLOSED')
    await manager.end(1000)
    expect(events).toEqual(['page released', 'server stopped'])
    expect(manager.count()).toBe(0)
  },
)
