import * as v from 'valibot'
import { logPaths, serverFields, serverInput, serverRequest } from './server.ts'
import { answer, defineTool, sessionId } from './tool.ts'
import { ok } from '../core/result.ts'
import type { Session } from '../core/session.ts'
import type { SessionRequest } from '../runtime/ports/desk.ts'

const text = (about: string) =>
  v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(500), v.description(about)))
const size = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000))
const ms = (about: string) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(86_400_000), v.description(about)))

export const createSession = defineTool({
  name: 'create_session',
  title: 'Create session',
  description:
    'Open a private browser session (own cookies and storage, one page). Use its sessionId in every other call.',
  effect: 'acts',
  input: {
    name: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^(?![0-9a-fA-F]{8}-[0-9a-fA-F]{4}-)[\w.-]{1,64}$/),
        v.description('Name to use in place of the id: letters, digits, . _ -'),
      ),
    ),
    browser: v.optional(v.picklist(['chromium', 'firefox', 'webkit', 'chrome', 'msedge'])),
    headless: v.optional(v.boolean()),
    viewport: v.optional(v.strictObject({ width: size, height: size })),
    device: text('Playwright device, e.g. "iPhone 15"'),
    userAgent: text('User-Agent header'),
    locale: text('e.g. de-DE'),
    timezone: text('IANA name'),
    storageState: v.optional(
      v.pipe(
        v.strictObject({
          cookies: v.array(v.looseObject({ name: v.string(), value: v.string() })),
          origins: v.array(v.looseObject({ origin: v.string() })),
        }),
        v.description('Cookies and storage to start with'),
      ),
    ),
    timeout: ms('Default deadline of its actions, ms'),
    sessionTimeout: ms('Idle time until it ends, ms'),
    isolation: v.optional(
      v.pipe(v.picklist(['context', 'browser']), v.description('browser: a process of its own')),
    ),
    trace: v.optional(v.picklist(['off', 'on', 'on-failure'])),
    ...serverInput,
  },
  output: {
    sessionId: v.string(),
    expiresAt: v.number(),
    message: v.string(),
    url: v.optional(v.string()),
    port: v.optional(v.number()),
    pid: v.optional(v.number()),
    startedAt: v.optional(v.string()),
    logs: v.optional(logPaths),
  },
  async run({ timeout, ...input }, { desk, owner, signal, progress }) {
    const { server, rest } = serverRequest(input)
    if (!server.ok) return server
    const wanted = {
      ...rest,
      ...(server.value && { server: server.value }),
      ...(timeout !== undefined && { actionTimeout: timeout }),
    }
    const room = await desk.create(owner, wanted as SessionRequest, { signal, progress })
    return answer(room, ({ session: { id, expiresAt, name, browser }, server }) => ({
      sessionId: id,
      expiresAt,
      message: `Session ${name ? `${name} ` : ''}is open in ${browser}.${server ? ` ${server.info().message}` : ''}`,
      ...(server && serverFields(server.info())),
    }))
  },
})

export const closeSession = defineTool({
  name: 'close_session',
  title: 'Close session',
  description: 'End a session and free everything it holds, even when its page hangs.',
  effect: 'ends',
  input: { sessionId },
  output: { success: v.boolean(), message: v.string() },
  async run(input, { desk, owner }) {
    const key = (input as { sessionId?: string }).sessionId
    return answer(await desk.close(owner, key), ({ id, message }) => ({
      success: true,
      message: `Session ${id} is closed.${message && ` ${message}`}`,
    }))
  },
})

const listed = ({ id, name, browser, status, createdAt, lastActivityAt, expiresAt }: Session) => ({
  sessionId: id,
  ...(name !== undefined && { name }),
  browser,
  status,
  createdAt,
  lastActivityAt,
  expiresAt,
})

export const listSessions = defineTool({
  name: 'list_sessions',
  title: 'List sessions',
  description: 'Your open sessions, oldest first. Times are Unix milliseconds.',
  effect: 'reads',
  input: {},
  output: {
    sessions: v.array(v.object({ sessionId: v.string(), status: v.string(), expiresAt: v.number() })),
  },
  run: async (_, { desk, owner }) => ok({ data: { sessions: desk.list(owner).map(listed) } }),
})
