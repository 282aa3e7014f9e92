// Looks at the page around an action of a replay: what it changes, and whether the check after it held before it.

import { limitDeadline } from './limit-deadline.ts'
import type { Replay } from './replay.ts'
import { runAction } from './run-step.ts'
import type { Proposal } from '../../core/recording/insert-checks.ts'
import { proposeChecks, proposePath } from '../../core/recording/propose-checks.ts'
import type { RecordedAction, RecordedCheck, RecordedStep } from '../../core/recording/recorded-step.ts'
import { linesOf, type SnapshotLine } from '../../core/snapshot/snapshot-lines.ts'
import type { Outcome } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Page } from '../../runtime/ports/page/page.ts'

const CANDIDATE_LIMIT = 10
const PROPOSAL_LIMIT = 5
/** How long a check is looked at before the action that it follows. */
const EARLY_CHECK_MS = 50

/** The page before an action. `holds`: whether the check that follows the action holds already. */
export interface PageBefore {
  readonly lines: readonly SnapshotLine[]
  readonly holds: boolean
  /** The URL, and all that is shown. */
  readonly state: string
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
  const lines = linesOf(tree.value)
  const content = lines.map(({ role, name, text, ref }) =>
    [role, name, text.replace(`[${ref}]`, '')].join(' '),
  )
  return ok({ lines, holds, state: [replay.page.url(), ...content].join('\n') })
}

/** Checks of what an action has changed, the best first, each of which holds on the page as it is now. */
export async function observeAfter(
  step: RecordedStep,
  before: readonly SnapshotLine[],
  enteredTexts: readonly string[],
  page: Page,
  deadline: Deadline,
): Promise<Outcome<readonly Proposal[]>> {
  await page.settle(deadline)
  const tree = await page.tree({}, deadline)
  if (!tree.ok) return tree
  const toProposal = (check: RecordedCheck, rest: Omit<Proposal, 'step'>): Proposal => ({
    ...rest,
    step: { ...step, action: { kind: 'check', check }, durationMs: 0 },
  })
  const candidates = proposeChecks(before, linesOf(tree.value), enteredTexts).slice(0, CANDIDATE_LIMIT)
  const proposals: Proposal[] = []
  for (const { selector, check, text, isEntered } of candidates) {
    if (proposals.length >= PROPOSAL_LIMIT) break
    const expectedCount =
      check.kind === 'count' ? check.count : check.kind === 'state' && check.state === 'hidden' ? 0 : 1
    const count = await page.count({ selector }, deadline)
    if (!count.ok || count.value !== expectedCount) continue
    const element = page.describeSelector(selector)
    const isPositive = expectedCount > 0
    proposals.push(toProposal({ element, checks: [check], not: false }, { text, isEntered, isPositive }))
  }
  const path = step.action.kind === 'navigate' ? undefined : proposePath(step.urlBefore, page.url())
  if (path === undefined) return ok(proposals)
  const pathCheck = { checks: [], not: false, url: path }
  const pathProposal = toProposal(pathCheck, { text: path, isEntered: false, isPositive: true })
  return ok([...proposals.slice(0, 1), pathProposal, ...proposals.slice(1)])
}
