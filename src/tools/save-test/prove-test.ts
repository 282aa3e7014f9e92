// Proves recorded steps before a test is written from them: each replay runs in a session of its own, after a restart of the server.

import { replaySteps } from './replay-steps.ts'
import { describeAction } from '../../core/recording/describe-action.ts'
import { findDetours } from '../../core/recording/find-detours.ts'
import { insertChecks, type ObservedStep } from '../../core/recording/insert-checks.ts'
import type { RecordedStep } from '../../core/recording/recorded-step.ts'
import type { Failure } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'
import type { SessionRequest } from '../../runtime/ports/session-request.ts'
import type { StepsReport, ToolOutcome } from '../../runtime/ports/tool-call.ts'
import type { ToolContext } from '../define/tool.ts'

/** Steps that were green in every replay. */
export interface ProvenSteps {
  readonly steps: readonly RecordedStep[]
  /** The checks that the author did not make, and the author's own that held before the action that they follow. */
  readonly added: readonly RecordedStep[]
  readonly vacuous: readonly RecordedStep[]
}

/** Replays the steps `count` times. The first replay finds the locators that work, adds missing checks and shows detours, which the next one
 * leaves out. Fails as the first step that fails does, with its evidence. */
export async function proveSteps(
  steps: readonly RecordedStep[],
  count: number,
  session: OpenSession,
  context: ToolContext,
): Promise<ToolOutcome<ProvenSteps>> {
  const first = await replayOnce(steps, true, session, context)
  if (!first.ok) return first
  const observed = first.value
  const vacuous = observed.filter(({ isVacuous }) => isVacuous).map(({ step }) => step)
  const whole = insertChecks(observed)
  const detours = count > 1 ? findDetours(observed) : new Set<number>()
  const short = insertChecks(observed.filter((_, index) => !detours.has(index)))
  const proof = await proveAgain(short, count, session, context)
  if (proof.ok || detours.size === 0) return map(proof, (proven) => ({ ...proven, vacuous }))
  return map(await proveAgain(whole, count, session, context), (proven) => ({ ...proven, vacuous }))
}

/** Restarts the server of a session, if it is the session's own, so that what it keeps in memory is as it was at its start. */
export async function restartServer({ server }: OpenSession, { caller }: ToolContext) {
  if (!server?.info().isOwned) return ok(undefined)
  return server.restart(caller.signal, caller.progress)
}

// --- internal ---

type CheckedSteps = Pick<ProvenSteps, 'steps' | 'added'>

// A check that nobody asked for is dropped if it does not hold every time.
async function proveAgain(
  checked: CheckedSteps,
  count: number,
  session: OpenSession,
  context: ToolContext,
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
  context: ToolContext,
): Promise<ReplayOutcome> {
  const { sessions, caller } = context
  const restart = await restartServer(session, context)
  if (!restart.ok) return restart
  const replaySession = await sessions.create(caller.owner, requestOf(session), caller)
  if (!replaySession.ok) return replaySession
  const { id } = replaySession.value.record
  const result = await replaySteps(steps, id, observes, context)
  await sessions.close(caller.owner, id)
  if (result.isGreen) return ok(result.steps)
  const { error, index } = result
  return { ...err(error), index, steps: describeFailedStep(steps, index, error.code, id) }
}

/** A session as the recorded one was when it began, at the same server. */
function requestOf({ request, namedState, server, journal }: OpenSession): SessionRequest {
  const { name: _, restore: __, server: ___, attach: ____, trace: _____, ...rest } = request
  return {
    ...rest,
    ...(namedState?.state && { storageState: namedState.state }),
    ...(server && { sharedServer: { server, journal } }),
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
