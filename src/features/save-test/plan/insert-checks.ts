// What a replay has shown of steps: it adds proposed checks to steps whose author made none, or did not check what was entered, and finds steps
// that led nowhere.

import type { ElementCheck } from '../../../core/base/action.ts'
import type {
  ItemOrder,
  RecordedAction,
  RecordedCheck,
  RecordedElement,
  RecordedStep,
} from '../../../core/sessions/types/recorded-step.ts'
import type { SnapshotLine } from '../../../core/sessions/types/snapshot.ts'
import { isActing } from '../../lib/replay/prepare-steps.ts'

/** A check that could be added. */
export interface Proposal extends Pick<ProposedCheck, 'text' | 'relation' | 'isAnnounced'> {
  readonly step: RecordedStep
  /** Whether something must be there, so that an empty page does not satisfy it. */
  readonly isPositive: boolean
}

/** A step as a replay has shown it. */
export interface ObservedStep {
  readonly step: RecordedStep
  /** Checks of what the last action changed, the best first, at the end of that action's own checks. */
  readonly proposals?: readonly Proposal[]
  /** Whether a check held before the action that it follows, so that it says nothing about it. */
  readonly heldBefore: boolean
  /** Whether a check is of a message that may vanish, so that it says nothing about what remains. */
  readonly isAnnounced?: boolean
  /** What the page showed before an action, and where. */
  readonly stateBefore?: string
  /** Whether it clicked what nothing listens on, and the page is as it was before. */
  readonly isIdleClick?: boolean
}

const PROPOSAL_LIMIT = 3
const LAST_ACTION_LIMIT = 2

/** The steps with at most three more checks: of what was entered, where the author's own do not name it; of what an action changed where it
 * acted, after the last action and after those without a check; and of other changes after the last action, or after every action if the
 * author made no check at all. A check that held before its action does not count, nor does one of a message for what remains. */
export function insertChecks(observed: readonly ObservedStep[]): {
  readonly steps: readonly RecordedStep[]
  readonly added: readonly RecordedStep[]
} {
  const groups = groupByAction(observed)
  const hasChecks = groups.some(({ checks }) => checks.length > 0)
  const additions = new Map<number, readonly RecordedStep[]>()
  let count = 0
  for (const [position, group] of [...groups.entries()].toReversed()) {
    const isLast = position === groups.length - 1
    const limit = Math.min(isLast ? LAST_ACTION_LIMIT : 1, PROPOSAL_LIMIT - count)
    const chosen = choose(poolOf(group, isLast, hasChecks), limit).map(({ step }) => step)
    count += chosen.length
    additions.set(group.end, chosen)
  }
  const steps = observed.flatMap(({ step }, index) => [step, ...(additions.get(index) ?? [])])
  return { steps, added: [...additions.values()].flat() }
}

/** The indexes of steps that led nowhere. These are idle clicks, and clicks away and back: the last one cancels or goes back, and the page is
 * then as it was before the first. A step that entered something or was checked is no detour. */
export function findDetours(observed: readonly ObservedStep[]): ReadonlySet<number> {
  const isChecked = (index: number) => observed[index + 1]?.step.action.kind === 'check'
  const idleClicks = observed.flatMap(({ isIdleClick }, index) =>
    isIdleClick && !isChecked(index) ? index : [],
  )
  const detours = new Set(idleClicks)
  let start = 0
  while (start < observed.length) {
    const end = findDetourEnd(observed, start)
    for (let index = start; index < end; index += 1) detours.add(index)
    start = Math.max(end, start + 1)
  }
  return detours
}

const DETOUR_LIMIT_STEPS = 4

/** The index after the last step of the detour that begins here; `start` if none does. */
function findDetourEnd(observed: readonly ObservedStep[], start: number): number {
  const state = observed[start]?.stateBefore
  if (state === undefined) return start
  for (let end = start + 1; end <= start + DETOUR_LIMIT_STEPS; end += 1) {
    const action = observed[end - 1]?.step.action
    if (!action || !isLight(action)) return start
    if (end > start + 1 && observed[end]?.stateBefore === state && isReturn(action)) return end
  }
  return start
}

const isLight = ({ kind }: RecordedAction): boolean => ['click', 'hover', 'press', 'history'].includes(kind)

function isReturn(action: RecordedAction): boolean {
  if (action.kind === 'press') return action.key === 'Escape'
  if (action.kind === 'history') return action.direction === 'back'
  return (
    action.kind === 'click' &&
    /^(cancel|close|back|dismiss|discard|not now|no)\b|^[×✕]/i.test(action.element.name)
  )
}

/** An action and its checks, up to the index `end`. */
interface ActionGroup {
  readonly end: number
  /** The checks of the author, those of them that did not hold before, and of these the ones of what remains. */
  readonly ownChecks: readonly RecordedCheck[]
  readonly checks: readonly RecordedCheck[]
  readonly lastingChecks: readonly RecordedCheck[]
  readonly proposals: readonly Proposal[]
}

function groupByAction(observed: readonly ObservedStep[]): readonly ActionGroup[] {
  const starts = observed.flatMap(({ step }, index) => (isActing(step) ? [index] : []))
  return starts.map((start, position) => {
    const end = (starts[position + 1] ?? observed.length) - 1
    const entries = observed.slice(start, end + 1)
    const checksOf = (part: readonly ObservedStep[]) =>
      part.flatMap(({ step: { action } }) => (action.kind === 'check' ? [action.check] : []))
    const telling = entries.filter(({ heldBefore }) => !heldBefore)
    return {
      end,
      ownChecks: checksOf(entries),
      checks: checksOf(telling),
      lastingChecks: checksOf(telling.filter(({ isAnnounced }) => !isAnnounced)),
      proposals: entries.findLast(({ proposals }) => proposals)?.proposals ?? [],
    }
  })
}

/** What may be added after an action, the best first. */
function poolOf(
  { ownChecks, checks, lastingChecks, proposals }: ActionGroup,
  isLast: boolean,
  hasChecks: boolean,
): readonly Proposal[] {
  const isUnchecked = checks.length === 0 && (isLast || !hasChecks)
  const isOnlyAnnounced = isLast && checks.length > 0 && lastingChecks.length === 0
  const known = isOnlyAnnounced ? lastingChecks : ownChecks
  return proposals.filter(({ text, relation, isAnnounced }) => {
    // A text that the author expects anywhere may be elsewhere.
    const rivals = relation === 'own' ? known.filter(({ element }) => element) : known
    if (rivals.some((check) => names(check, text))) return false
    if (isUnchecked) return true
    if (isOnlyAnnounced) return !isAnnounced
    return relation === 'entered' || (relation === 'own' && (isLast || checks.length === 0))
  })
}

const names = ({ text, textGone, aria, checks, element }: RecordedCheck, expected: string): boolean =>
  expected !== '' &&
  [
    text,
    textGone,
    aria,
    element?.name,
    ...checks.map((check) =>
      check.kind === 'text' ? check.text : check.kind === 'value' ? check.value : '',
    ),
  ].some((content) => content && (content.includes(expected) || expected.includes(content)))

// A check that something is gone also holds on an empty page. So there is at most one, beside a check of something that is there, and none
// beside a check of what the action changed where it acted.
function choose(pool: readonly Proposal[], limit: number): readonly Proposal[] {
  const hasOwn = pool.some(({ relation, isPositive }) => relation === 'own' && isPositive)
  const removal = hasOwn ? undefined : pool.find(({ isPositive }) => !isPositive)
  const candidates = pool.filter(
    (proposal, index) =>
      proposal === removal || (proposal.isPositive && !saysAgain(proposal, pool.slice(0, index))),
  )
  const first = candidates.slice(0, limit)
  const positive = candidates.find(({ isPositive }) => isPositive)
  if (first.length === 0 || positive === undefined || first.some(({ isPositive }) => isPositive)) return first
  return [...first.slice(0, limit - 1), positive]
}

/** Whether one of the better ones has the text already. */
const saysAgain = ({ text }: Proposal, better: readonly Proposal[]): boolean =>
  text !== '' && better.some((other) => other.isPositive && other.text !== '' && text.includes(other.text))

/** What a check is about: a text that was entered; what the action changed where it acted; or another change. */
type CheckRelation = 'entered' | 'own' | 'other'

/** What should hold after an action and did not before. `selector` is Playwright's; the condition is `check` or `order`. */
export interface ProposedCheck {
  readonly selector: string
  readonly check?: ElementCheck
  readonly order?: ItemOrder
  /** What must be there, or not; empty for a state, a number or an order. */
  readonly text: string
  readonly relation: CheckRelation
  /** Whether it is about a message that may vanish. */
  readonly isAnnounced: boolean
}

/** What a page showed before and after an action. */
export interface PageChange {
  readonly before: readonly SnapshotLine[]
  readonly after: readonly SnapshotLine[]
  /** What the steps have entered until then. */
  readonly enteredTexts: readonly string[]
  /** Whether the action has led to another page. */
  readonly isOtherPage?: boolean
  /** Whether the action has entered something. */
  readonly isEntry?: boolean
  readonly element?: RecordedElement
  /** What the page showed before the actions until then, the oldest first. */
  readonly history?: readonly (readonly SnapshotLine[])[]
}
