// What a session has done, as records that a test can be written from: actions that succeeded, checks, and how their elements can be found
// again.

import type { ActionOn, ElementCheck, RepeatableKind } from '../../base/action.ts'

/** A way to find an element: Playwright's selector, and the same as the end of a line of a test, `getByRole('button', { name: 'Send' })`. */
export interface ElementLocator {
  readonly selector: string
  readonly code: string
}

/** An element as it was when it was acted on. */
export interface RecordedElement {
  /** Those that matched it and nothing else, the most robust one first; never empty. */
  readonly locators: readonly ElementLocator[]
  /** Its ARIA role and accessible name; empty if it has none. */
  readonly role: string
  readonly name: string
  /** The type of an input in lower case, otherwise the tag: `text`, `password`, `checkbox`, `select`, `textarea`, `div`. */
  readonly type: string
  /** Whether it is a field or an editor that was empty. */
  readonly isEmpty: boolean
  readonly isSecret: boolean
}

/** The code of its most robust locator. */
export const codeOf = (element: RecordedElement | undefined): string => element?.locators[0]?.code ?? ''

/** Whether the most robust locators are the same. */
export const isSameElement = (a: RecordedElement | undefined, b: RecordedElement | undefined): boolean =>
  a !== undefined && b !== undefined && a.locators[0]?.selector === b.locators[0]?.selector

/** Texts that successive matches contain, from the match with the index `start` on. */
export interface ItemOrder {
  readonly texts: readonly string[]
  readonly start: number
}

/** What must hold at the same time. `url` is a part of the URL or a glob; `aria` has lines of a snapshot, of the whole page without an
 * element. */
export interface RecordedCheck {
  readonly element?: RecordedElement
  readonly checks: readonly ElementCheck[]
  /** Of what the locator of the element matches. */
  readonly order?: ItemOrder
  /** The value that is checked is the label of the selected option. */
  readonly isOptionLabel?: boolean
  readonly aria?: string
  /** Inverts the checks and `aria`. */
  readonly not: boolean
  /** A text that is visible anywhere on the page, and how it can be found if one element has it. */
  readonly text?: string
  readonly textElement?: RecordedElement
  readonly textGone?: string
  readonly url?: string
}

export type RecordedAction =
  | ActionOn<RecordedElement, RepeatableKind>
  /** Done in a way that a test has no counterpart for: `mouse`, `storage_state`. */
  | { readonly kind: 'other'; readonly tool: string }
  | { readonly kind: 'check'; readonly check: RecordedCheck }

/** An action that succeeded, or a check that held. */
export interface RecordedStep {
  /** The `seq` of the newest entry of the session's timeline when it began. */
  readonly seq: number
  /** The tab that it acted on, and the one that it opened, if it did. */
  readonly tab: string
  readonly openedTab?: string
  readonly action: RecordedAction
  /** The URL of the tab before and after it. */
  readonly urlBefore: string
  readonly urlAfter: string
  /** Milliseconds that it took. */
  readonly durationMs: number
  /** When it ended, in Unix milliseconds. What a person did, and what was read from a test, has none. */
  readonly at?: number
}
