// Saves what a session has done as a Playwright test, after it was replayed.

import * as v from 'valibot'
import { planTest } from './plan-test.ts'
import { proveSteps, restartServer, type ProvenSteps } from './prove-test.ts'
import { addConfig, encode, findTestPlace, saveInitialState } from './test-files.ts'
import { defineSessionTool } from './define/define-tool.ts'
import { described, integerBetween, text, filePath } from './define/fields.ts'
import type { ToolContext } from './define/tool.ts'
import { isActing, startWithNavigation, describeAction } from '../core/recording/prepare-steps.ts'
import type { RecordedStep } from '../core/recording/recorded-step.ts'
import { shortenSteps } from '../core/playwright-test/shorten-steps.ts'
import { describeTest } from '../core/playwright-test/step-titles.ts'
import { writeTestWithoutSecrets } from '../core/playwright-test/write-test.ts'
import { describeCounts } from '../core/playwright-test/run-summary.ts'
import { invalidParameter, type Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'
import type { OpenSession } from '../runtime/ports/open-session.ts'
import type { ToolOutcome } from '../runtime/ports/tool-call.ts'
import type { OwnedServer } from '../runtime/ports/servers.ts'

const REPLAY_LIMIT = 20
const DEFAULT_REPLAYS = 2
const TITLE_LIMIT_CHARS = 200
const SECRETS_NOTE =
  'What looks like a secret in it is written as [redacted]; give such values a name with --secrets.'
const RED_NOTE =
  'It was written, and green when it was replayed here. What is true only once, as a new name or a changed password, is red the second time: let the test make a new one, or undo it at its end.'
const RUN_TIMEOUT_MS = 120_000

export const saveTest = defineSessionTool({
  name: 'save_test',
  title: 'Save test',
  description:
    'Write what the session did as a Playwright test to path (new .spec.ts), after 2 replays in fresh sessions. wait_for calls become expect. since: seq of timeline.',
  effect: 'acts',
  input: {
    path: filePath,
    name: v.optional(v.pipe(text(TITLE_LIMIT_CHARS), v.minLength(1))),
    since: v.optional(integerBetween(0, Number.MAX_SAFE_INTEGER)),
    replay: v.optional(integerBetween(1, REPLAY_LIMIT), DEFAULT_REPLAYS),
    run: v.optional(described(v.boolean(), 'Also with Playwright Test')),
  },
  output: {
    path: v.string(),
    actions: v.number(),
    checks: v.number(),
    replays: v.number(),
    config: v.optional(v.string()),
    environment: v.optional(v.array(v.string())),
    run: v.string(),
    notes: v.optional(v.array(v.string())),
  },
  async run({ path, name, since, replay, run }, session, context) {
    const place = await findTestPlace(path, context.files)
    if (!place.ok) return place
    const { steps, dropped } = session.recording.read(since)
    if (!steps.some(isActing)) return err(nothingRecorded(since))
    const proof = await prove(startWithNavigation(steps), replay, session, context)
    if (!proof.ok) return proof
    const state = await saveInitialState(place.value, session, context.files)
    if (!state.ok) return state
    const { steps: proven } = proof.value
    const title = name ?? describeTest(proven)
    const { secrets, files } = context
    const plan = planTest(title, proven, place.value.path, session, secrets, state.value, files.resolve)
    const { redactor } = session
    const test = writeTestWithoutSecrets(plan, redactor)
    const created = await context.files.create(path, encode(test.text), {
      createsFolders: true,
      isShared: true,
    })
    if (!created.ok) return created
    const config = await addConfig(place.value, session, secrets, context.files)
    if (!config.ok) return config
    const usedSecrets = new Map([...test.secrets, ...config.value.secrets])
    const file = { path: created.value, secrets: usedSecrets, startsServer: config.value.startsServer }
    const result = await runSavedTest(file, run, session, context)
    if (!result.ok) return result
    const notes = [
      ...describeProof(proof.value, {
        dropped,
        replays: replay,
        statePath: state.value,
        server: session.server,
      }),
      ...config.value.notes,
      ...(test.text.includes('[redacted') ? [SECRETS_NOTE] : []),
    ]
    return ok({
      data: {
        path: created.value,
        actions: proven.filter(isActing).length,
        checks: proven.filter(({ action }) => action.kind === 'check').length,
        replays: replay,
        ...(config.value.created !== undefined && { config: config.value.created }),
        run: result.value,
        ...(usedSecrets.size > 0 && { environment: [...usedSecrets.keys()] }),
        ...(notes.length > 0 && { notes }),
      },
    })
  },
})

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
  context: ToolContext,
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
  { tests, caller }: ToolContext,
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
  context: ToolContext,
): Promise<ToolOutcome<ProvenSteps>> {
  const shortSteps = shortenSteps(steps)
  const proof = await proveSteps(shortSteps, count, session, context)
  if (proof.ok || shortSteps.length === steps.length) return proof
  const wholeProof = await proveSteps(steps, count, session, context)
  return wholeProof.ok ? wholeProof : proof
}

const nothingRecorded = (since: number | undefined) =>
  invalidParameter(
    since === undefined ? 'sessionId' : 'since',
    'a session that has done something on a page',
    since === undefined ? 'one without a successful action' : `${since}, with no action after it`,
    'Navigate, act and check with wait_for first.',
  )

interface ProofContext {
  /** How many of the first steps the recording no longer has. */
  readonly dropped: number
  readonly replays: number
  readonly statePath: string | undefined
  readonly server: OwnedServer | undefined
}

/** What the author of a test should know about it. */
function describeProof(
  { steps, added, vacuous }: ProvenSteps,
  { dropped, replays, statePath, server }: ProofContext,
): readonly string[] {
  const others = [...new Set(steps.flatMap(({ action }) => (action.kind === 'other' ? [action.tool] : [])))]
  const hasChecks = steps.some(({ action }) => action.kind === 'check')
  const last = steps.findLastIndex((step) => isActing(step) && step.action.kind !== 'navigate')
  const lastAction = steps[last]?.action
  const isProven = steps
    .slice(last + 1)
    .some((step) => step.action.kind === 'check' && !vacuous.includes(step))
  const notes = [
    added.length > 0 && `Added checks of what changed: ${list(added)}.`,
    !hasChecks && 'It checks nothing: add a wait_for call for what should be seen, and save it again.',
    vacuous.length > 0 && `Held before the action too, so it proves little: ${list(vacuous)}.`,
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
