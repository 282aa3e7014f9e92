// Replays recorded steps in a session, as a test would: without a wait for what an action causes.

import { observeAfter, observeBefore, type PageBefore } from './observe-step.ts'
import { runAction } from './run-step.ts'
import { EXPLAIN_GRACE_MS } from '../define/define-tool.ts'
import type { ToolContext } from '../define/tool.ts'
import { describeAction } from '../../core/recording/describe-action.ts'
import type { ObservedStep } from '../../core/recording/insert-checks.ts'
import { enteredTextsOf, isActing } from '../../core/recording/prepare-steps.ts'
import type { RecordedStep } from '../../core/recording/recorded-step.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'
import type { Page } from '../../runtime/ports/page/page.ts'
import type { PageBody, ToolCall } from '../../runtime/ports/tool-call.ts'

export type ReplayResult =
  | { readonly isGreen: true; readonly steps: readonly ObservedStep[] }
  | { readonly isGreen: false; readonly error: Failure; readonly index: number }

/** The least time for a check, as in Playwright Test. */
const CHECK_TIMEOUT_MS = 5000
/** For a look at the page around an action, whose failure says nothing. */
const OBSERVATION_TIMEOUT_MS = 30_000

/** Replays the steps in a session. `observes`: chooses the locators, proposes checks for each action, and looks at each check before its
 * action too. */
export async function replaySteps(
  steps: readonly RecordedStep[],
  sessionKey: string,
  observes: boolean,
  context: ToolContext,
): Promise<ReplayResult> {
  const { sessions, caller } = context
  const replayed: ObservedStep[] = []
  const tabs = new Map([[steps[0]?.tab ?? 't1', 't1']])
  let isVacuous = false
  /** The last action, and the page before it. */
  let action: { readonly step: RecordedStep; readonly lines: PageBefore['lines'] } | undefined
  for (const [index, step] of steps.entries()) {
    caller.progress(`step ${index + 1}/${steps.length} ${describeAction(step.action)}`)
    const observe = async <T>(body: PageBody<T>): Promise<T | undefined> => {
      if (!observes) return undefined
      const call = { ...callOf(step, sessionKey, context), requestedTimeout: OBSERVATION_TIMEOUT_MS }
      const outcome = await sessions.runOnPage(call, body)
      return outcome.ok ? outcome.value : undefined
    }
    const next = steps[index + 1]?.action
    const before = isActing(step)
      ? await observe((page, deadline, session) =>
          observeBefore(next, { page, deadline, session, tabs, isFirst: true }),
        )
      : undefined
    const outcome = await sessions.runOnPage(
      callOf(step, sessionKey, context),
      async (page, deadline, session) => {
        const selection = selectTab(step, page, tabs)
        if (!selection.ok) return selection
        const tabsBefore = page.tabIds().all
        const result = await runAction(step.action, { page, deadline, session, tabs, isFirst: observes })
        noteOpenedTab(step, page, tabsBefore, tabs)
        return result
      },
    )
    if (!outcome.ok) return { isGreen: false, error: outcome.error, index }
    const lastAction = isActing(step) ? before && { step, lines: before.lines } : action
    action = lastAction
    const isEnd = next === undefined || isActing(steps[index + 1] as RecordedStep)
    const entered = enteredTextsOf(steps.slice(0, index + 1))
    const proposals =
      lastAction && isEnd
        ? await observe((page, deadline) =>
            observeAfter(lastAction.step, lastAction.lines, entered, page, deadline),
          )
        : undefined
    replayed.push({
      step: { ...step, action: outcome.value },
      isVacuous,
      ...(before && { stateBefore: before.state }),
      ...(proposals && { proposals }),
    })
    isVacuous = before?.holds ?? false
  }
  return { isGreen: true, steps: replayed }
}

// --- internal ---

// A tab whose opening no step has noted is the newest one that no other step is on.
function selectTab(step: RecordedStep, page: Page, tabs: Map<string, string>): Outcome<void> {
  if (page.dialog()) return ok(undefined)
  const { active, all } = page.tabIds()
  const newest = all.findLast((id) => ![...tabs.values()].includes(id))
  const tab = tabs.get(step.tab) ?? newest ?? active
  tabs.set(step.tab, tab)
  return tab === active ? ok(undefined) : page.selectTab(tab)
}

function noteOpenedTab(
  { openedTab }: RecordedStep,
  page: Page,
  tabsBefore: readonly string[],
  tabs: Map<string, string>,
): void {
  const id = page.tabIds().all.find((candidate) => !tabsBefore.includes(candidate))
  if (openedTab !== undefined && id !== undefined) tabs.set(openedTab, id)
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
