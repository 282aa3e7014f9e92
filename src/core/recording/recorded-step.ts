// What a session has done, as records that a test can be written from: actions that succeeded, checks, and how their elements can be found
// again.

import type { ElementCheck } from '../snapshot/element-check.ts'
import type { EmulationChange } from '../session/emulation.ts'
import type { Mock, MockRule } from '../network/mock.ts'
import type { SocketPush } from '../network/socket.ts'

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
  /** Whether its value is a secret. */
  readonly isSecret: boolean
}

export type RecordedValue = string | boolean | readonly string[]

export interface RecordedClick {
  readonly force?: boolean
  readonly clickCount?: number
  readonly button?: 'left' | 'right' | 'middle'
  readonly modifiers?: readonly ('Alt' | 'Control' | 'ControlOrMeta' | 'Meta' | 'Shift')[]
  /** Relative to the top left corner of the element; its middle without it. */
  readonly position?: { readonly x: number; readonly y: number }
}

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
  | { readonly kind: 'navigate'; readonly url: string; readonly isHydrated?: boolean }
  | {
      readonly kind: 'history'
      readonly direction: 'back' | 'forward' | 'reload'
      readonly isHydrated?: boolean
    }
  | { readonly kind: 'click'; readonly element: RecordedElement; readonly options: RecordedClick }
  | {
      readonly kind: 'type'
      /** Without one the text was typed into the focused element. */
      readonly element?: RecordedElement
      /** Whether the focused element is a secret field. */
      readonly isSecret?: boolean
      readonly text: string
      readonly clear?: boolean
      readonly submit?: boolean
      /** Milliseconds between two keys. */
      readonly delay?: number
      /** Whether the page needs every key, as where each moves the focus to the next field; setting the value would not do. */
      readonly needsKeys?: boolean
    }
  | { readonly kind: 'fill'; readonly element: RecordedElement; readonly value: RecordedValue }
  | { readonly kind: 'submit'; readonly element: RecordedElement }
  | { readonly kind: 'select'; readonly element: RecordedElement; readonly values: readonly string[] }
  | { readonly kind: 'hover'; readonly element: RecordedElement }
  | { readonly kind: 'drag'; readonly element: RecordedElement; readonly to: RecordedElement }
  | {
      readonly kind: 'press'
      readonly key: string
      readonly element?: RecordedElement
      readonly holdMs?: number
    }
  | {
      readonly kind: 'upload'
      readonly element: RecordedElement
      readonly paths: readonly string[]
      /** The files were dropped on the element, and not chosen. */
      readonly isDrop?: boolean
    }
  | { readonly kind: 'dialog'; readonly accept: boolean; readonly promptText?: string }
  | { readonly kind: 'openTab' }
  /** Without an id the active tab was closed. */
  | { readonly kind: 'closeTab'; readonly id?: string }
  | { readonly kind: 'emulate'; readonly change: EmulationChange }
  /** `mock` has what the paths of the rule stand for. */
  | { readonly kind: 'mock'; readonly rule: MockRule; readonly mock?: Mock }
  | { readonly kind: 'push'; readonly push: SocketPush }
  /** ISO 8601; undefined lets the clock run again. */
  | { readonly kind: 'clock'; readonly time: string | undefined }
  | { readonly kind: 'seed'; readonly seed: number | undefined }
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
}
