// What the listeners in a page share that notice what a person does.

import type { ElementReport } from './describe-element.ts'
import type { RecordedClick } from '../../../core/recording/recorded-step.ts'

export type ReportedElement = NonNullable<ElementReport['element']>

export interface ReportedFile {
  readonly name: string
  /** In base64. */
  readonly content: string
}

/** An action of a person; `settle` says that a field has its final value. */
export type ActionReport =
  | { readonly kind: 'click'; readonly element: ReportedElement; readonly options: RecordedClick }
  | { readonly kind: 'fill'; readonly element: ReportedElement; readonly value: string | boolean }
  | { readonly kind: 'select'; readonly element: ReportedElement; readonly values: readonly string[] }
  | { readonly kind: 'press'; readonly element?: ReportedElement; readonly key: string }
  | { readonly kind: 'drag'; readonly element: ReportedElement; readonly to: ReportedElement }
  | { readonly kind: 'upload'; readonly element: ReportedElement; readonly files: readonly ReportedFile[] }
  | { readonly kind: 'dialog'; readonly accept: boolean; readonly promptText?: string }
  | { readonly kind: 'settle' }

export interface ActionWatch {
  /** Listens to the events of the user outside of the toolbar, before the listeners of the page. */
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

/** The members of Playwright's injected script that are used here. */
export interface WatchingInjected {
  readonly onGlobalListenersRemoved: Set<() => void>
  readonly utils: { readonly builtins: Window & Pick<typeof globalThis, 'Date'> }
}
