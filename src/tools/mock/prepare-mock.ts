// The mock that a call describes, with what its patterns and paths stand for.

import { lookup } from 'mrmime'
import { openHarReplay } from './har-file.ts'
import { parseMockAnswer } from './mock-answer.ts'
import { compileSocketPatterns } from './socket-answer.ts'
import { compileUrlPattern } from '../define/pattern.ts'
import { inField, invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import type { Mock, MockAnswer } from '../../core/mock/mock.ts'
import { err, ok } from '../../core/result.ts'
import type { Files } from '../../runtime/ports/files.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'

const MOCK_LIMIT = 100
const BODY_LIMIT_BYTES = 20_000_000

export interface RuleInput {
  readonly url?: string | undefined
  readonly method?: string | undefined
  readonly answer?: Record<string, unknown> | undefined
  readonly har?: string | undefined
}

/** The mock that the input describes; undefined if it describes none. */
export async function prepareMock(
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

// --- internal ---

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
