// What the mouse does at coordinates of the viewport, in CSS pixels.

import type { ClickOptions, Modifier } from './page.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

type Button = NonNullable<ClickOptions['button']>

export type MouseAction = { readonly point: Point; readonly modifiers?: readonly Modifier[] } & (
  | { readonly kind: 'move' }
  | { readonly kind: 'click'; readonly button: Button; readonly clickCount: number }
  | { readonly kind: 'down' | 'up'; readonly button: Button }
  | { readonly kind: 'drag'; readonly button: Button; readonly to: Point }
  | { readonly kind: 'wheel'; readonly deltaX: number; readonly deltaY: number }
)

/** `element` is the tag and id of the element at the point, empty if it is unknown; `note` is on a side effect, mostly empty. */
export interface MouseResult {
  readonly element: string
  readonly note: string
}
