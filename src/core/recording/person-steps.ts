// The steps of a person, made of what is noticed in the window.

import { isSameElement } from './amend-step.ts'
import { createStepList, type StepList } from './step-list.ts'
import type { PersonEvent } from './person-event.ts'
import type { RecordedAction, RecordedStep } from './recorded-step.ts'

export interface PersonSteps {
  /** Takes the next event, and returns lines about what the person has completed with it. */
  add(event: PersonEvent): readonly string[]
  /** All steps, and the last lines. What was closed at the end is not a step: that ended the recording. */
  finish(): { readonly steps: readonly RecordedStep[]; readonly lines: readonly string[] }
}

// What a page does so soon after an action is an effect of it.
const EFFECT_MS = 1500
// A page may take this long to load, where a browser does not say who has started that.
const NAVIGATION_MS = 5000

/** No steps yet. */
export function createPersonSteps(): PersonSteps {
  const list = createStepList()
  return {
    add(event) {
      if (event.kind === 'settle') return list.takeLine()
      if (event.kind === 'hydrated') return markHydrated(list, event.tab)
      if (event.kind === 'action') return addAction(list, event)
      if (event.kind === 'moved') return addMove(list, event)
      return event.kind === 'opened' ? addOpenedTab(list, event) : addClosedTab(list, event)
    },
    finish() {
      const lines = list.takeLine()
      const steps = list.read()
      return {
        steps: steps.slice(0, steps.findLastIndex(({ action }) => action.kind !== 'closeTab') + 1),
        lines,
      }
    },
  }
}

// --- internal ---

type EventOf<Kind extends PersonEvent['kind']> = Extract<PersonEvent, { kind: Kind }>

function toStep(list: StepList, tab: string, action: RecordedAction, url: string): RecordedStep {
  const step = { seq: list.count(), tab, urlBefore: url, urlAfter: url, durationMs: 0 }
  return { ...step, action: withSecret(action, list) }
}

function isEffect(
  list: StepList,
  tabs: readonly (string | undefined)[],
  at: number,
  limitMs = EFFECT_MS,
): boolean {
  const last = list.lastIn(tabs)
  return last !== undefined && at - last.at < limitMs
}

function addAction(list: StepList, { tab, url, at, action }: EventOf<'action'>): readonly string[] {
  const last = list.lastIn([tab])?.step.action
  if (action.kind === 'navigate' && last?.kind === 'navigate' && last.url === action.url) return []
  // A button of the page may go back, or reload the page.
  if (action.kind === 'history' && isEffect(list, [tab], at)) return []
  return list.push(toStep(list, tab, action, url), at)
}

function markHydrated(list: StepList, tab: string): readonly string[] {
  list.changeLast(tab, ({ step }) =>
    step.action.kind === 'navigate' ? { ...step, action: { ...step.action, isHydrated: true } } : step,
  )
  return []
}

function addMove(list: StepList, { tab, url, at, isUnexplained }: EventOf<'moved'>): readonly string[] {
  if (isUnexplained && !isEffect(list, [tab], at, NAVIGATION_MS))
    return list.push(toStep(list, tab, { kind: 'navigate', url }, url), at)
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

function addClosedTab(list: StepList, { tab, opener, url, at }: EventOf<'closed'>): readonly string[] {
  if (!isEffect(list, [tab, opener], at)) return list.push(toStep(list, tab, { kind: 'closeTab' }, url), at)
  return [...list.takeLine(), `window ${tab} has closed`]
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
