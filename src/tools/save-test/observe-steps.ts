// What the first replay of a recording learns of its steps: the locators that their elements have, what each action changes, and which checks
// held before the actions that they follow.

import { holdsNow, proposeSteps, viewPage, type PageView } from './observe-page.ts'
import { selectTab } from './replay-tabs.ts'
import { resolveAction, resolveCheck, resolveClick } from './resolve-elements.ts'
import type { ObservedStep } from '../../core/recording/insert-checks.ts'
import { enteredTextsOf, isActing } from '../../core/recording/prepare-steps.ts'
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
  const isActingAt = (index: number): boolean => isActing(steps[index] as RecordedStep)

  return {
    before: (index) => async (page, deadline) => {
      const step = steps[index] as RecordedStep
      selectTab(step, page, tabs)
      if (isActing(step)) {
        const view = await viewPage(page, deadline)
        if (view) views.set(index, view)
        const isFirstAction = index === 0 || !isActingAt(index - 1)
        for (const checkIndex of isFirstAction ? checksAfter(steps, index) : []) {
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
      const isEnd = index === steps.length - 1 || isActingAt(index + 1)
      const start = steps.findLastIndex((step, position) => position <= index && isActing(step))
      const view = views.get(start)
      if (!isEnd || !view) return ok(undefined)
      const entered = enteredTextsOf(steps.slice(0, index + 1))
      const lastAction = steps[start] as RecordedStep
      proposals.set(index, await proposeSteps(lastAction, view.lines, entered, page, deadline))
      return ok(undefined)
    },
    steps: () =>
      steps.map((step, index) => {
        const [checks, view] = [proposals.get(index), views.get(index)]
        return {
          step: { ...step, action: actions[index] ?? step.action },
          isVacuous: vacuous.has(index),
          ...(checks && { proposals: checks }),
          ...(view && { stateBefore: view.state }),
        }
      }),
  }
}

// --- internal ---

/** The indexes of the checks that follow the actions that begin here. */
function checksAfter(steps: readonly RecordedStep[], start: number): readonly number[] {
  const first = steps.findIndex(({ action }, index) => index > start && action.kind === 'check')
  if (first < 0) return []
  const end = steps.findIndex(({ action }, index) => index > first && action.kind !== 'check')
  return steps.map((_, index) => index).slice(first, end < 0 ? steps.length : end)
}
