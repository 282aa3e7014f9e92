// Divides the steps of a test into parts, each of which ends with what the user wanted to do and the checks of it.

import type { RecordedAction, RecordedStep } from '../../../core/sessions/types/recorded-step.ts'

/** The steps in parts: a part ends after a click, a submit or Enter that is followed by a check, by a navigation or by nothing. */
export function divideSteps(steps: readonly RecordedStep[]): readonly (readonly RecordedStep[])[] {
  const groups: RecordedStep[][] = []
  let current: RecordedStep[] = []
  const finish = () => {
    if (current.length > 0) groups.push(current)
    current = []
  }
  for (const [index, step] of steps.entries()) {
    if (startsGroup(step, current)) finish()
    current.push(step)
    if (endsGroup(steps, index)) finish()
  }
  finish()
  return joinPassive(groups)
}

/** Whether it sets what the browser is, answers or shows, and does nothing on a page. */
export const isSetting = (kind: RecordedAction['kind']): boolean =>
  ['mock', 'emulate', 'clock', 'seed', 'passkeys'].includes(kind)

/** Whether a user would do it, in contrast to checks and to settings of the browser. */
export const isUserAction = ({ kind }: RecordedAction): boolean =>
  !['check', 'dialog', 'other'].includes(kind) && !isSetting(kind)

/** Whether it is an action of the user that says what a part is about: closing a page does not. */
export const isStepOfUser = ({ action }: RecordedStep): boolean =>
  isUserAction(action) && action.kind !== 'closeTab'

const opensPage = ({ action, openedTab }: RecordedStep): boolean =>
  openedTab !== undefined || action.kind === 'openTab'

// A part declares one page at most.
const startsGroup = (step: RecordedStep, current: readonly RecordedStep[]): boolean =>
  (step.action.kind === 'navigate' &&
    current.some(({ action }) => isUserAction(action) && action.kind !== 'openTab')) ||
  (opensPage(step) && current.some(opensPage))

/** Whether a part ends after this step: after the checks that follow its last action. */
function endsGroup(steps: readonly RecordedStep[], index: number): boolean {
  const next = steps[index + 1]
  if (!next) return true
  if (isReaction(next) || (next.action.kind === 'closeTab' && isOpenedBy(steps, index, next.tab)))
    return false
  const lastIndex = steps.slice(0, index + 1).findLastIndex(isStepOfUser)
  const lastAction = steps[lastIndex]
  if (!lastAction || !(isDecisive(lastAction.action) || isLoneCheck(steps, lastIndex))) return false
  const isChecked = steps.slice(lastIndex, index + 1).some(({ action }) => action.kind === 'check')
  if (isChecked || next.action.kind === 'navigate') return true
  if (lastAction.openedTab !== undefined) return true
  // What is done on a page that was just opened belongs to the opening.
  return (
    lastAction.action.kind !== 'navigate' &&
    withoutHash(lastAction.urlBefore) !== withoutHash(lastAction.urlAfter)
  )
}

// A page that is only looked at is closed in the part that opened it.
const isOpenedBy = (steps: readonly RecordedStep[], index: number, tab: string): boolean =>
  steps.slice(0, index + 1).findLast(isStepOfUser)?.openedTab === tab

const withoutHash = (url: string): string => url.split('#')[0] ?? ''

/** What belongs to the action before it. */
const isReaction = ({ action }: RecordedStep): boolean => action.kind === 'check' || action.kind === 'dialog'

/** Whether it ticks a box that belongs to no form: no other field is filled before it. */
function isLoneCheck(steps: readonly RecordedStep[], index: number): boolean {
  const { action } = steps[index] as RecordedStep
  const before = steps.slice(0, index).findLast(isStepOfUser)
  const isInForm = before !== undefined && ['fill', 'type', 'select'].includes(before.action.kind)
  return action.kind === 'fill' && typeof action.value === 'boolean' && !isInForm
}

const isDecisive = (action: RecordedAction): boolean =>
  ['navigate', 'click', 'submit', 'drag', 'upload', 'history'].includes(action.kind) ||
  (action.kind === 'type' && action.submit === true) ||
  (action.kind === 'press' && /^(?:Enter|NumpadEnter|Return)$/i.test(action.key))

// A part in which the user only closes a page, or does nothing, belongs to the next one, or at the end to the one before it.
function joinPassive(groups: readonly (readonly RecordedStep[])[]): readonly (readonly RecordedStep[])[] {
  const joined: RecordedStep[][] = []
  let passive: RecordedStep[] = []
  for (const group of groups) {
    if (group.some(isStepOfUser)) {
      joined.push([...passive, ...group])
      passive = []
    } else passive.push(...group)
  }
  if (passive.length > 0) {
    const last = joined.pop() ?? []
    joined.push([...last, ...passive])
  }
  return joined
}

/** How a dialog was answered. */
export interface DialogAnswer {
  readonly accept: boolean
  readonly promptText?: string | undefined
}

/** A step with the answers to the dialogs that it opened. */
export interface TestStep {
  readonly step: RecordedStep
  readonly dialogs: readonly DialogAnswer[]
}

/** Gives the answers to dialogs to the last action before them in the same tab, which opened them; they are answered while it runs. */
export function attachDialogs(steps: readonly RecordedStep[]): readonly TestStep[] {
  const attached: { step: RecordedStep; dialogs: DialogAnswer[] }[] = []
  for (const step of steps) {
    const { action, tab } = step
    const opener = attached.findLast((other) => other.step.tab === tab && !isPassive(other.step))
    if (action.kind === 'dialog' && opener) {
      const { accept, promptText } = action
      opener.dialogs.push({ accept, promptText })
    } else attached.push({ step, dialogs: [] })
  }
  return attached
}

const isPassive = ({ action: { kind } }: RecordedStep): boolean =>
  kind === 'check' || kind === 'dialog' || isSetting(kind)
