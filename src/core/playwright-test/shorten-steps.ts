// Leaves out steps that change nothing for those after them. A step stays unless its own record shows that it can go:
// 1. An entry into a text field that is replaced later, with nothing between but entries into other text fields: the last value wins. A
//    field that is only emptied before it is typed into is one entry.
// 2. A navigation that is followed by another one in the same tab, if it opened what was asked for, and its path does not sound as if
//    opening it changed something, as /logout does, or the next one opens the same again.
// 3. A link or a navigation to another page that only such steps and checks come before on its page, and the way back to where it started.
// 4. A check that repeats the one before it.
// 5. A hover that is followed by a hover or a navigation in the same tab, or by nothing.
// Steps that open a tab always stay. The rules are applied until none of them fits.

import {
  isSameElement,
  type RecordedAction,
  type RecordedElement,
  type RecordedStep,
} from '../recording/recorded-step.ts'

/** The steps without those that lead nowhere, in their order. */
export function shortenSteps(steps: readonly RecordedStep[]): readonly RecordedStep[] {
  let current = steps
  for (;;) {
    const joined = joinClearing(current)
    const remaining = joined.filter((_, index) => !isRedundant(joined, index))
    // One detour at a time: a step may belong to two.
    const detour = remaining.findIndex((_, index) => isDetour(remaining, index))
    const next = detour < 0 ? remaining : [...remaining.slice(0, detour), ...remaining.slice(detour + 2)]
    if (next.length === current.length) return next
    current = next
  }
}

// --- internal ---

function isRedundant(steps: readonly RecordedStep[], index: number): boolean {
  const step = steps[index] as RecordedStep
  if (step.openedTab !== undefined) return false
  const { kind } = step.action
  if (kind === 'check') return repeatsCheck(steps, index)
  if (kind === 'type' || kind === 'fill' || kind === 'select') return isOverwritten(steps, index)
  const next = steps[index + 1]
  if (!next) return kind === 'hover'
  if (next.tab !== step.tab) return false
  if (step.action.kind === 'navigate')
    return (
      next.action.kind === 'navigate' &&
      (isRepeated(step.action.url, step.urlAfter, next) ||
        isHarmlessNavigation(step.action.url, step.urlAfter))
    )
  return kind === 'hover' && (next.action.kind === 'hover' || next.action.kind === 'navigate')
}

const isRepeated = (url: string, urlAfter: string, { action, urlAfter: lastUrl }: RecordedStep): boolean =>
  action.kind === 'navigate' && action.url === url && lastUrl === urlAfter && opensWhatWasAsked(url, urlAfter)

function isHarmlessNavigation(url: string, urlAfter: string): boolean {
  if (isBlank(url)) return true
  const path = /^https?:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? url
  return opensWhatWasAsked(url, urlAfter) && !EFFECT_WORD.test(path)
}

// A page that redirects, or has a query, may keep something for the pages after it.
function opensWhatWasAsked(url: string, urlAfter: string): boolean {
  const normalize = (text: string) => text.replace(/#.*$/, '').replace(/\/$/, '')
  return normalize(url) === normalize(urlAfter) && !url.includes('?')
}

const EFFECT_WORD =
  /log|sign|auth|sso|session|token|key|set|switch|change|clear|delete|remove|lang|locale|theme|demo|seed|invite|verif|confirm|activat|accept|subscribe|start|new|create|api/i

// Emptying a field and typing into it.
function joinClearing(steps: readonly RecordedStep[]): readonly RecordedStep[] {
  const joined: RecordedStep[] = []
  for (const step of steps) {
    const previous = joined.at(-1)
    const { action } = step
    const isRetyped =
      previous?.tab === step.tab &&
      action.kind === 'type' &&
      action.element !== undefined &&
      empties(previous.action, action.element) &&
      previous.openedTab === undefined
    if (!isRetyped) joined.push(step)
    else joined[joined.length - 1] = { ...step, action: { ...action, clear: true } }
  }
  return joined
}

const empties = (action: RecordedAction, element: RecordedElement): boolean =>
  ((action.kind === 'fill' && action.value === '') ||
    (action.kind === 'type' && action.text === '' && action.clear === true && !action.submit)) &&
  action.element !== undefined &&
  isSameElement(action.element, element)

function repeatsCheck(steps: readonly RecordedStep[], index: number): boolean {
  const previous = steps[index - 1]
  const step = steps[index]
  return (
    previous?.action.kind === 'check' &&
    step?.action.kind === 'check' &&
    previous.tab === step.tab &&
    areEqual(previous.action.check, step.action.check)
  )
}

/** Whether the value of the field is set again before anything could have used it. */
function isOverwritten(steps: readonly RecordedStep[], index: number): boolean {
  const step = steps[index] as RecordedStep
  const element = fieldOf(step.action)
  if (!element || !isPlainEntry(step) || step.urlBefore !== step.urlAfter) return false
  for (const later of steps.slice(index + 1)) {
    if (later.tab !== step.tab) return false
    const field = fieldOf(later.action)
    if (!field || later.openedTab !== undefined) return false
    if (isSameElement(field, element)) return replacesValue(later.action)
    if (!isPlainEntry(later)) return false
  }
  return false
}

const fieldOf = (action: RecordedAction): RecordedElement | undefined =>
  action.kind === 'type' || action.kind === 'fill' ? action.element : undefined

/** An entry that only sets the value of one text field. */
const isPlainEntry = ({ action }: RecordedStep): boolean =>
  (action.kind === 'type' && !action.submit && !/[\r\n]/.test(action.text)) ||
  (action.kind === 'fill' && typeof action.value === 'string')

const replacesValue = (action: RecordedAction): boolean =>
  (action.kind === 'fill' && typeof action.value === 'string') ||
  (action.kind === 'type' && action.clear === true)

/** Whether this step left a page, and the next one came back to it: a click or a navigation, then the history. */
function isDetour(steps: readonly RecordedStep[], index: number): boolean {
  const step = steps[index] as RecordedStep
  const next = steps[index + 1]
  if (!next || next.tab !== step.tab || step.openedTab !== undefined || next.openedTab !== undefined)
    return false
  const leaves =
    (step.action.kind === 'click' && step.action.element.role === 'link') || step.action.kind === 'navigate'
  const returns = next.action.kind === 'history' && next.action.direction === 'back'
  const isOtherPage = step.urlBefore !== step.urlAfter && step.urlBefore !== '' && !isBlank(step.urlBefore)
  return (
    leaves &&
    returns &&
    isOtherPage &&
    next.urlBefore === step.urlAfter &&
    next.urlAfter === step.urlBefore &&
    isHarmlessNavigation(step.urlAfter, step.urlAfter) &&
    isUntouchedPage(steps, index)
  )
}

// What was entered on a page is lost when it is left.
function isUntouchedPage(steps: readonly RecordedStep[], index: number): boolean {
  const { tab } = steps[index] as RecordedStep
  const previous = steps.slice(0, index).findLast((step) => step.tab === tab && step.action.kind !== 'check')
  return previous?.action.kind === 'navigate' || previous?.action.kind === 'history'
}

const isBlank = (url: string): boolean => url.startsWith('about:')

const areEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
