import * as v from 'valibot'
import { type Failure, inField, invalidParameter, type Outcome } from '../../base/failure.ts'
import type { Files, NamedState } from '../../base/files/files.ts'
import { type HostRule, parseHostRule } from '../../base/network/host-rule.ts'
import { fillPlaceholders, type Secrets } from '../../base/redaction/secret-placeholders.ts'
import { err, map, ok } from '../../base/result.ts'
import { clip } from '../../base/text/clip.ts'
import { parseUrl } from '../../base/text/parse-url.ts'
import { answer, defineKeyTool, defineTool } from '../../tool/define-tool.ts'
import { joinParts, omit, showEntries } from '../../tool/field-texts.ts'
import { anyText, described, filePath, text, textList } from '../../tool/fields.ts'
import { formatSessionName, isValidSessionName } from '../store/session-name.ts'
import { ENDLESS_MS, type Session } from '../store/session.ts'
import type { HttpCredentials } from '../types/browsers.ts'
import type { SessionRequest } from '../types/open-session.ts'
import {
  logPathsOutput,
  nameText,
  serverFieldsOf,
  serverInput,
  serverTexts,
  splitServerRequest,
} from './server-fields.ts'
import { parseStorageState } from './storage-state.ts'

const shortText = v.pipe(text(500), v.minLength(1))
const size = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000))
const durationMs = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(86_400_000))

export const createSession = defineTool({
  name: 'create_session',
  title: 'Create session',
  description:
    'Open an isolated browser session, optionally with a dev server. Omit sessionId while only one is open.',
  descriptionWithKey:
    'Open an isolated browser session, optionally a dev server. Pass sessionId (or name) to the other tools.',
  effect: 'acts',
  input: {
    name: v.optional(v.pipe(v.string(), v.maxLength(200))),
    browser: v.optional(v.picklist(['chromium', 'firefox', 'webkit', 'chrome', 'msedge'])),
    headless: v.optional(described(v.boolean(), 'false shows a window')),
    viewport: v.optional(v.strictObject({ width: size, height: size })),
    device: v.optional(described(shortText, 'iPhone 15')),
    userAgent: v.optional(shortText),
    locale: v.optional(shortText),
    timezone: v.optional(shortText),
    storageState: v.optional(described(v.looseObject({}), 'From storage_state')),
    restore: v.optional(described(shortText, 'State by name: loaded, saved at close')),
    profile: v.optional(described(shortText, 'Kept by name')),
    extension: v.optional(described(filePath, 'Its folder')),
    allowedDomains: v.optional(described(textList(1000, 300), 'Only a.com, *.b.com')),
    ignoreHTTPSErrors: v.optional(v.boolean()),
    attach: v.optional(described(v.boolean(), "The user's Chrome, logged in")),
    httpCredentials: v.optional(described(v.looseObject({}), 'username, password, origin')),
    initScript: v.optional(
      described(v.pipe(anyText(1_000_000), v.minLength(1)), 'Code or .js file, run first on pages'),
    ),
    timeout: v.optional(described(durationMs, 'Of its calls, ms: 5000, loading 30000')),
    sessionTimeout: v.optional(described(durationMs, 'Idle ms until closed')),
    isolation: v.optional(described(v.picklist(['context', 'browser']), 'browser: own process')),
    trace: v.optional(v.picklist(['off', 'on', 'on-failure'])),
    report: v.optional(described(v.picklist(['off', 'on', 'on-failure']), 'HTML at close')),
    ...serverInput,
  },
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
  texts: {
    name: nameText,
    ...serverTexts,
    // A session is named by its name where that is enough; its id is longer.
    sessionId: (id: string, { name, message }, { showsSessionIds }) =>
      (name !== undefined && !showsSessionIds) || String(message).includes(id) ? [] : [`sessionId: ${id}`],
    // The message has its lifetime.
    expiresAt: omit,
    logs: ({ combined }: { readonly combined: string }) => [`logs: ${combined}`],
  },
  async run({ name: rawName, timeout, storageState, allowedDomains, ...fields }, context) {
    const { sessions, caller, secrets, files } = context
    const { httpCredentials, initScript, ...input } = fields
    const name = rawName?.trim()
    if (name !== undefined && !isValidSessionName(name)) return err(invalidName(name))
    const reading = sessions.readInput({ ...input, storageState, allowedDomains }, files)
    const additions = reading instanceof Promise ? await reading : reading
    if (!additions.ok) return additions
    const starts = { storageState, restore: input.restore, profile: input.profile }
    const [first, second] = Object.entries(starts).filter(([, value]) => value !== undefined)
    if (first && second) {
      const received = typeof second[1] === 'string' ? clip(second[1], 100) : second[1]
      return err(invalidParameter(second[0], `none with ${first[0]}`, JSON.stringify(received)))
    }
    const { server, rest } = splitServerRequest(input)
    if (!server.ok) return server
    const state = storageState === undefined ? undefined : parseStorageState(storageState, 'storageState')
    if (state && !state.ok) return state
    const hosts = allowedDomains && parseAllowedDomains(allowedDomains)
    if (hosts && !hosts.ok) return hosts
    const credentials = httpCredentials && parseHttpCredentials(httpCredentials, !!server.value, secrets)
    if (credentials && !credentials.ok) return credentials
    const script = initScript === undefined ? undefined : await readInitScript(initScript, files)
    if (script && !script.ok) return script
    const request = {
      ...rest,
      ...Object.assign({}, ...additions.value.map((addition) => addition.request)),
      httpCredentials: credentials?.value,
      initScript: script?.value,
      name,
      allowedHosts: hosts?.value,
      storageState: state?.value,
      server: server.value,
      actionTimeout: timeout,
      ...(caller.keepsSessions && { isEndless: true }),
    }
    const session = await sessions.create(caller.owner, request as SessionRequest, caller)
    return answer(session, (openSession) => {
      const { record, server, namedState } = openSession
      const texts = [
        describeSession(record),
        namedState && describeState(namedState),
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

const describeSession = ({ name, browser, isAttached, timeout, server }: Session): string => {
  const subject = server ? 'Session and server close' : isAttached ? 'Its tabs close' : 'It closes'
  const place = isAttached ? `a new tab of the user's running ${browser}, with its logins` : browser
  const end = timeout === ENDLESS_MS ? '' : ` ${subject} after ${timeout / 1000} s without a call.`
  return `Session ${formatSessionName(name)} is open in ${place}.${end}`
}

const describeState = ({ name, state, isSaved, profileFolder }: NamedState): string => {
  if (profileFolder !== undefined) return `${state ? 'Profile' : 'New profile'} ${name}: what it has stays.`
  const content = state ? `State ${name} is loaded` : `There is no state ${name} yet`
  return isSaved
    ? `${content}; it is saved when the session closes.`
    : `${content}; another open session saves it, this one does not.`
}

const invalidName = (name: string): Failure =>
  invalidParameter(
    'name',
    'a printable string of 1 to 64 characters that is not a UUID',
    JSON.stringify(clip(name, 100)),
  )

function parseAllowedDomains(texts: readonly string[]): Outcome<readonly HostRule[]> {
  const rules: HostRule[] = []
  for (const [index, text] of texts.entries()) {
    const rule = parseHostRule(text)
    if (!rule.ok)
      return err(invalidParameter(`allowedDomains[${index}]`, rule.error.expected, rule.error.received))
    rules.push(rule.value)
  }
  return ok(rules)
}

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
export function parseHttpCredentials(
  input: unknown,
  hasServer: boolean,
  secrets: Secrets,
): Outcome<HttpCredentials> {
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

/** The source text of an init script, which is given as such or as the path of a .js file that an agent may read. */
export async function readInitScript(script: string, files: Files): Promise<Outcome<string>> {
  if (!SCRIPT_PATH.test(script)) return ok(script)
  const file = await files.findRunnable(script)
  const bytes = file.ok ? await files.read(script) : file
  return bytes.ok ? ok(new TextDecoder().decode(bytes.value)) : err(inField(bytes.error, 'initScript'))
}

/** No code ends like this without white space, quotes, brackets or a semicolon, except a property named js. */
const SCRIPT_PATH = /^[^\s;"'`(){}=]+\.[cm]?js$/
