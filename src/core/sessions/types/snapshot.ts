// A snapshot of a page: the tree of its elements, the lines that show it, and what changed since the last one. src/core/snapshot makes them.

import type { Box } from '../../base/geometry.ts'

/** The attributes of an element and of the icon in it that may name it; empty strings where there are none. */
export interface IconDescription {
  readonly label: string
  readonly icon: string
  /** The classes of the element, then those of the elements in it. */
  readonly classes: readonly string[]
  readonly id: string
  readonly source: string
  readonly tag: string
}

/** A node as `ariaSnapshotJSON` returns it; a child may be a string. */
export interface AriaNode extends NodeStates {
  readonly role?: string
  readonly text?: string
  readonly ref?: string
  readonly url?: string
  readonly cursor?: string
  readonly active?: boolean
  /** Only if it was requested; in CSS pixels of the viewport. */
  readonly box?: Box
  /** Identifies the element while its document lives, whatever its ref. */
  readonly key?: string
  /** What may name an element without a name or text. */
  readonly icon?: IconDescription
  /** Its text belongs to a list that handles the clicks on all its items. */
  readonly part?: boolean
  /** Hidden, with its descendants, behind a modal layer. */
  readonly hidden?: boolean
  /** Neither the mouse nor the keyboard reaches it. */
  readonly inert?: boolean
  /** It receives no clicks now and kept its earlier ref. */
  readonly passive?: boolean
  readonly children?: readonly (AriaNode | string)[]
}

export type AriaTree = readonly (AriaNode | string)[]

/** Where an element is in the tree, also one without a line. */
export interface Place {
  readonly role: string
  readonly level: number
  readonly parent?: Place
}

/** One line of a snapshot. Lines with the same key in two snapshots are the same element. */
export interface SnapshotLine {
  readonly key: string
  readonly depth: number
  readonly text: string
  readonly role: string
  readonly ref?: string
  readonly name: string
  /** Interactive, or a heading or landmark. */
  readonly isUseful: boolean
  readonly isHidden: boolean
  /** It has an interactive role, though it may receive no clicks now. */
  readonly isControl?: boolean
  readonly expanded?: boolean
  readonly isPassive: boolean
  readonly isFocused?: boolean
  readonly isUnseen?: boolean
  readonly isInvalid?: boolean
  readonly isInert?: boolean
  /** It has the texts of its descendants, which have no lines then. */
  readonly isJoined?: boolean
  /** The first text of the table row that it is in. */
  readonly row?: string
  /** Undefined for a line that is no element. */
  readonly place?: Place
}

// The words of a snapshot line after the name of its element.
export interface NodeStates {
  readonly name?: string
  readonly placeholder?: string
  readonly level?: number
  readonly checked?: boolean | 'mixed'
  readonly pressed?: boolean | 'mixed'
  readonly disabled?: boolean
  readonly expanded?: boolean
  readonly selected?: boolean
  readonly invalid?: boolean | string
  readonly focusable?: boolean
  readonly draggable?: boolean
  /** It takes text, though it is no field. */
  readonly editable?: boolean
  /** What a field takes that is no plain text, such as `date`. */
  readonly inputType?: string
  /** Transparent, one pixel in size or outside of the page. */
  readonly unseen?: boolean
  /** Its content is that of a closed shadow root, which cannot be read. */
  readonly closed?: boolean
}

/** Changes of the page as a text; `unentered` leaves out the values that the caller entered. */
export interface Changes {
  readonly changes: string
  readonly unentered: string
}

interface DescribeOptions {
  readonly isSeen?: boolean
  readonly enteredTexts?: readonly string[]
  /** Whether another element that has the focus is a change. */
  readonly movesFocus?: boolean
}

export interface LastSnapshot {
  /** Records a snapshot of the whole page. */
  record(tree: AriaTree): readonly SnapshotLine[]
  readonly isRecorded: boolean
  /** Records what a snapshot of a part has shown; the rest stays what it was. `tree` is that of the whole page. */
  recordPart(part: AriaTree, tree: AriaTree): void
  /** Whether a modal layer started to open or to close since the last snapshot. */
  isLayerChanging(tree: AriaTree): boolean
  /** Describes the changes since the last snapshot; `tree` becomes the last one, unless the client may not see the description. */
  describeChanges(tree: AriaTree, maxChars: number, options?: DescribeOptions): Changes
  /** The last snapshot as text. */
  text(): string
  /** The element of an earlier ref, such as `button "Save"`. */
  describeRef(ref: string): string | undefined
}
