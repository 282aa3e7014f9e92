// Looks at the page around an action of a replay: what it changes, and whether the check after it held before it.

import { limitDeadline } from './limit-deadline.ts'
import type { Replay } from './replay.ts'
import { runAction } from './run-step.ts'
import { proposeChecks, proposePath } from '../../core/recording/propose-checks.ts'
import type { RecordedAction, RecordedCheck, RecordedStep } from '../../core/recording/recorded-step.ts'
import { linesOf, type SnapshotLine } from '../../core/snapshot/snapshot-lines.ts'
import type { Outcome } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Page } from '../../runtime/ports/page/page.ts'

const CANDIDATE_LIMIT = 8
const PROPOSAL_LIMIT = 3
/** How long a check is looked at before the action that it follows. */
const EARLY_CHECK_MS = 50

/** The page before an action. `holds`: whether the check that follows the action holds already. */
export interface PageBefore {
  readonly lines: readonly SnapshotLine[]
  readonly holds: boolean
}

/** Reads the page before an action, and tries the check that follows it. */
export async function observeBefore(
  next: RecordedAction | undefined,
  replay: Replay,
): Promise<Outcome<PageBefore>> {
  const tree = await replay.page.tree({}, replay.deadline)
  if (!tree.ok) return tree
  const deadline = limitDeadline(replay.deadline, EARLY_CHECK_MS)
  const holds = next?.kind === 'check' && (await runAction(next, { ...replay, deadline, isFirst: false })).ok
  return ok({ lines: linesOf(tree.value), holds })
}

/** Checks of what a step has changed, the best first, each of which holds on the page as it is now. */
export async function observeAfter(
  step: RecordedStep,
  before: readonly SnapshotLine[] | undefined,
  enteredTexts: readonly string[],
  page: Page,
  deadline: Deadline,
): Promise<Outcome<readonly RecordedStep[]>> {
  if (!before) return ok([])
  await page.settle(deadline)
  const tree = await page.tree({}, deadline)
  if (!tree.ok) return tree
  const toStep = (check: RecordedCheck): RecordedStep => ({
    ...step,
    action: { kind: 'check', check },
    durationMs: 0,
  })
  const candidates = proposeChecks(before, linesOf(tree.value), enteredTexts).slice(0, CANDIDATE_LIMIT)
  const proposals: RecordedStep[] = []
  for (const { selector, state } of candidates) {
    if (proposals.length >= PROPOSAL_LIMIT) break
    const count = await page.count({ selector }, deadline)
    if (!count.ok || count.value !== (state === 'visible' ? 1 : 0)) continue
    const element = page.describeSelector(selector)
    proposals.push(toStep({ element, checks: [{ kind: 'state', state }], not: false }))
  }
  const path = step.action.kind === 'navigate' ? undefined : proposePath(step.urlBefore, page.url())
  if (path === undefined) return ok(proposals)
  return ok([...proposals.slice(0, 1), toStep({ checks: [], not: false, url: path }), ...proposals.slice(1)])
}
