// Saves recorded steps as a Playwright test: they are replayed, written, and tried with the project's own Playwright Test.

import type { Failure, Outcome } from '../../../core/base/failure.ts'
import { err, map, ok } from '../../../core/base/result.ts'
import { describeCounts } from '../../../core/base/test-failure.ts'
import type { OpenSession } from '../../../core/sessions/types/open-session.ts'
import type { RecordedStep } from '../../../core/sessions/types/recorded-step.ts'
import type { ToolOutcome } from '../../../core/tool/tool-call.ts'
import type { CallContext } from '../../../core/tool/tool.ts'
import {
  describeAction,
  isActing,
  startWithNavigation,
  withLongestLoads,
} from '../../lib/replay/prepare-steps.ts'
import type {} from '../../run-test/test-runner.ts'
import { describeSteps } from '../code/step-title.ts'
import { writeTestWithoutSecrets } from '../code/write-test.ts'
import { endAsTestRun, findAddressObstacle, findSilentMove, planServer } from './plan-server.ts'
import { type PlannedPages, planTest, type SavedState } from './plan-test.ts'
import { type ProvenSteps, proveSteps, restartServer } from './prove-steps.ts'
import { addConfig, encode, saveInitialState, type TestPlace } from './test-files.ts'

/** The replays before a test is written. */
export const DEFAULT_REPLAYS = 2

export interface SaveRequest {
  readonly place: TestPlace
  readonly steps: readonly RecordedStep[]
  /** The title of the test; without one it says what the steps do. */
  readonly title: string | undefined
  readonly replays?: number
  /** How many of the first steps the recording no longer has. */
  readonly dropped?: number
  /** Whether it is also run with Playwright Test; undefined: where that needs no server of its own. */
  readonly run?: boolean | undefined
}

/** The files that were written, what the test consists of, and what its author should know. */
export interface SavedTest {
  readonly path: string
  readonly actions: number
  readonly checks: number
  readonly replays: number
  readonly config?: string
  /** The result of the run with Playwright Test, or why there was none. */
  readonly run: string
  /** The environment variables that the test needs. */
  readonly environment?: string[]
  readonly notes?: string[]
}

/** Replays the steps in fresh sessions like `session`, and writes the test. Fails as the first step that fails does; then nothing is
 * written. */
export async function saveSteps(
  request: SaveRequest,
  session: OpenSession,
  context: CallContext,
): Promise<ToolOutcome<SavedTest>> {
  const { place, steps, title, replays = DEFAULT_REPLAYS, dropped = 0 } = request
  const end = await tryEnd(place, session, context)
  if (!end.ok) return end
  const proof = await proveSteps(withLongestLoads(startWithNavigation(steps)), replays, session, context)
  if (!proof.ok) return proof
  const run = { project: place.project, end: end.value }
  const plan = await planServer(proof.value.steps, run, session, context)
  const state = await saveInitialState(place, proof.value.steps, session, context.files)
  if (!state.ok) return state
  const { steps: proven } = proof.value
  const { declaresProcess, foreignRunner } = place
  const setsBaseUrl = place.config?.hasBaseUrl === false
  const pages = { origin: plan?.origin, ignoreHTTPSErrors: plan?.ignoreHTTPSErrors === true }
  const spec = {
    ...{ path: place.path, title: title ?? describeSteps(proven), steps: proven },
    ...{ state: state.value, pages: { ...pages, setsBaseUrl, declaresProcess } },
  }
  const written = await writeSpec(spec, session, context)
  if (!written.ok) return written
  const config = await addConfig(place, plan, session, context.secrets, context.files)
  if (!config.ok) return config
  const { path } = written.value
  const files = [path, config.value.created].filter((one) => one !== undefined)
  for (const one of files) await context.tests.format(one)
  const secrets = new Map([...written.value.secrets, ...config.value.secrets])
  const file = {
    ...{ path, secrets, startsServer: config.value.startsServer },
    timeout: RUN_TIMEOUT_MS + (plan?.webServer?.timeout ?? 0),
    written: files,
  }
  const result = await runSavedTest(file, request.run, session, context)
  if (!result.ok) return result
  const { server } = session
  const summaries = (await session.summaries()).map(({ name, text }) => `${name}: ${text}`)
  const notes = [
    ...summaries,
    ...describeProof(proof.value, { dropped, replays, statePath: state.value?.path, server }),
    ...config.value.notes,
    ...(foreignRunner === undefined ? [] : [foreignRunner]),
    ...(written.value.hidesText ? [HIDDEN_TEXT_NOTE] : []),
  ]
  return ok({
    path,
    actions: proven.filter(isActing).length,
    checks: proven.filter(({ action }) => action.kind === 'check').length,
    replays,
    config: config.value.created,
    run: result.value,
    ...(secrets.size > 0 && { environment: [...secrets.keys()] }),
    ...(notes.length > 0 && { notes }),
  })
}

// --- internal ---

const RUN_TIMEOUT_MS = 120_000
const HIDDEN_TEXT_NOTE =
  'What looks like a secret in it is written as [redacted]; give such values a name with --secrets.'
const FAILED_RUN_NOTE =
  'It was written, and green when it was replayed here. What is true only once, as a new name or a changed password, is red the second time: let the test make a new one, or undo it at its end.'

// Fails if no run of the test can start the server, or end it; then it runs as before.
async function tryEnd({ config }: TestPlace, session: OpenSession, context: CallContext) {
  const obstacle = await findAddressObstacle(session)
  if (obstacle) return err(obstacle)
  if (config?.hasWebServer) return ok(undefined)
  const end = await endAsTestRun(session)
  const move = end.ok ? await findSilentMove(session, context) : undefined
  if (end.ok && !move) return end
  const restart = await restartServer(session, context)
  if (!restart.ok) return restart
  return move ? err(move) : end
}

interface Spec {
  readonly path: string
  readonly title: string
  readonly steps: readonly RecordedStep[]
  readonly state?: SavedState | undefined
  readonly pages: PlannedPages
  readonly header?: string
}

interface WrittenSpec {
  readonly path: string
  /** What it reads from the environment. */
  readonly secrets: ReadonlyMap<string, string>
  /** Whether a text in it was replaced because it looked like a secret. */
  readonly hidesText: boolean
}

async function writeSpec(
  { path, title, steps, state, pages, header = '' }: Spec,
  session: OpenSession,
  { files, secrets }: Pick<CallContext, 'files' | 'secrets'>,
): Promise<Outcome<WrittenSpec>> {
  const plan = planTest(title, steps, files.resolve(path), session, pages, secrets, state, files.resolve)
  const test = writeTestWithoutSecrets(plan, session.redactor)
  const options = { createsFolders: true, isShared: true }
  const created = await files.create(path, encode(header + test.text), options)
  const hidesText = test.text.includes('[redacted')
  return map(created, (createdPath) => ({ path: createdPath, secrets: test.secrets, hidesText }))
}

interface SavedFile {
  readonly path: string
  readonly secrets: ReadonlyMap<string, string>
  readonly startsServer: boolean
  /** Milliseconds for its run. */
  readonly timeout: number
  readonly written: readonly string[]
}

// The last replay is that of the file, with the project's own Playwright Test. The test stays where that is missing.
async function runSavedTest(
  file: SavedFile,
  isAsked: boolean | undefined,
  session: OpenSession,
  context: CallContext,
): Promise<Outcome<string>> {
  if (isAsked === false) return ok('not run with Playwright Test')
  const { server } = session
  const obstacle = context.tests.findObstacle(file.path)
  if (obstacle) return ok(`not run with Playwright Test: ${describeObstacle(obstacle)}`)
  if (!isAsked && server && !file.startsServer)
    return ok('not run with Playwright Test: its configuration does not start the server')
  // Its configuration starts the server as it will on another day. One that it does not start has what the replays left.
  const isPaused = file.startsServer && server?.pause !== undefined
  if (isPaused) await server.pause?.()
  else {
    const restart = await restartServer(session, context)
    if (!restart.ok) return restart
  }
  const outcome = await runInProject(file, context)
  if (!isPaused) return outcome
  const restart = await restartServer(session, context)
  return restart.ok ? outcome : restart
}

async function runInProject(
  { path, secrets, timeout, written }: SavedFile,
  { tests, testObserver, caller }: Pick<CallContext, 'caller' | 'tests' | 'testObserver'>,
): Promise<Outcome<string>> {
  const request = { path, timeout, env: Object.fromEntries(secrets) }
  const outcome = await tests.run(request, { ...caller, observer: testObserver })
  if (outcome.ok) return ok(describeCounts({ ...outcome.value, failed: 0 }))
  const { error } = outcome
  if (error.code === 'CANCELLED') return outcome
  if (error.code === 'TEST_FAILED') return err({ ...error, notes: [...(error.notes ?? []), FAILED_RUN_NOTE] })
  if (error.code !== 'TEST_RUN_FAILED') return ok(`not run with Playwright Test: ${describeObstacle(error)}`)
  const note = `Written: ${written.join(', ')}. The steps were green when they were replayed here, but so the files do not run: correct them, or remove them.`
  return err({ ...error, notes: [...(error.notes ?? []), note] })
}

const describeObstacle = (failure: Failure): string => {
  // Where it was searched for is in the answer of run_test.
  if (failure.code === 'TEST_RUN_FAILED') return failure.text.replace(/: it is not in .*/s, '')
  if (failure.code === 'BROWSER_NOT_INSTALLED') return `no ${failure.browser} was found for it`
  return `${failure.code}; run_test says why`
}

function describeProof(
  { steps, added, heldBefore }: ProvenSteps,
  {
    dropped,
    replays,
    statePath,
    server,
  }: Pick<OpenSession, 'server'> & {
    readonly dropped: number
    readonly replays: number
    readonly statePath: string | undefined
  },
): readonly string[] {
  const others = [...new Set(steps.flatMap(({ action }) => (action.kind === 'other' ? [action.tool] : [])))]
  const hasChecks = steps.some(({ action }) => action.kind === 'check')
  const last = steps.findLastIndex((step) => isActing(step) && step.action.kind !== 'navigate')
  const lastAction = steps[last]?.action
  const isProven = steps
    .slice(last + 1)
    .some((step) => step.action.kind === 'check' && !heldBefore.includes(step))
  const notes = [
    added.length > 0 && `Added checks of what changed: ${list(added)}.`,
    !hasChecks && 'It checks nothing: add a wait_for call for what should be seen, and save it again.',
    heldBefore.length > 0 && `Held before the action too, so it proves little: ${list(heldBefore)}.`,
    hasChecks &&
      lastAction &&
      !isProven &&
      `No check tells whether the last action (${describeAction(lastAction)}) still works: add a wait_for call for what it changes, and save it again.`,
    others.length > 0 && `Left out, because a test has no counterpart: ${others.join(', ')}.`,
    dropped > 0 && `The first ${dropped} actions are no longer recorded.`,
    server?.info().isOwned &&
      `The server was restarted ${replays > 1 ? 'before each replay' : 'before the replay'}.`,
    server && !server.info().isOwned && 'The server was not restarted: it was running before the session.',
    statePath !== undefined &&
      `It begins with the state in ${statePath}, which contains logins: keep it out of version control.`,
  ]
  return notes.filter((note) => typeof note === 'string')
}

const list = (steps: readonly RecordedStep[]): string =>
  steps.map(({ action }) => describeAction(action).replace(/^check /, '')).join(', ')
