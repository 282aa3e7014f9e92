// Performs one recorded step on the page of a session that is like the recorded one.

import { replaceElements } from '../../../core/base/action.ts'
import type { Outcome } from '../../../core/base/failure.ts'
import { ok } from '../../../core/base/result.ts'
import { EXPLAIN_GRACE_MS } from '../../../core/sessions/tools/define-session-tool.ts'
import type { OpenSession, SessionRequest } from '../../../core/sessions/types/open-session.ts'
import type { Page } from '../../../core/sessions/types/page.ts'
import type { RecordedAction, RecordedStep } from '../../../core/sessions/types/recorded-step.ts'
import type { ToolCall } from '../../../core/tool/tool-call.ts'
import type { CallContext } from '../../../core/tool/tool.ts'
import { describeAction } from './prepare-steps.ts'
import { type Replay, runCheck } from './run-check.ts'

/** The least time for a check, as in Playwright Test. */
const CHECK_TIMEOUT_MS = 5000
const SLOW_ACTION_MS = 8000
const SLOW_TIMEOUT_MS = 60_000

/** A replay is not traced because its session is. */
type TracedRequest = SessionRequest & { readonly trace?: unknown }

/** The request of a session as this one was when it began, at the same server. */
export function requestLike({ request, namedState, server, journal }: OpenSession): SessionRequest {
  const { name: _, restore: __, server: ___, attach: ____, trace: _____, ...fresh } = request as TracedRequest
  const { profile: ______, profileFolder: _______, ...rest } = fresh
  return {
    ...rest,
    ...(namedState?.state && { storageState: namedState.state }),
    ...(server && { sharedServer: { server, journal } }),
  }
}

export function callOf(
  { action, durationMs }: RecordedStep,
  sessionKey: string,
  { caller }: CallContext,
): ToolCall {
  const isNavigation = action.kind === 'navigate' || action.kind === 'history'
  return {
    ...caller,
    sessionKey,
    description: describeAction(action),
    timeoutKind: isNavigation ? 'navigation' : 'action',
    ...(action.kind === 'check' && { requestedTimeout: Math.max(CHECK_TIMEOUT_MS, durationMs * 3) }),
    // It takes as long again after a restart of the server.
    ...(action.kind !== 'check' &&
      durationMs > SLOW_ACTION_MS && { requestedTimeout: Math.max(SLOW_TIMEOUT_MS, durationMs * 3) }),
    graceMs: EXPLAIN_GRACE_MS,
    changesPage: action.kind !== 'check',
    readsPageOutput: false,
    ...(action.kind === 'navigate' && { opensUrl: action.url }),
  }
}

export async function performStep(
  step: RecordedStep,
  action: RecordedAction,
  { page, deadline, tabs }: Replay & { readonly tabs: Map<string, string> },
): Promise<Outcome<unknown>> {
  const selection = selectTab(step, page, tabs)
  if (!selection.ok) return selection
  const tabsBefore = page.tabIds().all
  const result = await runAction(action, { page, deadline, tabs })
  noteOpenedTab(step, page, tabsBefore, tabs)
  return result
}

/** Selects the tab that a step acts on. A tab whose opening no step has noted is the newest one that no other step is on. */
export function selectTab(step: RecordedStep, page: Page, tabs: Map<string, string>): Outcome<void> {
  if (page.dialog()) return ok(undefined)
  const { active, all } = page.tabIds()
  const newest = all.findLast((id) => ![...tabs.values()].includes(id))
  const tab = tabs.get(step.tab) ?? newest ?? active
  tabs.set(step.tab, tab)
  return tab === active ? ok(undefined) : page.selectTab(tab)
}

// --- internal ---

/** Notes the tab that a step has opened, if the recorded one opened one too. */
function noteOpenedTab(
  { openedTab }: RecordedStep,
  page: Page,
  tabsBefore: readonly string[],
  tabs: Map<string, string>,
): void {
  const id = page.tabIds().all.find((candidate) => !tabsBefore.includes(candidate))
  if (openedTab !== undefined && id !== undefined) tabs.set(openedTab, id)
}

/** Performs a recorded action, by the first locator of each element, or a check. Fails as the page does. */
async function runAction(action: RecordedAction, replay: Replay): Promise<Outcome<unknown>> {
  if (action.kind === 'check') return runCheck(action.check, replay)
  if (action.kind === 'other') return ok(undefined)
  const { page, deadline, tabs } = replay
  const replayed = replaceElements(action, ({ locators }) => ({ selector: locators[0]?.selector ?? '' }))
  if (replayed?.kind === 'closeTab' && replayed.id !== undefined)
    return page.perform({ ...replayed, id: tabs.get(replayed.id) }, deadline)
  // As the test does: a page that was rendered by a server is used once its scripts have loaded.
  if (replayed?.kind === 'navigate') {
    const { isHydrated, isEndless } = replayed
    const waitUntil = isEndless ? 'domcontentloaded' : isHydrated ? 'networkidle' : 'load'
    return page.perform({ ...replayed, waitUntil }, deadline)
  }
  return replayed ? page.perform(replayed, deadline) : ok(undefined)
}
