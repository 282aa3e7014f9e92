// What the listeners for the actions of a person share.

import type { ActionOn } from '../../../core/base/action.ts'
import type { ElementReport } from '../../../core/browser/in-page/snapshot/describe-element.ts'

export type ReportedElement = NonNullable<ElementReport['element']>

/** An action of a person; `settle` says that a field has its final value. */
export type ActionReport =
  ActionOn<ReportedElement, 'click' | 'fill' | 'select' | 'press' | 'drag'> | { readonly kind: 'settle' }

export interface ActionWatch {
  /** Listens to the events of the user, before the listeners of the page. */
  on<Type extends keyof DocumentEventMap>(
    type: Type,
    listener: (event: DocumentEventMap[Type], target: Element) => void,
  ): void
  /** Undefined if nothing matches only this element. */
  describe(element: Element): ReportedElement | undefined
  report(action: ActionReport): void
  /** Runs the work when the event has been handled. */
  afterEvent(work: () => void): void
  /** The innermost control or link around what was clicked. */
  controlOf(event: Event): Element | undefined
  /** Whether text can be typed into the element. */
  isTextField(element: Element): boolean
  /** The checkbox whose label was clicked because it is not visible itself: its change is that click. */
  hiddenToggle?: Element | undefined
}
