// The functions that perform actions, one for each kind, and how a feature adds those of its kinds.

import type { ActionKind, ActionOf, ActionResults, Target } from '../../base/action.ts'
import type { Outcome } from '../../base/failure.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Tab } from '../tab/tab.ts'

declare module '../../tool/feature.ts' {
  interface FeatureParts {
    /** Makes the performers of the inputs that it adds. */
    readonly performers?: (runInFront: RunInFront) => Partial<FeaturePerformers>
  }
}

/** The performers of all features. A kind of `ActionTypes` that has none, here or in `perform.ts`, is an error of types there.
 * @public Features add theirs. */
export interface FeaturePerformers {}

export type Performers<K extends ActionKind> = {
  readonly [P in K]: (action: ActionOf<P>, deadline: Deadline) => Promise<Outcome<ActionResults[P]>>
}

/** Runs an input on the active tab, whose window has the focus, once its elements are still those that the client read.
 * `interruptedValue` is its value if a dialog ends it. */
export type RunInFront = <T>(
  elements: readonly (Target | undefined)[],
  work: (tab: Tab) => Promise<Outcome<T>>,
  interruptedValue: () => T,
) => Promise<Outcome<T>>
