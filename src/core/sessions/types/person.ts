// What a person sees of a page, does in it and says about it.

import type { Point } from '../../base/geometry.ts'
import type { Image } from '../../base/image.ts'
import type { RecordedAction } from './recorded-step.ts'

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

/** An element and what a person says about it. */
export interface Comment {
  /** By which it is answered. */
  readonly number: number
  readonly ref: string
  /** Role and name. */
  readonly name: string
  readonly locator?: string
  readonly source?: string
  readonly note: string
  /** The element is not on the page any more. */
  readonly missing?: true
  /** The path of its picture, where several come together. */
  readonly picture?: string
}

/** Comments that were sent together, and the picture where it is one. */
export interface Comments {
  readonly comments: readonly Comment[]
  readonly image?: Image
}

/** What a person does in a session, as it is noticed there. `at` is in milliseconds of a monotonic clock, `url` that of the tab when it happened. */
export type PersonEvent =
  | {
      readonly kind: 'action'
      readonly tab: string
      readonly url: string
      readonly at: number
      readonly action: RecordedAction
    }
  /** The field that was typed into last has its final value. */
  | { readonly kind: 'settle' }
  /** Without an opener the person opened it. */
  | {
      readonly kind: 'opened'
      readonly tab: string
      readonly opener?: string
      readonly url: string
      readonly at: number
    }
  | {
      readonly kind: 'moved'
      readonly tab: string
      readonly url: string
      readonly at: number
    }
