// Looks at the page before and after an action of a replay.

import { limitDeadline } from './limit-deadline.ts'
import { runCheck } from './run-check.ts'
import type { Proposal } from '../../core/recording/insert-checks.ts'
import { proposeChecks, proposePath } from '../../core/recording/propose-checks.ts'
import type { RecordedCheck, RecordedStep } from '../../core/recording/recorded-step.ts'
import { linesOf, type SnapshotLine } from '../../core/snapshot/snapshot-lines.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Page } from '../../runtime/ports/page/page.ts'

const CANDIDATE_LIMIT = 10
const PROPOSAL_LIMIT = 5
/** How long a check is looked at before the actions that it follows. */
const EARLY_CHECK_MS = 300

/** The page before an action; `state` is its URL and all that it shows. */
export interface PageView {
  readonly lines: readonly SnapshotLine[]
  readonly state: string
}

/** Reads the page; undefined if it cannot be read now. */
export async function viewPage(page: Page, deadline: Deadline): Promise<PageView | undefined> {
  const tree = await page.tree({}, deadline)
  if (!tree.ok) return undefined
  const lines = linesOf(tree.value)
  const content = lines.map(({ role, name, text, ref }) =>
    [role, name, text.replace(`[${ref}]`, '')].join(' '),
  )
  return { lines, state: [page.url(), ...content].join('\n') }
}

/** Whether a check holds now. */
export const holdsNow = async (check: RecordedCheck, page: Page, deadline: Deadline): Promise<boolean> =>
  (await runCheck(check, { page, deadline: limitDeadline(deadline, EARLY_CHECK_MS) })).ok

/** Checks of what an action has changed since `before`, the best first, each of which holds on the page as it is now. */
export async function proposeSteps(
  step: RecordedStep,
  before: readonly SnapshotLine[],
  enteredTexts: readonly string[],
  page: Page,
  deadline: Deadline,
): Promise<readonly Proposal[]> {
  await page.settle(deadline)
  const after = await viewPage(page, deadline)
  if (!after) return []
  const toProposal = (check: RecordedCheck, rest: Omit<Proposal, 'step'>): Proposal => ({
    ...rest,
    step: { ...step, action: { kind: 'check', check }, durationMs: 0 },
  })
  const isOtherPage = pathOf(step.urlBefore) !== pathOf(page.url())
  const candidates = proposeChecks(before, after.lines, enteredTexts, isOtherPage).slice(0, CANDIDATE_LIMIT)
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
  if (path === undefined) return proposals
  const pathCheck = { checks: [], not: false, url: path }
  const pathProposal = toProposal(pathCheck, { text: path, isEntered: false, isPositive: true })
  return [...proposals.slice(0, 1), pathProposal, ...proposals.slice(1)]
}

// --- internal ---

const pathOf = (url: string): string => url.replace(/[?#].*$/s, '')
