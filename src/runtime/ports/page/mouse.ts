// What the mouse does at coordinates of the viewport, in CSS pixels.

export interface Point {
  readonly x: number
  readonly y: number
}

export type MouseButton = 'left' | 'right' | 'middle'

export type Modifier = 'Alt' | 'Control' | 'ControlOrMeta' | 'Meta' | 'Shift'

export type MouseAction = { readonly point: Point; readonly modifiers?: readonly Modifier[] } & (
  | { readonly kind: 'move' }
  | { readonly kind: 'click'; readonly button: MouseButton; readonly clickCount: number }
  | { readonly kind: 'down' | 'up'; readonly button: MouseButton }
  | { readonly kind: 'drag'; readonly button: MouseButton; readonly to: Point }
  | { readonly kind: 'wheel'; readonly deltaX: number; readonly deltaY: number }
)

/** `element` is the tag and id of the element at the point, empty if it is unknown; `note` is on a side effect, mostly empty. */
export interface MouseResult {
  readonly element: string
  readonly note: string
}
