import * as v from 'valibot'
import { lookup } from 'mrmime'
import { fileFieldsOf, SECRETS_NOTE } from '../files.ts'
import { text } from '../define/fields.ts'
import { parseHarFile } from './har-file.ts'
import { parseMockAnswer } from './mock-answer.ts'
import { compileUrlPattern } from '../define/pattern.ts'
import { definePageTool } from '../define/define-tool.ts'
import { redactHar } from '../../core/har/redact-har.ts'
import { createHarReplay } from '../../core/har/replay.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import { summarizeMock } from '../../core/mock/describe-mock.ts'
import type { Mock, MockAnswer } from '../../core/mock/mock.ts'
import { revealingRedactor } from '../../core/redaction/redactor.ts'
import { err, map, ok } from '../../core/result.ts'
import type { Artifact, Files } from '../../runtime/ports/files.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'
import type { Page } from '../../runtime/ports/page/page.ts'

const MOCK_LIMIT = 100
const BODY_LIMIT_BYTES = 20_000_000
const REDACTION_NOTE =
  'Secrets in its URLs, headers and bodies are redacted, except in scripts and style sheets.'
const SEED_NOTE = 'The seed applies to documents that are opened from now on.'

export const mock = definePageTool({
  name: 'mock',
  title: 'Mock',
  description:
    'Mock or count requests to url (text, glob, /regex/). answer: {status, headers, body, json, path, stream: [{data, event, delay}], delay, times, fail, change: true}. har: record, save or a file. clock: ISO time. remove: id or all.',
  effect: 'acts',
  timeoutKind: 'navigation',
  // A recording has what was typed.
  readsPageOutput: true,
  input: {
    url: v.optional(v.pipe(text(2000), v.minLength(1))),
    method: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z]{1,20}$/))),
    answer: v.optional(v.looseObject({})),
    har: v.optional(v.pipe(text(4096), v.minLength(1))),
    clock: v.optional(v.pipe(v.string(), v.maxLength(40), v.isoTimestamp())),
    seed: v.optional(v.pipe(v.number(), v.integer())),
    remove: v.optional(v.pipe(v.string(), v.regex(/^(all|m\d{1,9})$/))),
  },
  output: { mocks: v.any(), path: v.optional(v.string()), notes: v.optional(v.any()) },
  async run({ remove, clock, seed, har, ...rule }, page, deadline, { session, files }) {
    const newMock = await prepareMock({ ...rule, har }, session, files)
    if (!newMock.ok) return newMock
    const removal = await removeMocks(remove, page, session)
    if (!removal.ok) return removal
    const fixing = clock === undefined ? ok(undefined) : await page.setFixedTime(Date.parse(clock))
    if (!fixing.ok) return fixing
    const seeding = seed === undefined ? ok(undefined) : await page.seedRandom(seed)
    if (!seeding.ok) return seeding
    const start = har === 'record' ? await page.startHar() : ok([])
    if (!start.ok) return start
    const id = newMock.value && session.mocks.add(newMock.value)
    const update = await page.applyMocks(deadline)
    if (!update.ok && id !== undefined) session.mocks.remove(id)
    if (!update.ok) return update
    const file = har === 'save' ? await saveHar(rule.url, page, session) : ok(undefined)
    if (!file.ok) return file
    const isRevealed = session.redactor === revealingRedactor
    const notes = [
      ...start.value,
      ...update.value,
      ...(seed === undefined ? [] : [SEED_NOTE]),
      ...(file.value ? [isRevealed ? SECRETS_NOTE : REDACTION_NOTE] : []),
    ]
    return ok({
      data: {
        mocks: session.mocks.list().map(summarizeMock),
        ...(file.value && fileFieldsOf(file.value)),
        ...(notes.length > 0 && { notes }),
      },
    })
  },
})

// --- internal ---

interface RuleInput {
  readonly url?: string | undefined
  readonly method?: string | undefined
  readonly answer?: Record<string, unknown> | undefined
  readonly har?: string | undefined
}

/** The mock that the input describes; undefined if it describes none. */
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
    ...(replay.value && { findResponse: replay.value }),
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
  if (!bytes.ok) return bytes
  if (bytes.value.length <= BODY_LIMIT_BYTES) return ok({ bytes: bytes.value, mimeType: type })
  const expected = `a file of at most ${BODY_LIMIT_BYTES} bytes`
  return err(invalidParameter('answer.path', expected, `${bytes.value.length} bytes`))
}

async function openHar(
  path: string,
  { redactor }: OpenSession,
  files: Files,
): Promise<Outcome<Mock['findResponse']>> {
  const bytes = await files.read(path)
  if (!bytes.ok) return bytes
  return map(parseHarFile(bytes.value), (entries) =>
    createHarReplay(entries, (body) => redactor.redactData({ body }).body),
  )
}

async function removeMocks(
  id: string | undefined,
  page: Page,
  { mocks }: OpenSession,
): Promise<Outcome<void>> {
  if (id === undefined) return ok(undefined)
  if (id !== 'all')
    return mocks.remove(id)
      ? ok(undefined)
      : err(invalidParameter('remove', ['all', ...mocks.list().map((entry) => entry.id)].join(', '), id))
  mocks.clear()
  const fixing = await page.setFixedTime(undefined)
  return fixing.ok ? page.seedRandom(undefined) : fixing
}

async function saveHar(
  url: string | undefined,
  page: Page,
  { folder, redactor }: OpenSession,
): Promise<Outcome<Artifact>> {
  const matchesUrl = url === undefined ? ok(() => true) : await compileUrlPattern(url)
  if (!matchesUrl.ok) return matchesUrl
  const recording = await page.stopHar()
  if (!recording.ok) return recording
  const { log } = recording.value
  const entries = log.entries.filter(({ request }) => matchesUrl.value(request.url))
  const har = redactHar({ log: { ...log, entries } }, redactor.redactData, redactor.containsDeclared)
  return folder.write('network.har', new TextEncoder().encode(JSON.stringify(har)))
}

const missingUrl = (field: string): Failure =>
  invalidParameter('url', `the URL of the requests, for ${field}`, 'nothing', 'All requests: url "**".')

const tooManyMocks = (): Failure => ({
  code: 'RESOURCE_EXHAUSTED',
  resource: 'mocks',
  text: `a session has at most ${MOCK_LIMIT}`,
  next: 'Remove one first.',
})
