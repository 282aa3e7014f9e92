// Writes the test of a recording as `save_test` does: after it was replayed in fresh sessions.

import { basename, dirname, join } from 'node:path'
import type { RecordRequest } from './record-request.ts'
import { storeUploads } from './uploaded-files.ts'
import { printMessage } from '../output.ts'
import type { Services } from '../serve/create-services.ts'
import type { RecordedStep } from '../../core/recording/recorded-step.ts'
import { describeTest } from '../../core/test-code/describe-test.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, map } from '../../core/result.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'
import type { SessionManager } from '../../runtime/ports/session-manager.ts'
import type { Caller } from '../../runtime/ports/tool-call.ts'
import { saveTest } from '../../tools/save-test/save-test.ts'

/** What was written, as `save_test` answers it. */
export interface SavedTest {
  readonly path: string
  readonly actions: number
  readonly checks: number
  readonly replays: number
  readonly config?: string
  readonly environment?: readonly string[]
  readonly notes?: readonly string[]
}

const FOLDER = 'tests'
const NAME_LIMIT_CHARS = 60

/** Fails as the tool does, for example as the first step that fails in a replay. */
export async function saveRecording(
  steps: readonly RecordedStep[],
  { save, name }: Pick<RecordRequest, 'save' | 'name'>,
  session: OpenSession,
  { sessions, files, secrets }: Services,
  caller: Caller,
): Promise<Outcome<SavedTest>> {
  const title = name ?? describeTest(steps)
  const path = save ?? (await findFreePath(title, files.readIfExists))
  const storedSteps = await storeUploads(steps, join(dirname(path), 'files'), files)
  if (!storedSteps.ok) return storedSteps
  const call = saveTest.bind({ sessionId: session.record.id, path, name: title }, false)
  if (!call.ok) return err(invalidParameter('save', 'the path of a test', path))
  const outcome = await call.value.run({
    caller,
    sessions: withRecording(sessions, storedSteps.value),
    files,
    secrets,
    parseStep: (tool) => err(invalidParameter('tool', 'no tool', tool)),
  })
  if (!outcome.ok && outcome.steps) for (const line of outcome.steps.lines) printMessage(line)
  return map(outcome, ({ data }) => data as SavedTest)
}

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
