// What the view shows of sessions.

import type { Box } from '../../../core/base/geometry.ts'
import type { JournalEntry } from '../../../core/sessions/journal/journal.ts'

/** Who acts in a session. `nobody`: the agent has asked for a person and waits. */
export type Control =
  | { readonly by: 'agent' }
  | { readonly by: 'nobody'; readonly reason: string }
  | { readonly by: 'person'; readonly isYou: boolean; readonly reason?: string }

/** A session as the grid of the view shows it. Its texts are redacted. */
export interface ViewedSession {
  readonly id: string
  readonly name: string
  readonly browser: string
  /** The name of the folder that its agent works in. */
  readonly folder?: string
  readonly branch?: string | undefined
  readonly url: string
  /** Of its dev server. */
  readonly serverUrl?: string
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly control: Control
  /** The newest action of its timeline, in words. */
  readonly lastAction?: string | undefined
  /** The number of its calls that failed. */
  readonly failures: number
}

/** An entry of the timeline: redacted, with its positions in source files. */
export interface ViewedEntry extends Pick<JournalEntry, 'at' | 'level' | 'text'> {
  /** Of a check, that of the newest entry when it began. */
  readonly seq: number
  /** Of its last line, where it has several of a dev server. */
  readonly lastSeq?: number
  /** A check is what was waited for and held. */
  readonly kind: JournalEntry['kind'] | 'check'
  /** An action that did nothing on the page. */
  readonly isSilent?: true
  /** What an action changed on the page. */
  readonly changes?: string
  /** A request that has not ended: its entry will change. */
  readonly isOpen?: true
}

/** The element at a point, as an agent names it. */
export interface PointedElement {
  readonly ref: string
  readonly role: string
  readonly name: string
  /** In CSS pixels of the viewport. */
  readonly box: Box
  /** Such as `src/cart.tsx:12`. */
  readonly source?: string
}

export type CommentedElement = Omit<PointedElement, 'box'>

/** `read`: the agent has it. A `question` of the agent waits for other words. */
type PinState = 'draft' | 'sent' | 'read' | 'done' | 'question'

/** A comment on an element, as the view shows it. Its texts are redacted. */
export interface ViewedPin {
  readonly number: number
  /** Role and name of its element. */
  readonly name: string
  readonly source?: string
  readonly note: string
  readonly state: PinState
  /** What the agent says. */
  readonly answer?: string
  /** In CSS pixels of the viewport; undefined where that is not known. */
  readonly box?: Box
  readonly isGone: boolean
}

/** An element to move to with the keyboard. */
export type ShownElement = Omit<PointedElement, 'source'>
