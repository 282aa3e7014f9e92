// What people see of sessions, and do in them, through the view. session-views.ts implements it; serve-view.ts serves it.

import type { Outcome } from '../../core/base/failure.ts'
import type { Box, Point } from '../../core/base/geometry.ts'
import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import type { Image } from '../../core/sessions/types/page-values.ts'

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
  readonly url: string
  /** Of its dev server. */
  readonly serverUrl?: string
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly control: Control
  /** The newest action of its timeline. */
  readonly lastAction?: string
  /** The number of its calls that failed. */
  readonly failures: number
}

/** An entry of the timeline: redacted, with its positions in source files. */
export interface ViewedEntry extends Pick<JournalEntry, 'seq' | 'at' | 'kind' | 'level' | 'text'> {
  /** What an action changed on the page. */
  readonly changes?: string
  /** A request that has not ended: its entry will change. */
  readonly isOpen?: true
}

/** A picture of the active tab, which is not masked: whoever sees it is the user. */
export interface Frame {
  /** Grows with each picture of a session. */
  readonly sequence: number
  /** JPEG. */
  readonly bytes: Uint8Array
  /** Of the viewport, in CSS pixels: the points of inputs are in them. */
  readonly width: number
  readonly height: number
}

/** What a person does with mouse and keyboard; points in CSS pixels of the viewport, keys as Playwright names them. */
export type PersonInput =
  | ({ readonly kind: 'move' } & Point)
  | ({
      readonly kind: 'down' | 'up'
      readonly button: 'left' | 'middle' | 'right'
      /** 2 of a double click. */
      readonly clickCount: number
    } & Point)
  | ({ readonly kind: 'wheel'; readonly deltaX: number; readonly deltaY: number } & Point)
  | { readonly kind: 'keyDown' | 'keyUp'; readonly key: string }
  /** Pasted, or composed by an input method. */
  | { readonly kind: 'text'; readonly text: string }

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

/** An element and what a person says about it. */
export interface Comment {
  readonly ref: string
  /** Role and name. */
  readonly name: string
  readonly source?: string
  readonly note: string
  readonly image?: Image
}

/** What viewers ask for. `viewer` names one open page of the view; what it holds ends 10 s after its last request. */
export interface SessionViews {
  list(viewer: string): Promise<readonly ViewedSession[]>
  /** The timeline of a session after an entry, oldest first; `dropped` counts older ones that are gone. */
  read(
    session: string,
    after: number,
  ): Promise<Outcome<{ readonly entries: readonly ViewedEntry[]; readonly dropped: number }>>
  /** The first picture that is newer than `after`; undefined if nothing changes within 10 s. */
  nextFrame(session: string, after: number, signal: AbortSignal): Promise<Outcome<Frame | undefined>>
  /** The person takes the session, once the call that runs has ended. */
  takeOver(viewer: string, session: string): Promise<Outcome<void>>
  giveBack(viewer: string, session: string, note: string): Promise<Outcome<void>>
  /** Fails with SESSION_BUSY unless the viewer has the session. */
  sendInput(viewer: string, session: string, inputs: readonly PersonInput[]): Promise<Outcome<void>>
  elementAt(session: string, point: Point): Promise<Outcome<PointedElement | undefined>>
  /** Tells the agent what a person says about an element that `elementAt` returned when they pointed at it. */
  comment(session: string, element: CommentedElement, note: string): Promise<Outcome<Comment>>
}
