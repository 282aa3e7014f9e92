// Replays recorded steps in a session, as a test would: without a wait for what an action causes.

import { createObserver } from './observe-steps.ts'
import { runAction } from './run-step.ts'
import { selectTab, noteOpenedTab } from './replay-tabs.ts'
import { EXPLAIN_GRACE_MS } from '../define/define-tool.ts'
import type { ToolContext } from '../define/tool.ts'
import { describeAction } from '../../core/recording/describe-action.ts'
import type { ObservedStep } from '../../core/recording/insert-checks.ts'
import type { RecordedStep } from '../../core/recording/recorded-step.ts'
import type { Failure } from '../../core/failure.ts'
import type { PageBody, ToolCall } from '../../runtime/ports/tool-call.ts'

export type ReplayResult =
  | { readonly isGreen: true; readonly steps: readonly ObservedStep[] }
  | { readonly isGreen: false; readonly error: Failure; readonly index: number }

/** The least time for a check, as in Playwright Test. */
const CHECK_TIMEOUT_MS = 5000
/** For a look at the page around a step, whose failure says nothing. */
const OBSERVATION_TIMEOUT_MS = 30_000

/** Replays the steps in a session. `observes`: chooses the locators, proposes checks of what each action changes, and tries each check before
 * the actions that it follows too. */
export async function replaySteps(
  steps: readonly RecordedStep[],
  sessionKey: string,
  observes: boolean,
  context: ToolContext,
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
    const outcome = await sessions.runOnPage(call, async (page, deadline, session) => {
      const selection = selectTab(step, page, tabs)
      if (!selection.ok) return selection
      const tabsBefore = page.tabIds().all
      const result = await runAction(action, { page, deadline, session, tabs })
      noteOpenedTab(step, page, tabsBefore, tabs)
      return result
    })
    if (!outcome.ok) return { isGreen: false, error: outcome.error, index }
    await observe(observer.after(index, action))
  }
  return { isGreen: true, steps: observes ? observer.steps() : steps.map(toUnobserved) }
}

// --- internal ---

const toUnobserved = (step: RecordedStep): ObservedStep => ({ step, isVacuous: false })

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
