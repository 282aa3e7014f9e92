import type { ElementCheck } from '../../checks/element-check.ts'
import type { SnapshotLine } from '../../snapshot/snapshot-lines.ts'
import type { ItemOrder, RecordedElement } from '../recorded-step.ts'

/** What a check is about: a text that was entered; what the action changed where it acted; or another change. */
export type CheckRelation = 'entered' | 'own' | 'other'

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
  /** The element that the action was about. */
  readonly element?: RecordedElement
  /** What the page showed before the actions until then, the oldest first. */
  readonly history?: readonly (readonly SnapshotLine[])[]
}
