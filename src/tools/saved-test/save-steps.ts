// Writes what a session or a person has done as a Playwright test: the steps are replayed first, then the test, its state and its
// configuration are written, and it runs in the project.

import { planTest } from './plan-test.ts'
import { proveSteps, restartServer, type ProvenSteps } from './prove-steps.ts'
import { addConfig, encode, findTestPlace, saveInitialState } from './test-files.ts'
import type { CallContext } from '../define/tool.ts'
import { isActing, startWithNavigation, describeAction } from '../../core/recording/prepare-steps.ts'
import type { RecordedStep } from '../../core/recording/recorded-step.ts'
import { shortenSteps } from '../../core/playwright-test/shorten-steps.ts'
import { describeTest } from '../../core/playwright-test/step-titles.ts'
import { writeTestWithoutSecrets } from '../../core/playwright-test/write-test.ts'
import { describeCounts } from '../../core/playwright-test/run-summary.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'
import type { ToolOutcome } from '../../runtime/ports/tool-call.ts'
import type { OwnedServer } from '../../runtime/ports/servers.ts'

export const DEFAULT_REPLAYS = 2

const SECRETS_NOTE =
  'What looks like a secret in it is written as [redacted]; give such values a name with --secrets.'
const RED_NOTE =
  'It was written, and green when it was replayed here. What is true only once, as a new name or a changed password, is red the second time: let the test make a new one, or undo it at its end.'
const RUN_TIMEOUT_MS = 120_000

/** Steps in their order; `dropped` is the number of earlier ones that are no longer recorded. */
interface Recording {
  readonly steps: readonly RecordedStep[]
  readonly dropped: number
}

export interface SaveRequest {
  readonly path: string
  /** Without one the test is called by what its steps do. */
  readonly title: string | undefined
  readonly replays: number
  /** Whether the test also runs with the project's Playwright Test; undefined is where its configuration starts the server. */
  readonly run: boolean | undefined
}

/** What was written, and what its author should know. */
export interface SavedTest {
  path: string
  actions: number
  checks: number
  replays: number
  config?: string
  environment?: string[]
  run: string
  notes?: string[]
}

/** Fails as the path does, as the first step that fails in a replay, with its evidence, or as the written test. */
export async function saveSteps(
  { steps, dropped }: Recording,
  { path, title, replays, run }: SaveRequest,
  session: OpenSession,
  context: CallContext,
): Promise<ToolOutcome<SavedTest>> {
  const { secrets, files } = context
  const place = await findTestPlace(path, files)
  if (!place.ok) return place
  const proof = await prove(startWithNavigation(steps), replays, session, context)
  if (!proof.ok) return proof
  const state = await saveInitialState(place.value, session, files)
  if (!state.ok) return state
  const { steps: proven } = proof.value
  const plan = planTest(
    title ?? describeTest(proven),
    proven,
    place.value.path,
    session,
    secrets,
    state.value,
    files.resolve,
  )
  const test = writeTestWithoutSecrets(plan, session.redactor)
  const created = await files.create(path, encode(test.text), { createsFolders: true, isShared: true })
  if (!created.ok) return created
  const config = await addConfig(place.value, session, secrets, files)
  if (!config.ok) return config
  const usedSecrets = new Map([...test.secrets, ...config.value.secrets])
  const file = { path: created.value, secrets: usedSecrets, startsServer: config.value.startsServer }
  const result = await runSavedTest(file, run, session, context)
  if (!result.ok) return result
  const proofContext = { dropped, replays, statePath: state.value, server: session.server }
  const notes = [
    ...describeProof(proof.value, proofContext),
    ...config.value.notes,
    ...(test.text.includes('[redacted') ? [SECRETS_NOTE] : []),
  ]
  return ok({
    path: created.value,
    actions: proven.filter(isActing).length,
    checks: proven.filter(({ action }) => action.kind === 'check').length,
    replays,
    ...(config.value.created !== undefined && { config: config.value.created }),
    run: result.value,
    ...(usedSecrets.size > 0 && { environment: [...usedSecrets.keys()] }),
    ...(notes.length > 0 && { notes }),
  })
}

/** Writes the test although its replay failed, for a person who can repair it, with the reason at its top. */
export async function saveUnproven(
  steps: readonly RecordedStep[],
  { path, title, reason }: { readonly path: string; readonly title: string; readonly reason: string },
  session: OpenSession,
  { files, secrets }: Pick<CallContext, 'files' | 'secrets'>,
): Promise<Outcome<string>> {
  const { resolve } = files
  const plan = planTest(title, steps, resolve(path), session, secrets, undefined, resolve)
  const { redactor } = session
  const note = redactor.redactText(reason).replace(/^/gm, '// ')
  const { text } = writeTestWithoutSecrets(plan, redactor)
  const bytes = encode(`// A replay of this recording failed:\n${note}\n${text}`)
  return files.create(path, bytes, { createsFolders: true, isShared: true })
}

// --- internal ---

interface SavedFile {
  readonly path: string
  /** What it reads from the environment. */
  readonly secrets: ReadonlyMap<string, string>
  readonly startsServer: boolean
}

// The last replay is that of the file, with the project's own Playwright Test. That it is missing does not unmake the test.
async function runSavedTest(
  file: SavedFile,
  isAsked: boolean | undefined,
  session: OpenSession,
  context: CallContext,
): Promise<Outcome<string>> {
  if (isAsked === false) return ok('not tried with Playwright Test')
  const { server } = session
  const obstacle = context.tests.findObstacle(file.path)
  if (obstacle) return ok(`not tried with Playwright Test (${obstacle.code}): run_test says why`)
  if (!isAsked && server && !file.startsServer)
    return ok('not tried with Playwright Test: its configuration does not start the server')
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
  { path, secrets }: SavedFile,
  { tests, caller }: CallContext,
): Promise<Outcome<string>> {
  const request = { path, timeout: RUN_TIMEOUT_MS, env: Object.fromEntries(secrets) }
  const outcome = await tests.run(request, caller)
  if (outcome.ok) return ok(describeCounts({ ...outcome.value, failed: 0 }))
  const { error } = outcome
  if (error.code === 'CANCELLED') return outcome
  if (error.code === 'TEST_FAILED') return err({ ...error, notes: [...(error.notes ?? []), RED_NOTE] })
  return ok(`not run (${error.code}): run_test says why`)
}

// What looks like a dead end may have had an effect: then the whole recording is replayed.
async function prove(
  steps: readonly RecordedStep[],
  count: number,
  session: OpenSession,
  context: CallContext,
): Promise<ToolOutcome<ProvenSteps>> {
  const shortSteps = shortenSteps(steps)
  const proof = await proveSteps(shortSteps, count, session, context)
  if (proof.ok || shortSteps.length === steps.length) return proof
  const wholeProof = await proveSteps(steps, count, session, context)
  return wholeProof.ok ? wholeProof : proof
}

interface ProofContext {
  /** How many of the first steps the recording no longer has. */
  readonly dropped: number
  readonly replays: number
  readonly statePath: string | undefined
  readonly server: OwnedServer | undefined
}

/** What the author of a test should know about it. */
function describeProof(
  { steps, added, heldBefore }: ProvenSteps,
  { dropped, replays, statePath, server }: ProofContext,
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
