// What a feature adds to the page of each session: the functions that perform its kinds of actions, one for each, and what happens around calls.

import type { Action, ActionKind, ActionOf, ActionResults } from '../../base/action.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { FeaturePage } from '../../sessions/types/page.ts'
import type { Tab } from '../tab/tab.ts'

export interface PageFeature {
  /** The performers of its inputs, which begin with `runInFront`. */
  readonly inputs?: Partial<FeaturePerformers>
  /** Those of its other actions. */
  readonly performers?: Partial<FeaturePerformers>
  /** What it adds to the page. */
  readonly members?: Partial<FeaturePage>
  /** Waited for before the work of each call. */
  readonly beforeWork?: () => Promise<void>
  /** Adds to the failure of a call what the page shows of its cause. */
  readonly explainFailure?: (failure: Failure, tab: Tab) => Failure | Promise<Failure>
  /** Runs an action, or inputs of a person. */
  readonly during?: <T>(action: Action | undefined, work: () => Promise<T>) => Promise<T>
  /** Called when an action has ended. */
  readonly onActed?: () => void
  readonly end?: () => void
}

/** The performers of all features. A kind of `ActionTypes` that has none, here or in `perform.ts`, is an error of types there.
 * @public Features add theirs. */
export interface FeaturePerformers {}

export type Performers<K extends ActionKind> = {
  readonly [P in K]: (action: ActionOf<P>, deadline: Deadline) => Promise<Outcome<ActionResults[P]>>
}
