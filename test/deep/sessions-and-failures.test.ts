// Correctness properties of the session-server seed, with random input. What a client can see is checked against the built binary. One
// example of each is a test of its feature; docs/project/requirements.md names them.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readFlags } from '../../src/core/cli/options/flags.ts'
import { optionNames } from '../../src/core/cli/options/option-list.ts'
import { resolveSettings } from '../../src/core/cli/options/settings.ts'
import { connect, type Peer } from '../support/client.ts'
import { stillBrowsers, stillSessionManager } from '../support/pages.ts'
import { page, serveSite, type Site } from '../support/site.ts'

let site: Site
let peer: Peer
let sessionId: string

beforeAll(async () => {
  const field = page(
    '<input id="i"><button id="b">B</button><div id="cover" hidden style="position:fixed;inset:0"></div>',
  )
  site = await serveSite({ '/': field })
  peer = await connect()
  sessionId = await peer.session({ name: 'main' })
  await peer.call('navigate', { sessionId, url: site.url })
})

afterAll(async () => {
  await peer.close()
  site.close()
})

const runs = { numRuns: 100 }
const calling = { signal: new AbortController().signal, progress: () => {} }
const settingsOf = (...raw: string[]) => {
  const flags = readFlags(raw, optionNames, ['headless', 'implicitSession'])
  const settings = flags.ok
    ? resolveSettings({ flags: flags.value.values, env: {}, read: () => '{}' })
    : flags
  if (!settings.ok) throw new Error(settings.error)
  return settings.value
}
const deskOf = (...raw: string[]) => {
  const settings = settingsOf(...raw)
  return stillSessionManager(stillBrowsers(), {
    ...settings,
    maxLifetime: settings.maxLifetime ?? 86_400_000,
  })
}
const anyKey = fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 30 })).filter((key) => key !== 'main')

const inputs: Record<string, object> = {
  navigate: { url: 'about:blank' },
  click: { selector: 'a' },
  type: { selector: 'a', text: 'x' },
}

test('any key that is no session answers SESSION_NOT_FOUND, in every tool', async () => {
  const tools = ['navigate', 'click', 'type', 'close_session', 'get_session_status'] as const
  await fc.assert(
    fc.asyncProperty(anyKey, fc.constantFrom(...tools), async (key, tool) => {
      const { data } = await peer.call(tool, { sessionId: key, ...inputs[tool] })
      expect(data).toMatchObject({ errorCode: 'SESSION_NOT_FOUND', sessionId: key })
    }),
    runs,
  )
})

test('a navigation that succeeds answers title, url and status', async () => {
  const path = fc
    .array(fc.stringMatching(/^[a-z0-9]{1,8}$/), { maxLength: 3 })
    .map((parts) => parts.join('/'))
  await fc.assert(
    fc.asyncProperty(path, async (path) => {
      const { failed, data } = await peer.call('navigate', { sessionId, url: `${site.url}/${path}` })
      expect(failed).toBe(false)
      expect(data).toEqual({
        success: true,
        title: expect.any(String),
        url: `${site.url}/${path}`,
        status: path === '' ? 200 : 404,
      })
    }),
    runs,
  )
})

test('clicks and typing that succeed say success: true, and the text is there', async () => {
  await peer.call('navigate', { sessionId, url: site.url })
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 12, unit: 'grapheme-ascii' }), async (text) => {
      const typed = await peer.call('type', { sessionId, selector: '#i', text, clear: true })
      expect(typed.data).toMatchObject({ success: true })
      expect(
        (await peer.call('evaluate', { sessionId, script: 'document.querySelector("#i").value' })).data
          .result,
      ).toBe(text)
      expect((await peer.call('click', { sessionId, selector: '#b' })).data).toMatchObject({ success: true })
    }),
    runs,
  )
}, 120_000)

test('any browser, mode and timeout given is what the server runs with', () => {
  const any = fc.record({
    browser: fc.constantFrom('chromium', 'firefox', 'webkit'),
    headless: fc.boolean(),
    sessionTimeout: fc.integer({ min: 1, max: 86_400_000 }),
  })
  fc.assert(
    fc.property(any, ({ browser, headless, sessionTimeout }) => {
      const settings = settingsOf(
        '--browser',
        browser,
        `--headless=${headless}`,
        '--session-timeout',
        String(sessionTimeout),
      )
      expect(settings).toMatchObject({ browser, headless, sessionTimeout })
    }),
    runs,
  )
})

test('sessions live for the time given at start', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 86_400_000 }), async (timeout) => {
      const made = await deskOf('--session-timeout', String(timeout)).create('me', {}, calling)
      expect(made.ok && made.value.record.expiresAt - made.value.record.createdAt).toBe(timeout)
    }),
    runs,
  )
})

test('never more sessions than the limit given at start', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 0, max: 60 }),
      async (limit, wanted) => {
        const sessions = deskOf('--max-sessions', String(limit))
        const made = await Promise.all(
          Array.from({ length: wanted }, () => sessions.create('me', {}, calling)),
        )
        expect(made.filter(({ ok }) => ok)).toHaveLength(Math.min(limit, wanted))
      },
    ),
    runs,
  )
})

test('what one session stores, another does not see', async () => {
  const other = await peer.session()
  await peer.call('navigate', { sessionId: other, url: site.url })
  const word = fc.stringMatching(/^[a-z]{3,10}$/)
  await fc.assert(
    fc.asyncProperty(word, word, fc.constantFrom('cookie', 'local', 'session'), async (key, value, store) => {
      const write = {
        cookie: `document.cookie = "${key}=${value}"`,
        local: `localStorage.${key} = "${value}"`,
        session: `sessionStorage.${key} = "${value}"`,
      }[store]
      await peer.call('evaluate', { sessionId, script: `${write}; return 1` })
      const { data } = await peer.call('evaluate', {
        sessionId: other,
        script: '[document.cookie, localStorage.length, sessionStorage.length]',
      })
      expect(data.result).toEqual(['', 0, 0])
    }),
    runs,
  )
  await peer.call('close_session', { sessionId: other })
})

const nobody = fc.uuid()
const failing = fc.oneof(
  fc.record({
    tool: fc.constant('click'),
    input: fc.constant({ selector: '#none', timeout: 20 }),
    code: fc.constant('ELEMENT_NOT_FOUND'),
    own: fc.constant(true),
  }),
  fc.record({
    tool: fc.constant('type'),
    input: fc.constant({ selector: '#b', text: 'x', timeout: 2000 }),
    code: fc.constant('ELEMENT_NOT_EDITABLE'),
    own: fc.constant(true),
  }),
  fc.record({
    tool: fc.constant('click'),
    input: fc.constant({ selector: 'b[' }),
    code: fc.constant('INVALID_PARAMETERS'),
    own: fc.constant(true),
  }),
  fc.record({
    tool: fc.constant('navigate'),
    input: fc.constant({ url: 'file:///etc/passwd' }),
    code: fc.constant('ACCESS_DENIED'),
    own: fc.constant(true),
  }),
  fc.record({
    tool: fc.constant('navigate'),
    input: fc.constant({ url: 'http://127.0.0.1:9998/' }),
    code: fc.constant('NAVIGATION_FAILED'),
    own: fc.constant(true),
  }),
  fc.record({
    tool: fc.constant('evaluate'),
    input: fc.constant({ script: 'throw new Error("x")' }),
    code: fc.constant('SCRIPT_ERROR'),
    own: fc.constant(true),
  }),
  fc.record({
    tool: fc.constant('wait_for'),
    input: fc.constant({ text: 'never there', timeout: 20 }),
    code: fc.constant('TIMEOUT'),
    own: fc.constant(true),
  }),
  fc.record({
    tool: fc.constant('exists'),
    input: nobody.map((id) => ({ sessionId: id, selector: 'a' })),
    code: fc.constant('SESSION_NOT_FOUND'),
    own: fc.constant(false),
  }),
)

test('every failure has a code, a message and its session, and each cause its own code', async () => {
  await peer.call('navigate', { sessionId, url: site.url })
  const codes = new Map<string, string>()
  await fc.assert(
    fc.asyncProperty(failing, async ({ tool, input, code, own }) => {
      const { failed, data } = await peer.call(tool, { sessionId, ...input })
      expect(failed).toBe(true)
      expect(data).toMatchObject({
        errorCode: code,
        message: expect.any(String),
        details: expect.any(Object),
      })
      expect(data.sessionId).toBe(own ? sessionId : (input as { sessionId: string }).sessionId)
      const cause = `${tool} ${'sessionId' in input ? 'nobody' : JSON.stringify(input)}`
      expect(codes.get(code) ?? cause).toBe(cause)
      codes.set(code, cause)
      if (tool === 'navigate') await peer.call('navigate', { sessionId, url: site.url })
    }),
    runs,
  )
  expect(codes.size).toBe(8)
}, 120_000)
