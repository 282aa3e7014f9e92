// Replays recorded steps in a new session, as a test would: without a wait for what an action causes.

import { proposeSteps, readLines } from './propose-steps.ts'
import type { Replay } from './replay.ts'
import { runAction } from './run-step.ts'
import { describeAction } from '../../core/recording/describe-action.ts'
import type { ObservedStep } from '../../core/recording/insert-checks.ts'
import { enteredTextsOf, isActing } from '../../core/recording/prepare-steps.ts'
import type { RecordedAction, RecordedStep } from '../../core/recording/recorded-step.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'
import type { ToolCall } from '../../runtime/ports/tool-call.ts'
import { EXPLAIN_GRACE_MS } from '../define/define-tool.ts'
import type { ToolContext } from '../define/tool.ts'

export type ReplayResult =
  | { readonly isGreen: true; readonly steps: readonly ObservedStep[] }
  | { readonly isGreen: false; readonly error: Failure; readonly index: number }

/** The least time for a check, as in Playwright Test. */
const CHECK_TIMEOUT_MS = 5000
/** How long a check is looked at before the action that it follows. */
const EARLY_CHECK_MS = 50

/** Replays the steps in a session. `observes`: proposes checks for each action, and looks at each check before its action too. */
export async function replaySteps(
  steps: readonly RecordedStep[],
  sessionKey: string,
  observes: boolean,
  context: ToolContext,
): Promise<ReplayResult> {
  const replayed: ObservedStep[] = []
  let isNextVacuous = false
  const tabs = new Map([[steps[0]?.tab ?? 't1', 't1']])
  for (const [index, step] of steps.entries()) {
    context.caller.progress(`step ${index + 1}/${steps.length} ${describeAction(step.action)}`)
    const check = observes ? checkAfter(steps, index) : undefined
    const entered = enteredTextsOf(steps.slice(0, index + 1))
    const call = callOf(step, sessionKey, context)
    const outcome = await context.sessions.runOnPage(call, async (page, deadline, session) =>
      runStep(step, { page, session, deadline, tabs, isFirst: observes }, { observes, check, entered }),
    )
    if (!outcome.ok) return { isGreen: false, error: outcome.error, index }
    const { heldBefore, ...entry } = outcome.value
    replayed.push({ ...entry, isVacuous: isNextVacuous })
    isNextVacuous = heldBefore
  }
  return { isGreen: true, steps: replayed }
}

// --- internal ---

interface StepOptions {
  readonly observes: boolean
  /** The check that follows the action. */
  readonly check: RecordedAction | undefined
  readonly entered: readonly string[]
}

type StepResult = Omit<ObservedStep, 'isVacuous'> & { readonly heldBefore: boolean }

/** `heldBefore`: whether the check that follows held before the action. */
async function runStep(
  step: RecordedStep,
  replay: Replay & { readonly tabs: Map<string, string> },
  { observes, check, entered }: StepOptions,
): Promise<Outcome<StepResult>> {
  const { page, deadline, tabs } = replay
  const tab = tabs.get(step.tab) ?? step.tab
  if (page.tabIds().active !== tab && !page.dialog()) {
    const selection = page.selectTab(tab)
    if (!selection.ok) return selection
  }
  const before = observes && isActing(step) ? await readLines(page, deadline) : undefined
  const heldBefore = check !== undefined && before !== undefined && (await holdsNow(check, replay))
  const tabsBefore = page.tabIds().all
  const outcome = await runAction(step.action, replay)
  if (!outcome.ok) return outcome
  const openedTab = page.tabIds().all.find((id) => !tabsBefore.includes(id))
  if (step.openedTab !== undefined && openedTab !== undefined) tabs.set(step.openedTab, openedTab)
  const proposals = before ? await proposeSteps(step, before, entered, page, deadline) : []
  return ok({ step: { ...step, action: outcome.value }, proposals, heldBefore })
}

const checkAfter = (steps: readonly RecordedStep[], index: number): RecordedAction | undefined => {
  const next = steps[index + 1]?.action
  return next?.kind === 'check' ? next : undefined
}

async function holdsNow(check: RecordedAction, replay: Replay): Promise<boolean> {
  const { signal } = replay.deadline
  const deadline = { timeout: EARLY_CHECK_MS, signal, remaining: () => EARLY_CHECK_MS }
  return (await runAction(check, { ...replay, deadline })).ok
}

function callOf({ action, durationMs }: RecordedStep, sessionKey: string, { caller }: ToolContext): ToolCall {
  const isNavigation = action.kind === 'navigate' || action.kind === 'history'
  return {
    ...caller,
    sessionKey,
    description: describeAction(action),
    timeoutKind: isNavigation ? 'navigation' : 'action',
    ...(action.kind === 'check' && { requestedTimeout: Math.max(CHECK_TIMEOUT_MS, durationMs * 3) }),
    graceMs: EXPLAIN_GRACE_MS,
    changesPage: action.kind !== 'check',
    readsPageOutput: false,
    ...(action.kind === 'navigate' && { opensUrl: action.url }),
  }
}
