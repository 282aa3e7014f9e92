// Looks at the page before and after an action of a replay.

import type { Deadline } from '../../../core/base/system/deadline.ts'
import type { Page } from '../../../core/sessions/types/page.ts'
import type {
  RecordedAction,
  RecordedCheck,
  RecordedStep,
} from '../../../core/sessions/types/recorded-step.ts'
import type { SnapshotLine } from '../../../core/sessions/types/snapshot.ts'
import { linesOf } from '../../../core/snapshot/snapshot-lines.ts'
import { describeSelector } from '../../lib/recording/recorded-element.ts'
import { limitDeadline, runCheck } from '../../lib/replay/run-check.ts'
import type { PageChange, Proposal, ProposedCheck } from './insert-checks.ts'
import { proposeChecks, proposePath } from './propose-checks.ts'
import { isShownLastingly } from './texts.ts'

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

const CLICKABLE_LIMIT = 50
const IS_PLAIN =
  "(element) => !element.closest('a,button,input,select,textarea,label,summary,canvas,video,audio,object,embed,[contenteditable],[tabindex]')"

/** Whether a click was on nothing that reacts to it: no control, and nothing listens there; and the page is as it was before. */
export async function isIdleClick(
  action: RecordedAction,
  before: PageView | undefined,
  page: Page,
  deadline: Deadline,
): Promise<boolean> {
  if (action.kind !== 'click' || !before) return false
  const [locator] = action.element.locators
  const target = { selector: locator?.selector ?? '' }
  const isPlain = await page.evaluate(IS_PLAIN, undefined, target, limitDeadline(deadline, EARLY_CHECK_MS))
  if (!isPlain.ok || isPlain.value.result !== true) return false
  await page.settle()
  const after = await viewPage(page, deadline)
  if (after?.state !== before.state) return false
  const clickable = after.lines.flatMap(({ ref, text }) =>
    ref !== undefined && text.includes(' clickable') ? [ref] : [],
  )
  if (clickable.length > CLICKABLE_LIMIT) return false
  for (const ref of clickable) {
    const selector = `${target.selector} >> xpath=ancestor-or-self::* >> internal:and="aria-ref=${ref}"`
    const count = await page.count({ selector })
    if (!count.ok || count.value > 0) return false
  }
  return true
}

export const holdsNow = async (check: RecordedCheck, page: Page, deadline: Deadline): Promise<boolean> =>
  (await runCheck(check, { page, deadline: limitDeadline(deadline, EARLY_CHECK_MS) })).ok

/** What a page shows some time after an action. */
export interface ActionEffect {
  /** Checks of what the action has changed, the best first, each of which holds on the page as it is now. */
  readonly proposals: readonly Proposal[]
  /** Whether a check is only of a message that may vanish. */
  isAnnounced(check: RecordedCheck): boolean
}

/** Looks at what an action has changed, when the page is quiet; undefined if the page cannot be read. */
export async function observeEffect(
  step: RecordedStep,
  change: Pick<PageChange, 'before' | 'enteredTexts' | 'history'>,
  page: Page,
  deadline: Deadline,
): Promise<ActionEffect | undefined> {
  await page.settle()
  const after = await viewPage(page, deadline)
  if (!after) return undefined
  const { action } = step
  const candidates = proposeChecks({
    ...change,
    after: after.lines,
    isOtherPage: pathOf(step.urlBefore) !== pathOf(page.url()),
    isEntry: action.kind === 'fill' || action.kind === 'type' || action.kind === 'press',
    ...('element' in action && action.element && { element: action.element }),
  })
  return {
    proposals: await proposeSteps(step, candidates, page, deadline),
    isAnnounced: ({ text, element }) =>
      text !== undefined && element === undefined && !isShownLastingly(after.lines, text),
  }
}

// --- internal ---

async function proposeSteps(
  step: RecordedStep,
  candidates: readonly ProposedCheck[],
  page: Page,
  deadline: Deadline,
): Promise<readonly Proposal[]> {
  const toProposal = (check: RecordedCheck, rest: Omit<Proposal, 'step'>): Proposal => ({
    ...rest,
    step: { ...step, action: { kind: 'check', check }, durationMs: 0 },
  })
  const proposals: Proposal[] = []
  for (const candidate of candidates.slice(0, CANDIDATE_LIMIT)) {
    if (proposals.length >= PROPOSAL_LIMIT) break
    const { selector, check, order, text, relation, isAnnounced } = candidate
    const expectedCount = expectedCountOf(candidate)
    const count = await page.count({ selector })
    if (!count.ok || (expectedCount !== undefined && count.value !== expectedCount)) continue
    const element = await describeSelector(page.parts.page(), selector)
    const recorded = { element, checks: check ? [check] : [], order, not: false }
    if (order && !(await holdsNow(recorded, page, deadline))) continue
    proposals.push(toProposal(recorded, { text, relation, isAnnounced, isPositive: expectedCount !== 0 }))
  }
  const path = step.action.kind === 'navigate' ? undefined : proposePath(step.urlBefore, page.url())
  if (path === undefined) return proposals
  const facts = { text: path, relation: 'other', isAnnounced: false, isPositive: true } as const
  const pathProposal = toProposal({ checks: [], not: false, url: path }, facts)
  return [...proposals.slice(0, 1), pathProposal, ...proposals.slice(1)]
}

/** How many elements a check must find; undefined for any number. */
function expectedCountOf({ check }: ProposedCheck): number | undefined {
  if (!check) return undefined
  if (check.kind === 'count') return check.count
  return check.kind === 'state' && check.state === 'hidden' ? 0 : 1
}

const pathOf = (url: string): string => url.replace(/[?#].*$/s, '')
