// Types of Playwright's injected script for accessibility trees, as far as they are used here. They are not public.

import type { IconDescription } from '../../../sessions/types/snapshot.ts'
import type { Motion } from './leaving.ts'
import type { ListenerEvents } from './listeners.ts'

export interface AriaRef {
  ref: string
  readonly name: string
}

export interface AriaNode {
  readonly children: readonly (AriaNode | string)[]
  readonly role: string
  readonly expanded?: boolean
}

export interface AriaJsonNode {
  role: string
  name?: string
  ref?: string
  key?: string
  expanded?: boolean
  hidden?: boolean
  inert?: boolean
  closed?: boolean
  placeholder?: string
  draggable?: boolean
  unseen?: boolean
  passive?: boolean
  cursor?: string
  focusable?: boolean
  editable?: boolean
  inputType?: string
  part?: boolean
  icon?: IconDescription
  text?: string
  readonly url?: string
  children?: readonly (AriaJsonNode | string)[]
}

export interface AriaTreeOptions {
  readonly depth?: number
  /** Whether more than one match is allowed. */
  readonly first: boolean
  readonly events: ListenerEvents
  readonly boxes?: boolean
  /** Whether the answer says what moves. */
  readonly findsMotion?: boolean
  /** Whether the tree is reported to the client. */
  readonly isSeen?: boolean
}

/** What is known of the identity of elements. */
export type ElementIdentities = Pick<
  AriaSnapshotState,
  'refs' | 'elementsByRef' | 'keys' | 'unnamed' | 'pointed'
>

/** Knows the elements of the last snapshot of a document, and which ones replaced them since. */
export interface RedrawnElements {
  /** Gives the refs of elements that are gone to those that replace them. */
  inheritRefs(): void
  /** Takes the elements of a snapshot of the whole document. */
  remember(elements: readonly Element[]): void
}

/** What was read where an element is, and what is there now. */
export interface PlaceChange {
  readonly from: string
  readonly to: string
}

/** Knows as what the elements of the last snapshot of a document were read. */
export interface ElementPlaces {
  /** Takes the elements of a snapshot of the whole document. */
  remember(elements: readonly Element[]): void
  /** What has become of an element that belongs to another item now. */
  findChange(element: Element): PlaceChange | undefined
}

export interface ChangeReading {
  readonly hasChanged: boolean
  /** Messages for the user that were shown meanwhile and have gone again, each after its role. */
  readonly messages: readonly string[]
}

export interface ChangeWatch {
  /** What the document shows now has been reported to the client. */
  mark(shadowRoots: Iterable<ShadowRoot>): void
  /** What came since the mark; an action begins. */
  begin(): ChangeReading
  /** Waits for the next frame if the page may have asked for it. */
  passFrame(): Promise<void>
  /** Whether the page has begun something since that has not ended. `ownTimers` are those that were set for Footlight meanwhile. */
  isPending(ownTimers: number): boolean
}

export interface AriaSnapshotState {
  readonly refs: WeakMap<Element, AriaRef>
  readonly elementsByRef: Map<string, WeakRef<Element>>
  readonly redrawn: RedrawnElements
  readonly places: ElementPlaces
  readonly changes: ChangeWatch
  readonly keys: WeakMap<Element, number>
  readonly unnamed: WeakSet<Element>
  readonly pointed: WeakSet<Element>
  count: number
  /** Elements with `aria-hidden` that are listed nevertheless. */
  uncovered: ReadonlySet<Element>
  /** Elements without a role that are listed nevertheless. */
  withoutRole: ReadonlySet<Element>
}

/** The members of Playwright's injected script that are used here. */
export interface AriaInjected {
  readonly _frameSeq?: number
  readonly utils: { readonly builtins: Window }
  readonly _testIdAttributeNameForStrictErrorAndConsoleCodegen?: string
  readonly _engines: Map<string, { queryAll(root: unknown, ref: string): Element[] }>
  readonly _lastAriaSnapshotForQuery?: {
    readonly root: AriaNode
    readonly info: Map<string, { element: Element }>
  }
  ariaSnapshotJSON(
    root: Element,
    options: { readonly mode: 'ai'; readonly depth?: number; readonly boxes?: boolean },
  ): AriaJson
  footlight?: AriaSnapshotState
}

export interface AriaJson {
  readonly json: AriaJsonNode[]
  readonly iframeRefs: readonly string[]
  readonly iframeDepths: Readonly<Record<string, number>>
  readonly hasListeners?: boolean
  readonly motion?: Motion
}
