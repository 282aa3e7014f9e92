// The steps of a person, made of what is noticed in the tabs.

import { clip, normalizeSpace } from '../../../core/base/text/clip.ts'
import type { PersonEvent } from '../../../core/sessions/types/person.ts'
import {
  isSameElement,
  type RecordedAction,
  type RecordedElement,
  type RecordedStep,
} from '../../../core/sessions/types/recorded-step.ts'

interface PersonSteps {
  /** Takes the next event, and returns lines about what the person has completed with it. */
  add(event: PersonEvent): readonly string[]
  /** All steps, and the last lines. */
  finish(): { readonly steps: readonly RecordedStep[]; readonly lines: readonly string[] }
}

export function createPersonSteps(): PersonSteps {
  const list = createStepList()
  return {
    add(event) {
      if (event.kind === 'settle') return list.takeLine()
      if (event.kind === 'action') return addAction(list, event)
      if (event.kind === 'moved') return addMove(list, event)
      return addOpenedTab(list, event)
    },
    finish: () => ({ lines: list.takeLine(), steps: list.read() }),
  }
}

type EventOf<Kind extends PersonEvent['kind']> = Extract<PersonEvent, { kind: Kind }>

function toStep(list: StepList, tab: string, action: RecordedAction, url: string): RecordedStep {
  const step = { seq: list.count(), tab, urlBefore: url, urlAfter: url, durationMs: 0 }
  return { ...step, action: withSecret(action, list) }
}

function addAction(list: StepList, { tab, url, at, action }: EventOf<'action'>): readonly string[] {
  return list.push(toStep(list, tab, action, url), at)
}

function addMove(list: StepList, { tab, url, at }: EventOf<'moved'>): readonly string[] {
  list.changeLast(tab, (last) => ({ ...last.step, urlAfter: url, durationMs: Math.round(at - last.at) }))
  return []
}

function addOpenedTab(list: StepList, { tab, opener, url, at }: EventOf<'opened'>): readonly string[] {
  if (opener === undefined) {
    const current = list.read().at(-1)?.tab ?? 't1'
    return list.push({ ...toStep(list, current, { kind: 'openTab' }, url), openedTab: tab }, at)
  }
  const lines = list.takeLine()
  list.changeLast(opener, ({ step }) => (step.openedTab === undefined ? { ...step, openedTab: tab } : step))
  return [...lines, `a window was opened: ${tab}`]
}

// A password that is shown is the value of a text field.
function withSecret(action: RecordedAction, list: StepList): RecordedAction {
  if (action.kind !== 'fill' || action.element.isSecret) return action
  const isKnown = list
    .read()
    .some(
      ({ action: earlier }) =>
        earlier.kind === 'fill' && earlier.element.isSecret && isSameElement(earlier.element, action.element),
    )
  return isKnown ? { ...action, element: { ...action.element, isSecret: true } } : action
}

/** What the previous step and the next one are together, if they are one action of the person: typing letter by letter, a click into a
 * field before its text, the second click of a double click. Otherwise undefined. */
function amendStep(previous: RecordedStep | undefined, next: RecordedStep): RecordedStep | undefined {
  if (!previous || previous.tab !== next.tab || previous.openedTab !== undefined) return undefined
  const [before, after] = [previous.action, next.action]
  if (!('element' in before) || !('element' in after)) return undefined
  if (!isSameElement(before.element, after.element)) return undefined
  const action = combine(before, after)
  return action && { ...next, seq: previous.seq, urlBefore: previous.urlBefore, action }
}

/** A click that follows no other one: it has no click count. */
function standAlone(action: RecordedAction): RecordedAction {
  if (action.kind !== 'click' || (action.options.clickCount ?? 1) === 1) return action
  const { clickCount: _, ...options } = action.options
  return { ...action, options }
}

/** Whether text can be typed into it, as far as its type says. */
const isTextField = (element: RecordedElement | undefined): boolean =>
  element !== undefined && /^(text|email|password|search|tel|url|number|textarea)$/.test(element.type)

function combine(before: RecordedAction, after: RecordedAction): RecordedAction | undefined {
  if (before.kind === 'fill' && after.kind === 'fill')
    return typeof before.value === typeof after.value ? after : undefined
  if (before.kind === 'select' && after.kind === 'select') return after
  if (before.kind !== 'click' || before.options.button !== undefined) return undefined
  if (after.kind === 'select') return after
  // A click into a field that opens a list is more than a way to its text.
  if (after.kind === 'fill' || (after.kind === 'press' && isTextField(after.element)))
    return before.element.role === 'combobox' ? undefined : after
  const isNextClick =
    after.kind === 'click' &&
    after.options.button === undefined &&
    after.options.clickCount === (before.options.clickCount ?? 1) + 1
  return isNextClick ? after : undefined
}

// The steps of a person in order, bounded, and lines about them. A line about text waits until the text is complete.
interface TimedStep {
  readonly step: RecordedStep
  readonly at: number
}

interface StepList {
  /** Adds a step, or amends the last one, and returns the lines that are due. */
  push(step: RecordedStep, at: number): readonly string[]
  changeLast(tab: string, change: (last: TimedStep) => RecordedStep): void
  /** The line that has waited. */
  takeLine(): readonly string[]
  count(): number
  read(): readonly RecordedStep[]
}

const STEP_LIMIT = 500

function createStepList(): StepList {
  const entries: TimedStep[] = []
  let isLineDue = false
  let isFull = false

  const takeLine = (): string[] => {
    const last = entries.at(-1)
    if (!isLineDue || !last) return []
    isLineDue = false
    return [describeStep(last.step.action)]
  }
  const put = (index: number, step: RecordedStep, at: number): string[] => {
    entries[index] = { step, at }
    isLineDue = true
    return isTyping(step.action) ? [] : takeLine()
  }

  return {
    push(step, at) {
      const amendedStep = amendStep(entries.at(-1)?.step, step)
      if (amendedStep) return put(entries.length - 1, amendedStep, at)
      const lines = takeLine()
      if (entries.length < STEP_LIMIT)
        return [...lines, ...put(entries.length, { ...step, action: standAlone(step.action) }, at)]
      if (isFull) return lines
      isFull = true
      return [...lines, `there are ${STEP_LIMIT} steps: what follows is not recorded`]
    },
    changeLast(tab, change) {
      const index = entries.findLastIndex(({ step }) => step.tab === tab)
      const last = entries[index]
      if (last) entries[index] = { step: change(last), at: last.at }
    },
    takeLine,
    count: () => entries.length,
    read: () => entries.map(({ step }) => step),
  }
}

// A click into a field is usually the way to its text.
const isTyping = (action: RecordedAction): boolean =>
  (action.kind === 'fill' && typeof action.value === 'string') ||
  (action.kind === 'click' && isTextField(action.element))

const QUOTE_LIMIT_CHARS = 80

/** A line for the person, such as `click button "Add to cart"`. Values of secret fields are not in it. */
function describeStep(action: RecordedAction): string {
  switch (action.kind) {
    case 'click':
      return `${verbOf(action.options)} ${nameOf(action.element)}`
    case 'fill':
      return typeof action.value === 'boolean'
        ? `${action.value ? 'check' : 'uncheck'} ${nameOf(action.element)}`
        : `fill ${nameOf(action.element)} with ${valueOf(action.element, String(action.value))}`
    case 'select':
      return `select ${action.values.map(quote).join(', ') || 'nothing'} in ${nameOf(action.element)}`
    case 'press':
      return `press ${action.key}${action.element ? ` in ${nameOf(action.element)}` : ''}`
    case 'drag':
      return `drag ${nameOf(action.element)} to ${nameOf(action.to)}`
    case 'openTab':
      return 'open a tab'
    default:
      return action.kind
  }
}

const quote = (text: string): string => JSON.stringify(clip(normalizeSpace(text), QUOTE_LIMIT_CHARS))

const valueOf = ({ isSecret }: RecordedElement, value: string): string => (isSecret ? '•••' : quote(value))

function nameOf({ role, name, type, locators }: RecordedElement): string {
  if (name !== '') return `${role === '' || role === 'generic' ? type : role} ${quote(name)}`
  return locators[0]?.code ?? type
}

function verbOf({ clickCount = 1, button }: { clickCount?: number; button?: string }): string {
  const times = clickCount === 1 ? '' : clickCount === 2 ? 'double-' : `${clickCount} times `
  return `${button === undefined || button === 'left' ? '' : `${button}-`}${times}click`
}
