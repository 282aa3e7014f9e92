// What the first replay of a recording learns of its steps: the locators that their elements have, what each action changes, and which checks
// held before the actions that they follow.

import { holdsNow, isIdleClick, observeEffect, viewPage, type PageView } from './observe-page.ts'
import { selectTab } from './replay-tabs.ts'
import { resolveAction, resolveCheck, resolveClick } from './resolve-elements.ts'
import type { ObservedStep } from '../../core/recording/insert-checks.ts'
import { enteredTextsOf, firstOfEntry, isActing } from '../../core/recording/prepare-steps.ts'
import type { RecordedAction, RecordedStep } from '../../core/recording/recorded-step.ts'
import { ok } from '../../core/result.ts'
import type { PageBody } from '../../runtime/ports/tool-call.ts'

export interface StepObserver {
  /** Looks at the page before a step; returns its action with the locators that its element has now. */
  before(index: number): PageBody<RecordedAction>
  /** Looks at the page after a step whose `action` has succeeded. */
  after(index: number, action: RecordedAction): PageBody<void>
  /** The steps that were observed. */
  steps(): readonly ObservedStep[]
}

/** Observes one replay of the steps. */
export function createObserver(steps: readonly RecordedStep[], tabs: Map<string, string>): StepObserver {
  const actions = steps.map(({ action }) => action)
  const views = new Map<number, PageView>()
  const proposals = new Map<number, ObservedStep['proposals']>()
  const vacuous = new Set<number>()
  const announced = new Set<number>()
  const idleClicks = new Set<number>()
  const isActingAt = (index: number): boolean => isActing(steps[index] as RecordedStep)

  return {
    before: (index) => async (page, deadline) => {
      const step = steps[index] as RecordedStep
      selectTab(step, page, tabs)
      if (isActing(step)) {
        const view = await viewPage(page, deadline)
        if (view) views.set(index, view)
        for (const checkIndex of checksOf(steps, index)) {
          const check = actions[checkIndex]
          if (check?.kind === 'check' && (await holdsNow(check.check, page, deadline)))
            vacuous.add(checkIndex)
        }
      }
      return ok(await resolveAction(step.action, page, deadline))
    },
    after: (index, action) => async (page, deadline) => {
      const isCheck = action.kind === 'check'
      actions[index] = isCheck
        ? { ...action, check: await resolveCheck(action.check, page, deadline) }
        : await resolveClick(action, page, deadline)
      if (await isIdleClick(action, views.get(index), page, deadline)) idleClicks.add(index)
      const isEnd = index === steps.length - 1 || isActingAt(index + 1)
      const start = steps.findLastIndex((step, position) => position <= index && isActing(step))
      const view = views.get(start)
      if (!isEnd || !view) return ok(undefined)
      const lastAction = { ...(steps[start] as RecordedStep), action: actions[start] as RecordedAction }
      const history = [...views].flatMap(([position, { lines }]) => (position < start ? [lines] : []))
      const enteredTexts = enteredTextsOf(steps.slice(0, index + 1))
      const change = { before: view.lines, enteredTexts, history }
      const effect = await observeEffect(lastAction, change, page, deadline)
      if (effect) proposals.set(index, effect.proposals)
      for (let position = start; position <= index; position += 1) {
        const checked = actions[position]
        if (checked?.kind === 'check' && effect?.isAnnounced(checked.check)) announced.add(position)
      }
      return ok(undefined)
    },
    steps: () =>
      steps.map((step, index) => {
        const [checks, view] = [proposals.get(index), views.get(index)]
        return {
          step: { ...step, action: actions[index] ?? step.action },
          isVacuous: vacuous.has(index),
          isAnnounced: announced.has(index),
          isIdleClick: idleClicks.has(index),
          ...(checks && { proposals: checks }),
          ...(view && { stateBefore: view.state }),
        }
      }),
  }
}

// --- internal ---

/** The indexes of the checks of the action that begins here. */
function checksOf(steps: readonly RecordedStep[], start: number): readonly number[] {
  const first = steps.findIndex(({ action }, index) => index > start && action.kind === 'check')
  if (first < 0 || firstOfEntry(steps.slice(0, first)) !== start) return []
  const end = steps.findIndex(({ action }, index) => index > first && action.kind !== 'check')
  return steps.map((_, index) => index).slice(first, end < 0 ? steps.length : end)
}
