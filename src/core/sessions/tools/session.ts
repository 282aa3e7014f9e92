import * as v from 'valibot'
import { type Failure, invalidParameter, type Outcome } from '../../base/failure.ts'
import { fillPlaceholders, type Secrets } from '../../base/redaction/secret-placeholders.ts'
import { err, map, ok } from '../../base/result.ts'
import { clip } from '../../base/text/clip.ts'
import { parseUrl } from '../../base/text/parse-url.ts'
import { answer, defineKeyTool, defineTool } from '../../tool/define-tool.ts'
import { type FieldTexts, joinParts, omit, showEntries } from '../../tool/field-texts.ts'
import { described, text } from '../../tool/fields.ts'
import { placeEntries } from '../../tool/place-entries.ts'
import type { Tool } from '../../tool/tool.ts'
import { formatSessionName, isValidSessionName } from '../store/session-name.ts'
import { ENDLESS_MS, type Session } from '../store/session.ts'
import type { HttpCredentials } from '../types/browsers.ts'
import type { SessionRequest } from '../types/open-session.ts'
import { logPathsOutput, nameText, serverFields, serverFieldsOf, serverTexts } from './server-fields.ts'
import { creationOf, defineSessionFields, readFields, type SessionFields } from './session-fields.ts'

const size = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000))
const durationMs = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(86_400_000))

const browserFields = defineSessionFields({
  entries: {
    name: v.optional(v.pipe(v.string(), v.maxLength(200))),
    browser: v.optional(v.picklist(['chromium', 'firefox', 'webkit', 'chrome', 'msedge'])),
    headless: v.optional(described(v.boolean(), 'false shows a window')),
    viewport: v.optional(v.strictObject({ width: size, height: size })),
    ignoreHTTPSErrors: v.optional(v.boolean()),
    httpCredentials: v.optional(described(v.looseObject({}), 'username, password, origin')),
    timeout: v.optional(described(durationMs, 'ms; calls 5000, loading 30000')),
    sessionTimeout: v.optional(described(durationMs, 'Idle ms until closed')),
    isolation: v.optional(described(v.picklist(['context', 'browser']), 'browser: own process')),
  },
  unrepeated: ['httpCredentials'],
  read({ name: rawName, httpCredentials, timeout: actionTimeout, ...input }, { secrets }) {
    const name = rawName?.trim()
    if (name !== undefined && !isValidSessionName(name)) return err(invalidName(name))
    const { browser, headless, viewport, ignoreHTTPSErrors, sessionTimeout, isolation } = input
    const page = { browser, headless, viewport, ignoreHTTPSErrors, isolation }
    const hasServer = (input['command'] ?? input['commandPath']) !== undefined
    return map(readHttpCredentials(httpCredentials, hasServer, secrets), (credentials) => ({
      request: { name, ...page, httpCredentials: credentials, actionTimeout, sessionTimeout },
    }))
  },
})

export function defineCreateSession(featureFields: readonly SessionFields[]): Tool {
  const fields = [browserFields, serverFields, ...featureFields]
  return defineTool({
    ...definition,
    input: placeEntries(fields, 'command'),
    async run(input, { sessions, caller, ...context }) {
      const reading = readFields(fields, input, context)
      const additions = reading instanceof Promise ? await reading : reading
      if (!additions.ok) return additions
      const request: SessionRequest = Object.assign(
        { creation: creationOf(fields, input), ...(caller.keepsSessions && { isEndless: true }) },
        ...additions.value.map((addition) => addition.request),
      )
      const session = await sessions.create(caller.owner, request, caller)
      return answer(session, (openSession) => {
        const { record, server } = openSession
        const texts = [
          describeSession(record),
          ...additions.value.map(({ describe }) => describe?.(openSession)),
          server?.info().message,
        ]
        return {
          sessionId: record.id,
          name: record.name,
          expiresAt: record.expiresAt,
          message: texts.filter(Boolean).join(' '),
          ...(server && serverFieldsOf(server.info())),
        }
      })
    },
  })
}

const sessionTexts: FieldTexts = {
  name: nameText,
  ...serverTexts,
  // A session is named by its name where that is enough; its id is longer.
  sessionId: (id: string, { name, message }, { showsSessionIds }) =>
    (name !== undefined && !showsSessionIds) || String(message).includes(id) ? [] : [`sessionId: ${id}`],
  // The message has its lifetime.
  expiresAt: omit,
  logs: ({ combined }: { readonly combined: string }) => [`logs: ${combined}`],
}

const definition = {
  name: 'create_session',
  title: 'Create session',
  description:
    'Open an isolated browser session, optionally with a dev server. Omit sessionId while only one is open.',
  descriptionWithKey:
    'Open an isolated browser session, optionally a dev server. Pass sessionId (or name) to the other tools.',
  effect: 'acts',
  output: {
    sessionId: v.string(),
    name: v.string(),
    expiresAt: v.number(),
    message: v.string(),
    url: v.optional(v.string()),
    port: v.optional(v.number()),
    pid: v.optional(v.number()),
    startedAt: v.optional(v.string()),
    logs: v.optional(logPathsOutput),
  },
  texts: sessionTexts,
} as const

const describeSession = ({ name, browser, isAttached, timeout, server }: Session): string => {
  const subject = server ? 'Session and server close' : isAttached ? 'Its tabs close' : 'It closes'
  const place = isAttached ? `a new tab of the user's running ${browser}, with its logins` : browser
  const end = timeout === ENDLESS_MS ? '' : ` ${subject} after ${timeout / 1000} s without a call.`
  return `Session ${formatSessionName(name)} is open in ${place}.${end}`
}

const invalidName = (name: string): Failure =>
  invalidParameter(
    'name',
    'a printable string of 1 to 64 characters that is not a UUID',
    JSON.stringify(clip(name, 100)),
  )

export const closeSession = defineKeyTool({
  name: 'close_session',
  title: 'Close session',
  description: 'Close a session and all it started.',
  effect: 'ends',
  input: {},
  output: { success: v.boolean(), message: v.string() },
  async run(_, sessionKey, { sessions, caller }) {
    return answer(await sessions.close(caller.owner, sessionKey), ({ name, message }) => ({
      success: true,
      message: `Session ${formatSessionName(name)} is closed.${message && ` ${message}`}`,
    }))
  },
})

const sessionSummaryOf = ({ id, name, browser, status, createdAt, lastActivityAt, expiresAt }: Session) => ({
  sessionId: id,
  name,
  browser,
  status,
  createdAt,
  lastActivityAt,
  expiresAt,
})

export const listSessions = defineTool({
  name: 'list_sessions',
  title: 'List sessions',
  description: 'Your open sessions, oldest first.',
  effect: 'reads',
  input: {},
  output: {
    sessions: v.array(
      v.object({ sessionId: v.string(), name: v.string(), status: v.string(), expiresAt: v.number() }),
    ),
  },
  texts: {
    sessions: showEntries(({ sessionId, name, browser, status }: ReturnType<typeof sessionSummaryOf>) => [
      joinParts(name ?? sessionId, browser, status),
    ]),
  },
  run: async (_, { sessions, caller }) =>
    ok({ data: { sessions: sessions.list(caller.owner).map(sessionSummaryOf) } }),
})

const schema = v.strictObject({
  username: text(500),
  password: v.pipe(text(2000), v.minLength(1)),
  origin: v.optional(text(2000)),
})

/** The `httpCredentials` of create_session. INVALID_PARAMETERS contains no values, and names `origin` if nothing determines it. */
export function readHttpCredentials(
  input: unknown,
  hasServer: boolean,
  secrets: Secrets,
): Outcome<HttpCredentials | undefined> {
  if (input === undefined) return ok(undefined)
  const parseResult = v.safeParse(schema, input)
  if (!parseResult.success) {
    const field = ['httpCredentials', v.getDotPath(parseResult.issues[0])].filter(Boolean).join('.')
    return err(invalidParameter(field, 'username, password and perhaps origin, as strings', 'something else'))
  }
  const { username, password, origin } = parseResult.output
  const url = origin === undefined ? undefined : parseUrl(origin)
  if (origin === undefined ? !hasServer : !url || !/^https?:$/.test(url.protocol)) {
    const expected = 'the http or https origin that gets them, such as https://staging.example.com'
    return err(invalidParameter('httpCredentials.origin', expected, url ? url.protocol : 'nothing'))
  }
  const filledPassword = fillPlaceholders(password, secrets, 'httpCredentials.password')
  return map(filledPassword, (secret) => ({ username, password: secret, origin: url?.origin }))
}
