// Writes the test of a recording as `save_test` does: after it was replayed in fresh sessions.

import { basename, dirname, join } from 'node:path'
import type { RecordRequest } from './record-request.ts'
import { storeUploads } from './uploaded-files.ts'
import type { Services } from '../serve/create-services.ts'
import type { RecordedStep } from '../../core/recording/recorded-step.ts'
import { shortenSteps } from '../../core/test-code/shorten-steps.ts'
import { describeTest } from '../../core/test-code/describe-test.ts'
import { writeTestWithoutSecrets } from '../../core/test-code/write-test.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'
import type { SessionManager } from '../../runtime/ports/session-manager.ts'
import type { Caller } from '../../runtime/ports/tool-call.ts'
import { planTest } from '../../tools/save-test/plan-test.ts'
import { encode } from '../../tools/save-test/test-files.ts'
import { saveTest } from '../../tools/save-test/save-test.ts'

/** What was written, as `save_test` answers it. */
export interface SavedTest {
  readonly path: string
  readonly actions: number
  readonly checks: number
  readonly replays: number
  readonly config?: string
  readonly run: string
  readonly environment?: readonly string[]
  readonly notes?: readonly string[]
}

const FOLDER = 'tests'
const NAME_LIMIT_CHARS = 60

/** The steps, with the files that they upload in the folder of the test, and what the test is called. */
export interface Recording {
  readonly steps: readonly RecordedStep[]
  readonly title: string
  readonly path: string
}

/** Chooses the title and the path of a test where the person has named none, and copies uploaded files beside it. */
export async function prepareRecording(
  steps: readonly RecordedStep[],
  { save, name }: Pick<RecordRequest, 'save' | 'name'>,
  { files }: Services,
): Promise<Outcome<Recording>> {
  const title = name ?? describeTest(shortenSteps(steps))
  const path = save ?? (await findFreePath(title, files.readIfExists))
  const storedSteps = await storeUploads(steps, join(dirname(path), 'files'), files)
  return map(storedSteps, (value) => ({ steps: value, title, path }))
}

/** Fails as the tool does, for example as the first step that fails in a replay; `lines` are the steps until then. */
export async function saveRecording(
  { steps, title, path }: Recording,
  session: OpenSession,
  { sessions, files, tests, secrets }: Services,
  caller: Caller,
): Promise<Outcome<SavedTest> & { readonly lines?: readonly string[] }> {
  const call = saveTest.bind({ sessionId: session.record.id, path, name: title }, false)
  if (!call.ok) return err(invalidParameter('save', 'the path of a test', path))
  const outcome = await call.value.run({
    caller,
    sessions: withRecording(sessions, steps),
    files,
    tests,
    secrets,
    parseStep: (tool) => err(invalidParameter('tool', 'no tool', tool)),
  })
  return outcome.ok
    ? ok(outcome.value.data as SavedTest)
    : { ...err(outcome.error), lines: outcome.steps?.lines ?? [] }
}

/** Writes the test although its replay failed, for a person who can repair it, with the reason at its begin. */
export async function saveUnproven(
  { title, path, steps }: Recording,
  reason: string,
  session: OpenSession,
  { files, secrets }: Services,
): Promise<Outcome<string>> {
  const { resolve } = files
  const plan = planTest(title, steps, resolve(path), session, secrets, undefined, resolve)
  const { redactor } = session
  const note = redactor.redactText(reason).replace(/^/gm, '// ')
  const { text } = writeTestWithoutSecrets(plan, redactor)
  const bytes = encode(`// A replay of this recording failed:\n${note}\n${text}`)
  return files.create(path, bytes, { createsFolders: true, isShared: true })
}

/** A text without what was entered into fields for secrets. */
export const hideEnteredSecrets = (text: string, steps: readonly RecordedStep[]): string =>
  steps.reduce(
    (hidden, { action }) =>
      action.kind === 'fill' && action.element.isSecret && action.value !== ''
        ? hidden.replaceAll(String(action.value), '•••')
        : hidden,
    text,
  )

// --- internal ---

/** The sessions, as if each had done these steps. */
const withRecording = (sessions: SessionManager, steps: readonly RecordedStep[]): SessionManager => ({
  ...sessions,
  runOnSession: (call, body) =>
    sessions.runOnSession(call, (session) =>
      body({ ...session, recording: { read: () => ({ steps, dropped: 0 }) } }),
    ),
})

async function findFreePath(
  title: string,
  readIfExists: (path: string) => Promise<Outcome<Uint8Array | undefined>>,
): Promise<string> {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, NAME_LIMIT_CHARS)
  for (let number = 1; ; number += 1) {
    const path = join(FOLDER, `${words || 'recorded'}${number === 1 ? '' : `-${number}`}.spec.ts`)
    const existing = await readIfExists(path)
    if (existing.ok && existing.value === undefined) return path
    if (!existing.ok) return basename(path)
  }
}
