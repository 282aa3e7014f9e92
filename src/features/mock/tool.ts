import { lookup } from 'mrmime'
import * as v from 'valibot'
import { type Failure, inField, invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { Artifact, Files } from '../../core/base/files/files.ts'
import { revealingRedactor } from '../../core/base/redaction/redactor.ts'
import { err, map, ok } from '../../core/base/result.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { clip } from '../../core/base/text/clip.ts'
import { isRecord } from '../../core/base/text/json.ts'
import { definePageTool } from '../../core/sessions/tools/define-session-tool.ts'
import type { OpenSession } from '../../core/sessions/types/open-session.ts'
import type { Page } from '../../core/sessions/types/page.ts'
import { expectationOf, isUnknownField, joinPath, receivedOf } from '../../core/tool/describe-issue.ts'
import { anyText, filePath, headers, integerBetween, text } from '../../core/tool/fields.ts'
import { fileFieldsOf, SECRETS_NOTE } from '../../core/tool/file-fields.ts'
import { compileUrlPattern } from '../../core/tool/pattern.ts'
import { HAR_LIMIT_BYTES, openHarReplay } from './har-file.ts'
import { redactHar } from './har.ts'
import { type MockSummary, summarizeMock } from './mock-list.ts'
import { hasResponse, isForSockets, type Mock, type MockAnswer } from './mock-rule.ts'

const REDACTION_NOTE =
  'Secrets in its URLs, headers and bodies are redacted, except in scripts and style sheets.'
const SEED_NOTE = 'The seed applies to documents that are opened from now on.'
const SOCKET_NOTE = 'It answers WebSockets that are opened from now on: reload the page if it has one.'

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))

export const mock = definePageTool({
  name: 'mock',
  title: 'Mock',
  description:
    'Mock or count requests to url (text, glob, /re/). answer: {status, headers, body, json, path, stream: [{data, event}], socket: [text, {send}], delay, times, fail, change}. har: record, save, file. clock: ISO. remove: id, all.',
  effect: 'acts',
  timeoutKind: 'navigation',
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

const SIZE_NOTE =
  'The file has more than the 20 MB that can be replayed: record again, and save with url to keep fewer requests.'

const summariesOf = ({ mocks }: OpenSession) => mocks.list().map(summarizeMock)

const mockText = ({ id, method, url = 'all URLs', answer: reply, matches, times }: MockSummary): string => {
  const count = `${matches}${times === undefined ? '' : ` of ${times}`}`
  return `${[id, method, url].filter(Boolean).join(' ')} → ${reply}; requests: ${count}`
}

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
  const replay = har === undefined ? ok(undefined) : await openHar(har, session, files)
  if (!replay.ok) return replay
  return ok({
    rule: { url, method, answer: answer.value, har },
    matchesUrl: matchesUrl.value,
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

const MESSAGE_LIMIT_CHARS = 1_000_000
const MESSAGE_LIMIT = 1000
const DELAY_LIMIT_MS = 600_000

const sentMessages = v.union([
  v.pipe(
    anyText(MESSAGE_LIMIT_CHARS),
    v.transform((message): readonly unknown[] => [message]),
  ),
  v.pipe(
    v.strictObject({ send: v.any() }),
    v.transform(({ send }): readonly unknown[] => (Array.isArray(send) ? send : [send])),
  ),
])

/** What a page gets when its WebSocket opens. */
const socketMessages = v.union([
  v.pipe(
    v.array(sentMessages),
    v.maxLength(MESSAGE_LIMIT),
    v.transform((lists) => lists.flat()),
  ),
  sentMessages,
])

const BODY_LIMIT_CHARS = 1_000_000
const EVENT_LIMIT = 1000
const TIMES_LIMIT = 1_000_000

const eventText = anyText(BODY_LIMIT_CHARS)
const streamEvent = v.union([
  v.pipe(
    eventText,
    v.transform((data) => ({ data })),
  ),
  v.strictObject({ data: v.any(), event: v.optional(text(200)), id: v.optional(text(200)) }),
])

const schema = v.strictObject({
  status: v.optional(integerBetween(200, 599)),
  headers: v.optional(headers(100, 8000)),
  body: v.optional(anyText(BODY_LIMIT_CHARS)),
  json: v.optional(v.any()),
  path: v.optional(filePath),
  stream: v.optional(v.pipe(v.array(streamEvent), v.maxLength(EVENT_LIMIT))),
  socket: v.optional(socketMessages),
  delay: v.optional(integerBetween(0, DELAY_LIMIT_MS)),
  times: v.optional(integerBetween(1, TIMES_LIMIT)),
  fail: v.optional(v.boolean()),
  change: v.optional(v.boolean()),
})

const FORM =
  'an object of status, headers, one of body, json, path (a file) or stream ([{data, event?, id?}]), and delay (ms), times, fail: true, change: true (the real response with these fields); for WebSockets socket (texts and {send: JSON}, sent when one opens) with delay, times or fail'

/** Validates the answer of a mock; INVALID_PARAMETERS names the field. */
export function parseMockAnswer(input: object): Outcome<MockAnswer> {
  const removed = findRemovedField(input)
  if (removed) return err(removed)
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

function findSocketConflict({ socket = [], fail, ...answer }: MockAnswer): string | undefined {
  if (hasResponse(answer)) return 'socket without a response'
  return fail && socket.length > 0 ? 'fail with socket: []' : undefined
}

const REMOVED_SOCKET_FIELD = /^(?:on|from|json|close|reason|delay)$/
const SOCKET_ADVICE =
  'A mocked WebSocket sends fixed messages when it opens. For one that answers, closes or changes messages, give the session an initScript that replaces window.WebSocket.'
const STREAM_ADVICE =
  'All events of a stream come at once; answer.delay is before them. For one with pauses, give the session an initScript that replaces window.EventSource or fetch.'

/** The failure of a field that earlier versions had. */
function findRemovedField({ push, socket, stream, change }: RemovedFields): Failure | undefined {
  const refuse = (field: string, advice: string) =>
    invalidParameter(`answer.${field}`, 'nothing: it was removed', 'a value', advice)
  if (push !== undefined) return refuse('push', SOCKET_ADVICE)
  const findField = (value: unknown, pattern: RegExp) =>
    isRecord(value) ? Object.keys(value).find((name) => pattern.test(name)) : undefined
  const rules: readonly unknown[] = Array.isArray(socket) ? socket : [socket]
  const ofRule = rules.map((rule) => findField(rule, REMOVED_SOCKET_FIELD)).find((name) => name !== undefined)
  if (ofRule !== undefined) return refuse(`socket.${ofRule}`, SOCKET_ADVICE)
  if (socket !== undefined && change !== undefined) return refuse('change', SOCKET_ADVICE)
  const isPaced = Array.isArray(stream) && stream.some((event: unknown) => findField(event, /^delay$/))
  return isPaced ? refuse('stream.delay', STREAM_ADVICE) : undefined
}

interface RemovedFields {
  readonly push?: unknown
  readonly socket?: unknown
  readonly stream?: unknown
  readonly change?: unknown
}
