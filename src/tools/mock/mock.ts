import * as v from 'valibot'
import { fileFieldsOf, SECRETS_NOTE } from '../files.ts'
import { text } from '../define/fields.ts'
import { prepareMock } from './prepare-mock.ts'
import { pushMessages } from './push-messages.ts'
import { compileUrlPattern } from '../define/pattern.ts'
import { answer, definePageTool } from '../define/define-tool.ts'
import { redactHar } from '../../core/har/redact-har.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { summarizeMock } from '../../core/mock/describe-mock.ts'
import { isForSockets } from '../../core/mock/mock.ts'
import { revealingRedactor } from '../../core/redaction/redactor.ts'
import { err, ok } from '../../core/result.ts'
import type { Artifact } from '../../runtime/ports/files.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'
import type { Page } from '../../runtime/ports/page/page.ts'

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
  // A recording has what was typed.
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
  async run({ remove, clock, seed, har, ...rule }, page, deadline, { session, files }) {
    if (rule.answer && 'push' in rule.answer) {
      const receivers = await pushMessages(rule.url, rule.answer, page, deadline)
      return answer(receivers, (count) => ({ mocks: summariesOf(session), notes: [pushNote(count)] }))
    }
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
      ...(newMock.value && isForSockets(newMock.value.rule) ? [SOCKET_NOTE] : []),
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

const summariesOf = ({ mocks }: OpenSession) => mocks.list().map(summarizeMock)

const pushNote = (count: number) => `Sent to ${count} ${count === 1 ? 'WebSocket' : 'WebSockets'}.`

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
  const har = redactHar({ log: { ...log, entries } }, redactor)
  return folder.write('network.har', new TextEncoder().encode(JSON.stringify(har)))
}
