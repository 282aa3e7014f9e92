import type { RecordedCheck, RecordedStep } from '../../core/recording/recorded-step.ts'
import { proposeChecks, proposePath } from '../../core/recording/propose-checks.ts'
import { linesOf, type SnapshotLine } from '../../core/snapshot/snapshot-lines.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Page } from '../../runtime/ports/page/page.ts'

const CANDIDATE_LIMIT = 8
const PROPOSAL_LIMIT = 3

/** The snapshot of the page; undefined if it cannot be read now. */
export async function readLines(
  page: Page,
  deadline: Deadline,
): Promise<readonly SnapshotLine[] | undefined> {
  if (page.dialog()) return undefined
  const tree = await page.tree({}, deadline)
  return tree.ok ? linesOf(tree.value) : undefined
}

/** Checks of what a step has changed since `before`, the best first, each of which holds on the page as it is now. */
export async function proposeSteps(
  step: RecordedStep,
  before: readonly SnapshotLine[],
  enteredTexts: readonly string[],
  page: Page,
  deadline: Deadline,
): Promise<readonly RecordedStep[]> {
  await page.settle(deadline)
  const after = await readLines(page, deadline)
  if (!after) return []
  const toStep = (check: RecordedCheck): RecordedStep => ({
    ...step,
    action: { kind: 'check', check },
    durationMs: 0,
  })
  const proposals: RecordedStep[] = []
  for (const { selector, state } of proposeChecks(before, after, enteredTexts).slice(0, CANDIDATE_LIMIT)) {
    if (proposals.length >= PROPOSAL_LIMIT) break
    const count = await page.count({ selector }, deadline)
    if (!count.ok || count.value !== (state === 'visible' ? 1 : 0)) continue
    const element = page.describeSelector(selector)
    proposals.push(toStep({ element, checks: [{ kind: 'state', state }], not: false }))
  }
  const path = proposePath(step.urlBefore, page.url())
  if (path === undefined || step.action.kind === 'navigate') return proposals
  return [...proposals.slice(0, 1), toStep({ checks: [], not: false, url: path }), ...proposals.slice(1)]
}
