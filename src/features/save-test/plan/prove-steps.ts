// Proves recorded steps before a test is written from them: each replay runs in a session of its own, after a restart of the server.

import type { Failure, Outcome } from '../../../core/base/failure.ts'
import { err, map, ok } from '../../../core/base/result.ts'
import type { OpenSession } from '../../../core/sessions/types/open-session.ts'
import type { RecordedAction, RecordedStep } from '../../../core/sessions/types/recorded-step.ts'
import type { PageBody } from '../../../core/sessions/types/session-manager.ts'
import type { FailedOutcome, StepsReport, ToolOutcome } from '../../../core/tool/tool-call.ts'
import type { CallContext } from '../../../core/tool/tool.ts'
import { describeAction, enteredTextsOf, firstOfEntry, isActing } from '../../lib/replay/prepare-steps.ts'
import { callOf, performStep, requestLike, selectTab } from '../../lib/replay/replay-step.ts'
import { resolveAction, resolveCheck, resolveClick } from '../../lib/replay/resolve-elements.ts'
import { findDetours, insertChecks, type ObservedStep } from './insert-checks.ts'
import { holdsNow, isIdleClick, observeEffect, type PageView, viewPage } from './observe-page.ts'
import { findMovedAddress } from './plan-server.ts'

/** Steps that were green in every replay. */
export interface ProvenSteps {
  readonly steps: readonly RecordedStep[]
  /** The checks that the author did not make. */
  readonly added: readonly RecordedStep[]
  /** The author's own checks that held before the action that they follow. */
  readonly heldBefore: readonly RecordedStep[]
}

/** Replays the steps `count` times. The first replay finds the locators that work, adds missing checks and shows detours, which the next one
 * leaves out. Fails as the first step that fails does, with its evidence. */
export async function proveSteps(
  steps: readonly RecordedStep[],
  count: number,
  session: OpenSession,
  context: CallContext,
): Promise<ToolOutcome<ProvenSteps>> {
  const first = await replayOnce(steps, true, session, context)
  if (!first.ok) return first
  const observed = first.value
  const heldBefore = observed.filter((one) => one.heldBefore).map(({ step }) => step)
  const whole = insertChecks(observed)
  const detours = count > 1 ? findDetours(observed) : new Set<number>()
  const short = insertChecks(observed.filter((_, index) => !detours.has(index)))
  const proof = await proveAgain(short, count, session, context)
  if (proof.ok || detours.size === 0) return map(proof, (proven) => ({ ...proven, heldBefore }))
  return map(await proveAgain(whole, count, session, context), (proven) => ({ ...proven, heldBefore }))
}

/** Restarts the server of a session, if it is the session's own, so that what it keeps in memory is as it was at its start. Fails if it then
 * has another address. */
export async function restartServer(
  { server }: OpenSession,
  { caller }: CallContext,
): Promise<Outcome<void>> {
  if (!server?.info().isOwned) return ok(undefined)
  const before = server.info()
  const restart = await server.restart(caller.signal, caller.progress)
  if (!restart.ok) return restart
  const obstacle = findMovedAddress(before, server.info())
  return obstacle ? err(obstacle) : ok(undefined)
}

// --- internal ---

type CheckedSteps = Pick<ProvenSteps, 'steps' | 'added'>

// A check that nobody asked for is dropped if it does not hold every time.
async function proveAgain(
  checked: CheckedSteps,
  count: number,
  session: OpenSession,
  context: CallContext,
): Promise<ToolOutcome<CheckedSteps>> {
  let { steps, added } = checked
  for (let replay = 2; replay <= count;) {
    context.caller.progress(`replay ${replay}/${count}`)
    const next = await replayOnce(steps, false, session, context)
    if (next.ok) {
      replay += 1
      continue
    }
    const failedStep = next.index === undefined ? undefined : steps[next.index]
    if (!failedStep || !added.includes(failedStep)) return next
    steps = steps.filter((step) => step !== failedStep)
    added = added.filter((step) => step !== failedStep)
  }
  return ok({ steps, added })
}

/** A failure has the index of the step that failed, if one did. */
type ReplayOutcome = ToolOutcome<readonly ObservedStep[]> & { readonly index?: number }

async function replayOnce(
  steps: readonly RecordedStep[],
  observes: boolean,
  session: OpenSession,
  context: CallContext,
): Promise<ReplayOutcome> {
  const { sessions, caller } = context
  const restart = await restartServer(session, context)
  if (!restart.ok) return restart
  const replaySession = await sessions.create(caller.owner, requestLike(session), caller)
  if (!replaySession.ok) return replaySession
  const { id } = replaySession.value.record
  const result = await replaySteps(steps, id, observes, context)
  await sessions.close(caller.owner, id)
  if (result.isGreen) return ok(result.steps)
  const { outcome, index } = result
  return {
    ...outcome,
    index,
    steps: describeFailedStep(steps, index, outcome.error.code, session.record.id),
  }
}

function describeFailedStep(
  steps: readonly RecordedStep[],
  index: number,
  code: Failure['code'],
  sessionKey: string,
): StepsReport {
  const names = steps.map(({ action }) => describeAction(action))
  const tool = names[index] ?? 'replay'
  const lines = names.slice(0, index).map((name, position) => `${position + 1} ${name}`)
  return {
    step: index + 1,
    total: steps.length,
    tool,
    lines: [...lines, `${index + 1} ${tool} failed: ${code}`],
    sessionKey,
  }
}

/** What the first replay learns of the steps: the locators of their elements, what each action changes, and which checks held before. */
interface StepObserver {
  /** Looks at the page before a step; returns its action with the locators that its element has now. */
  before(index: number): PageBody<RecordedAction>
  /** Looks at the page after a step whose `action` has succeeded. */
  after(index: number, action: RecordedAction): PageBody<void>
  steps(): readonly ObservedStep[]
}

function createObserver(steps: readonly RecordedStep[], tabs: Map<string, string>): StepObserver {
  const actions = steps.map(({ action }) => action)
  const views = new Map<number, PageView>()
  const proposals = new Map<number, ObservedStep['proposals']>()
  const heldBefore = new Set<number>()
  const announced = new Set<number>()
  const idleClicks = new Set<number>()
  const isActingAt = (index: number): boolean => isActing(steps[index] as RecordedStep)

  return {
    before: (index) => async (page, deadline) => {
      const step = steps[index] as RecordedStep
      selectTab(step, page, tabs)
      if (isActing(step)) {
        const view = await viewPage(page, deadline)
        if (view) views.set(index, view)
        for (const checkIndex of checksOf(steps, index)) {
          const check = actions[checkIndex]
          if (check?.kind === 'check' && (await holdsNow(check.check, page, deadline)))
            heldBefore.add(checkIndex)
        }
      }
      return ok(await resolveAction(step.action, page, deadline))
    },
    after: (index, action) => async (page, deadline) => {
      const isCheck = action.kind === 'check'
      actions[index] = isCheck
        ? { ...action, check: await resolveCheck(action.check, page, deadline) }
        : await resolveClick(action, page, deadline)
      if (await isIdleClick(action, views.get(index), page, deadline)) idleClicks.add(index)
      const isEnd = index === steps.length - 1 || isActingAt(index + 1)
      const start = steps.findLastIndex((step, position) => position <= index && isActing(step))
      const view = views.get(start)
      if (!isEnd || !view) return ok(undefined)
      const lastAction = { ...(steps[start] as RecordedStep), action: actions[start] as RecordedAction }
      const history = [...views].flatMap(([position, { lines }]) => (position < start ? [lines] : []))
      const enteredTexts = enteredTextsOf(steps.slice(0, index + 1))
      const change = { before: view.lines, enteredTexts, history }
      const effect = await observeEffect(lastAction, change, page, deadline)
      if (effect) proposals.set(index, effect.proposals)
      for (let position = start; position <= index; position += 1) {
        const checked = actions[position]
        if (checked?.kind === 'check' && effect?.isAnnounced(checked.check)) announced.add(position)
      }
      return ok(undefined)
    },
    steps: () =>
      steps.map((step, index) => {
        const [checks, view] = [proposals.get(index), views.get(index)]
        return {
          step: { ...step, action: actions[index] ?? step.action },
          heldBefore: heldBefore.has(index),
          isAnnounced: announced.has(index),
          isIdleClick: idleClicks.has(index),
          proposals: checks,
          stateBefore: view?.state,
        }
      }),
  }
}

/** The indexes of the checks of the action that begins here. */
function checksOf(steps: readonly RecordedStep[], start: number): readonly number[] {
  const first = steps.findIndex(({ action }, index) => index > start && action.kind === 'check')
  if (first < 0 || firstOfEntry(steps.slice(0, first)) !== start) return []
  const end = steps.findIndex(({ action }, index) => index > first && action.kind !== 'check')
  return steps.map((_, index) => index).slice(first, end < 0 ? steps.length : end)
}

type ReplayResult =
  | { readonly isGreen: true; readonly steps: readonly ObservedStep[] }
  | { readonly isGreen: false; readonly outcome: FailedOutcome; readonly index: number }

/** For a look at the page around a step, whose failure says nothing. */
const OBSERVATION_TIMEOUT_MS = 30_000

/** Replays the steps as a test would, without a wait for what an action causes. `observes`: chooses the locators, proposes checks of what each action changes, and tries each check before
 * the actions that it follows too. */
async function replaySteps(
  steps: readonly RecordedStep[],
  sessionKey: string,
  observes: boolean,
  context: CallContext,
): Promise<ReplayResult> {
  const { sessions, caller } = context
  const tabs = new Map([[steps[0]?.tab ?? 't1', 't1']])
  const observer = createObserver(steps, tabs)
  for (const [index, step] of steps.entries()) {
    const call = callOf(step, sessionKey, context)
    caller.progress(`step ${index + 1}/${steps.length} ${call.description}`)
    const observe = async <T>(body: PageBody<T>): Promise<T | undefined> => {
      if (!observes) return undefined
      const outcome = await sessions.runOnPage({ ...call, requestedTimeout: OBSERVATION_TIMEOUT_MS }, body)
      return outcome.ok ? outcome.value : undefined
    }
    const action = (await observe(observer.before(index))) ?? step.action
    const outcome = await sessions.runOnPage(call, (page, deadline) =>
      performStep(step, action, { page, deadline, tabs }),
    )
    if (!outcome.ok) return { isGreen: false, outcome, index }
    await observe(observer.after(index, action))
  }
  return { isGreen: true, steps: observes ? observer.steps() : steps.map(toUnobserved) }
}

const toUnobserved = (step: RecordedStep): ObservedStep => ({ step, heldBefore: false })
