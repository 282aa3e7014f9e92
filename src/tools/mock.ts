import * as v from 'valibot'
import { fileFieldsOf, SECRETS_NOTE } from './files.ts'
import { text, anyText, integerBetween, headers, filePath } from './define/fields.ts'
import { compileUrlPattern, compileTextPattern } from './define/pattern.ts'
import { answer, definePageTool } from './define/define-tool.ts'
import { redactHar } from '../core/network/har.ts'
import { invalidParameter, type Outcome, inField, type Failure } from '../core/failure.ts'
import { summarizeMock, type MockSummary } from '../core/network/mock-list.ts'
import { isForSockets, type Mock, type MockAnswer, hasResponse } from '../core/network/mock-rule.ts'
import { revealingRedactor } from '../core/redaction/redactor.ts'
import { err, map, ok } from '../core/result.ts'
import type { Artifact, Files } from '../runtime/ports/files.ts'
import type { OpenSession } from '../runtime/ports/open-session.ts'
import type { Page } from '../runtime/ports/page.ts'
import { lookup } from 'mrmime'
import { HAR_LIMIT_BYTES, openHarReplay } from './define/har-file.ts'
import { clip } from '../core/text/clip.ts'
import type { Deadline } from '../runtime/ports/deadline.ts'
import type { MatchText, SocketRule } from '../core/network/socket.ts'
import { expectationOf, isUnknownField, joinPath, receivedOf } from './define/describe-issue.ts'

const REDACTION_NOTE =
  'Secrets in its URLs, headers and bodies are redacted, except in scripts and style sheets.'
const SEED_NOTE = 'The seed applies to documents that are opened from now on.'
const SOCKET_NOTE = 'It answers WebSockets that are opened from now on: reload the page if it has one.'

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))

export const mock = definePageTool({
  name: 'mock',
  title: 'Mock',
  description:
    'Mock or count requests to url (text, glob, /re/). answer: {status, headers, body, json, path, stream: [{data, delay}], socket: [{on, send, close}], push, delay, times, fail, change}. har: record, save, file. clock: ISO. remove: id, all.',
  effect: 'acts',
  timeoutKind: 'navigation',
  changesPage: ({ answer: fields }) => fields !== undefined && 'push' in fields,
  // A recording of requests has what was typed.
  readsPageOutput: true,
  input: {
    url: v.optional(v.pipe(text(2000), v.minLength(1))),
    method: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z]{1,20}$/, 'an HTTP method'))),
    answer: v.optional(v.looseObject({})),
    har: v.optional(v.pipe(text(4096), v.minLength(1))),
    clock: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(40),
        v.check(isTime, 'a time in ISO 8601, such as 2030-01-31T09:00:00Z'),
      ),
    ),
    seed: v.optional(v.pipe(v.number(), v.integer())),
    remove: v.optional(
      v.pipe(v.string(), v.regex(/^(all|m\d{1,9})$/, 'all, or the id of a mock, such as m1')),
    ),
  },
  output: { mocks: v.any(), path: v.optional(v.string()), notes: v.optional(v.any()) },
  texts: {
    mocks: (mocks: readonly MockSummary[]) => (mocks.length === 0 ? ['No mocks.'] : mocks.map(mockText)),
  },
  async run({ remove, clock, seed, har, ...rule }, page, deadline, { session, files }) {
    if (rule.answer && 'push' in rule.answer) {
      const receivers = await pushMessages(rule.url, rule.answer, page, deadline)
      return answer(receivers, (count) => ({ mocks: summariesOf(session), notes: [pushNote(count)] }))
    }
    const newMock = await prepareMock({ ...rule, har }, session, files)
    if (!newMock.ok) return newMock
    const removal = await removeMocks(remove, page, deadline, session)
    if (!removal.ok) return removal
    const fixing =
      clock === undefined
        ? ok(undefined)
        : await page.perform({ kind: 'clock', time: new Date(clock).toISOString() }, deadline)
    if (!fixing.ok) return fixing
    const seeding = seed === undefined ? ok(undefined) : await page.perform({ kind: 'seed', seed }, deadline)
    if (!seeding.ok) return seeding
    const start = har === 'record' ? await page.startHar() : ok([])
    if (!start.ok) return start
    const update = await (newMock.value
      ? page.perform({ kind: 'mock', rule: newMock.value.rule, mock: newMock.value }, deadline)
      : page.applyMocks())
    if (!update.ok) return update
    const file = har === 'save' ? await saveHar(rule.url, page, session) : ok(undefined)
    if (!file.ok) return file
    const isRevealed = session.redactor === revealingRedactor
    const notes = [
      ...start.value,
      ...update.value,
      ...(seed === undefined ? [] : [SEED_NOTE]),
      ...(newMock.value && isForSockets(newMock.value.rule) ? [SOCKET_NOTE] : []),
      ...(file.value?.isTooLarge ? [SIZE_NOTE] : []),
      ...(file.value ? [isRevealed ? SECRETS_NOTE : REDACTION_NOTE] : []),
    ]
    return ok({
      data: {
        mocks: summariesOf(session),
        ...(file.value && fileFieldsOf(file.value)),
        ...(notes.length > 0 && { notes }),
      },
    })
  },
})

// --- internal ---

const SIZE_NOTE =
  'The file has more than the 20 MB that can be replayed: record again, and save with url to keep fewer requests.'

const summariesOf = ({ mocks }: OpenSession) => mocks.list().map(summarizeMock)

const mockText = ({ id, method, url = 'all URLs', answer: reply, matches, times }: MockSummary): string => {
  const count = `${matches}${times === undefined ? '' : ` of ${times}`}`
  return `${[id, method, url].filter(Boolean).join(' ')} → ${reply}; requests: ${count}`
}

const pushNote = (count: number) => `Sent to ${count} ${count === 1 ? 'WebSocket' : 'WebSockets'}.`

async function removeMocks(
  id: string | undefined,
  page: Page,
  deadline: Deadline,
  { mocks }: OpenSession,
): Promise<Outcome<void>> {
  if (id === undefined) return ok(undefined)
  if (id !== 'all')
    return mocks.remove(id)
      ? ok(undefined)
      : err(invalidParameter('remove', ['all', ...mocks.list().map((entry) => entry.id)].join(', '), id))
  mocks.clear()
  const fixing = await page.perform({ kind: 'clock', time: undefined }, deadline)
  return fixing.ok ? page.perform({ kind: 'seed', seed: undefined }, deadline) : fixing
}

async function saveHar(
  url: string | undefined,
  page: Page,
  { folder, redactor }: OpenSession,
): Promise<Outcome<Artifact & { readonly isTooLarge: boolean }>> {
  const matchesUrl = url === undefined ? ok(() => true) : await compileUrlPattern(url)
  if (!matchesUrl.ok) return matchesUrl
  const recording = await page.stopHar()
  if (!recording.ok) return recording
  const { log } = recording.value
  const entries = log.entries.filter(({ request }) => matchesUrl.value(request.url))
  const har = redactHar({ log: { ...log, entries } }, redactor)
  const bytes = new TextEncoder().encode(JSON.stringify(har))
  const isTooLarge = bytes.length > HAR_LIMIT_BYTES
  return map(await folder.write('network.har', bytes), (artifact) => ({ ...artifact, isTooLarge }))
}

const MOCK_LIMIT = 100
const BODY_LIMIT_BYTES = 20_000_000

interface RuleInput {
  readonly url?: string | undefined
  readonly method?: string | undefined
  readonly answer?: Record<string, unknown> | undefined
  readonly har?: string | undefined
}

/** The mock that the input describes, with what its patterns and paths stand for; undefined if it describes none. */
async function prepareMock(
  input: RuleInput,
  session: OpenSession,
  files: Files,
): Promise<Outcome<Mock | undefined>> {
  const { url, method, har } = input
  if (har === 'record' || har === 'save') return checkRecordingInput(input, har)
  if (har === undefined && url === undefined)
    return input.answer || method ? err(missingUrl(input.answer ? 'answer' : 'method')) : ok(undefined)
  if (session.mocks.list().length >= MOCK_LIMIT) return err(tooManyMocks())
  const matchesUrl = url === undefined ? ok(() => true) : await compileUrlPattern(url)
  if (!matchesUrl.ok) return matchesUrl
  const answer = input.answer ? parseMockAnswer(input.answer) : ok(undefined)
  if (!answer.ok) return answer
  const file = await readBodyFile(answer.value, files)
  if (!file.ok) return file
  const matchText = await compileSocketPatterns(answer.value?.socket ?? [])
  if (!matchText.ok) return matchText
  const replay = har === undefined ? ok(undefined) : await openHar(har, session, files)
  if (!replay.ok) return replay
  return ok({
    rule: { url, method, answer: answer.value, har },
    matchesUrl: matchesUrl.value,
    ...(answer.value?.socket && { matchText: matchText.value }),
    ...(file.value && { file: file.value }),
    ...replay.value,
  })
}

// A recording is of all requests; what is saved of it can be limited by URL.
function checkRecordingInput({ url, method, answer }: RuleInput, har: 'record' | 'save'): Outcome<undefined> {
  const others = { method, answer, ...(har === 'record' && { url }) }
  const field = Object.entries(others).find(([, value]) => value !== undefined)?.[0]
  if (field === undefined) return ok(undefined)
  return err(invalidParameter(field, `nothing with har: ${har}`, 'a value', 'Add the mock in another call.'))
}

async function readBodyFile(answer: MockAnswer | undefined, files: Files): Promise<Outcome<Mock['file']>> {
  const path = answer?.path
  if (path === undefined) return ok(undefined)
  const mimeType = lookup(path) ?? 'application/octet-stream'
  const type = /^text\/|json|javascript|xml/.test(mimeType) ? `${mimeType}; charset=utf-8` : mimeType
  const bytes = await files.read(path)
  if (!bytes.ok) return err(inField(bytes.error, 'answer.path'))
  if (bytes.value.length <= BODY_LIMIT_BYTES) return ok({ bytes: bytes.value, mimeType: type })
  const expected = `a file of at most ${BODY_LIMIT_BYTES} bytes`
  return err(invalidParameter('answer.path', expected, `${bytes.value.length} bytes`))
}

async function openHar(
  path: string,
  { redactor }: OpenSession,
  files: Files,
): ReturnType<typeof openHarReplay> {
  const bytes = await files.read(path)
  if (!bytes.ok) return err(inField(bytes.error, 'har'))
  return openHarReplay(bytes.value, (body) => redactor.redactData({ body }).body, files)
}

const missingUrl = (field: string): Failure =>
  invalidParameter('url', `the URL of the requests, for ${field}`, 'nothing', 'All requests: url "**".')

const tooManyMocks = (): Failure => ({
  code: 'RESOURCE_EXHAUSTED',
  resource: 'mocks',
  text: `a session has at most ${MOCK_LIMIT}`,
  next: 'Remove one first.',
})

const PUSH_FORM = 'a text, or a list of texts and {send, close, reason, delay}; JSON is {send: {…}}'

/** Sends `answer.push` to the open WebSockets of mocks whose URL matches, all of them without `url`, and returns their number. */
async function pushMessages(
  url: string | undefined,
  answer: Record<string, unknown>,
  page: Page,
  deadline: Deadline,
): Promise<Outcome<number>> {
  const other = Object.keys(answer).find((name) => name !== 'push')
  if (other !== undefined) return err(invalidParameter(`answer.${other}`, 'nothing with push', 'a value'))
  const rules = v.safeParse(pushedRules, answer['push'])
  if (!rules.success)
    return err(invalidParameter('answer.push', PUSH_FORM, clip(JSON.stringify(answer['push']) ?? '', 200)))
  const matchesUrl = url === undefined ? ok(() => true) : await compileUrlPattern(url)
  if (!matchesUrl.ok) return matchesUrl
  const push = { ...(url !== undefined && { url }), matchesUrl: matchesUrl.value, rules: rules.output }
  return page.perform({ kind: 'push', push }, deadline)
}

const MESSAGE_LIMIT_CHARS = 1_000_000
const RULE_LIMIT = 1000
// A close frame has at most 123 bytes of it.
const REASON_LIMIT_CHARS = 123

const message = anyText(MESSAGE_LIMIT_CHARS)
const messages = v.pipe(
  v.any(),
  v.transform((value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])),
)

const DELAY_LIMIT_MS = 600_000

const delay = v.optional(integerBetween(0, DELAY_LIMIT_MS))
const effects = {
  send: v.optional(messages),
  close: v.optional(integerBetween(1000, 4999)),
  reason: v.optional(text(REASON_LIMIT_CHARS)),
  delay,
}
const sentText = v.pipe(
  message,
  v.transform((value) => ({ send: [value] })),
)
const listOf = <T extends v.GenericSchema>(rule: T) => {
  const rules = v.union([sentText, rule])
  return v.union([
    v.pipe(v.array(rules), v.maxLength(RULE_LIMIT)),
    v.pipe(
      rules,
      v.transform((value) => [value]),
    ),
  ])
}

/** The rules of a WebSocket, of which a text alone is sent when it opens. */
const socketRules = listOf(
  v.strictObject({
    on: v.optional(v.union([message, v.array(v.any()), v.record(v.string(), v.any())])),
    from: v.optional(v.literal('server')),
    json: v.optional(v.any()),
    ...effects,
  }),
)

/** What is sent to open WebSockets at once. */
const pushedRules = listOf(v.strictObject(effects))

/** A function for the patterns of rules. Fails as `compileTextPattern` does. */
async function compileSocketPatterns(rules: readonly SocketRule[]): Promise<Outcome<MatchText>> {
  const matchers = new Map<string, (message: string) => boolean>()
  for (const { on } of rules) {
    if (typeof on !== 'string') continue
    const matcher = await compileTextPattern(on)
    if (!matcher.ok) return err(matcher.error)
    matchers.set(on, matcher.value)
  }
  return ok((pattern, candidate) => matchers.get(pattern)?.(candidate) ?? false)
}

const BODY_LIMIT_CHARS = 1_000_000
const EVENT_LIMIT = 1000
const TIMES_LIMIT = 1_000_000

const eventText = anyText(BODY_LIMIT_CHARS)
const streamEvent = v.union([
  v.pipe(
    eventText,
    v.transform((data) => ({ data })),
  ),
  v.strictObject({ data: v.any(), event: v.optional(text(200)), id: v.optional(text(200)), delay }),
])

const schema = v.strictObject({
  status: v.optional(integerBetween(200, 599)),
  headers: v.optional(headers(100, 8000)),
  body: v.optional(anyText(BODY_LIMIT_CHARS)),
  json: v.optional(v.any()),
  path: v.optional(filePath),
  stream: v.optional(v.pipe(v.array(streamEvent), v.maxLength(EVENT_LIMIT))),
  socket: v.optional(socketRules),
  delay,
  times: v.optional(integerBetween(1, TIMES_LIMIT)),
  fail: v.optional(v.boolean()),
  change: v.optional(v.boolean()),
})

const FORM =
  'an object of status, headers, one of body, json, path (a file) or stream ([{data, event?, id?, delay?}]), and delay (ms), times, fail: true, change: true (the real response with these fields); for WebSockets socket ([{on?, from?: "server", send?, json?, close?, reason?, delay?}]) with delay, times, fail or change, or push alone'

/** Validates the answer of a mock; INVALID_PARAMETERS names the field. */
export function parseMockAnswer(input: object): Outcome<MockAnswer> {
  const result = v.safeParse(schema, input)
  if (!result.success) {
    const [issue] = result.issues
    const field = joinPath(['answer', ...(issue.path ?? []).map(({ key }) => key as string)])
    const received = isUnknownField(issue) ? 'an unknown field' : clip(receivedOf(issue), 200)
    return err(invalidParameter(field, expectationOf(schema, issue), received, `answer is ${FORM}.`))
  }
  const conflict = findConflict(result.output)
  return conflict === undefined
    ? ok(result.output)
    : err(invalidParameter('answer', conflict, Object.keys(result.output).join(', ')))
}

function findConflict(answer: MockAnswer): string | undefined {
  const { fail = false, change = false, stream } = answer
  const contents = (['body', 'json', 'path', 'stream'] as const).filter((name) => answer[name] !== undefined)
  if (contents.length > 1) return 'one of body, json, path and stream'
  if (answer.socket) return findSocketConflict(answer)
  if (fail && (change || hasResponse(answer))) return 'fail without a response'
  if (change && (stream || !hasResponse(answer)))
    return 'change with the status, headers, body, json (merged) or path that is different'
  return undefined
}

function findSocketConflict({
  socket = [],
  fail = false,
  change = false,
  ...answer
}: MockAnswer): string | undefined {
  if (hasResponse(answer) || answer.stream) return 'socket without a response'
  if (fail && (change || socket.length > 0)) return 'fail with socket: []'
  const needsServer = socket.some(({ from, json }) => from !== undefined || json !== undefined)
  return needsServer && !change ? 'change: true with rules that have from or json' : undefined
}
