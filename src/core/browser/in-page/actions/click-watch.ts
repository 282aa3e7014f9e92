import { watchDrag, watchDragStart } from './drag-watch.ts'
import { watchValidation } from './form-fields.ts'

type EndWatch = (isAbandoned?: boolean) => unknown

// One that an abandoned call has left is ended.
function startWatch(name: string, watch: () => EndWatch): void {
  const key = Symbol.for(`footlight ${name}`)
  const watches = window as unknown as Record<symbol, EndWatch | undefined>
  watches[key]?.(true)
  watches[key] = watch()
}

export const startClickWatch = (_: Element[], name: string): void => startWatch(name, watchClick)
export const startSubmitWatch = (_: Element[], name: string): void => startWatch(name, watchValidation)
export const startDragWatch = (_: Element[], name: string): void => startWatch(name, watchDrag)
export const startDropWatch = (_: Element[], name: string): void => startWatch(name, watchDragStart)

const AIM = Symbol.for('footlight click aim')
const aims = window as unknown as Record<symbol, Element | undefined>

/** Names the element that the watched click is for. */
export function aimClick([element, second]: Element[]): void {
  aims[AIM] = second ? undefined : element
}

/** Ends the watch and returns what it found; undefined if another document has been loaded since. */
export function endWatch(_: Element[], name: string): unknown {
  const key = Symbol.for(`footlight ${name}`)
  const watches = window as unknown as Record<symbol, EndWatch | undefined>
  const end = watches[key]
  delete watches[key]
  return end?.()
}

// Watches what keeps a click from its effect: the result is the invalid field that blocked a submit, or how the page lost the click.
function watchClick(): () => string | undefined {
  const endings = [watchValidation(), watchClickLoss()]
  return () => endings.map((end) => end()).find((finding) => finding !== undefined)
}

/** Why a control that was pressed got no click event: between press and release it moved away from the mouse, or the page replaced it, or
 * its content, or disabled it, or hid it when a field lost the focus; or the press hit what is around it. */
export type ClickLoss = 'moved' | 'replaced' | 'disabled' | 'hidden' | 'missed'

/** Watches the next click of the left mouse button in this window; the function that it returns ends that. A control that acts on the press and
 * covers, hides, resizes, marks or removes itself, as lists, menus and sliders do, has lost nothing. */
export function watchClickLoss(): () => ClickLoss | undefined {
  const controls =
    'button, a[href], summary, label, input, select, [role=button], [role=link], [role=tab], [role=option], [role=treeitem], [role^=menuitem], [role=checkbox], [role=radio], [role=switch]'
  const stateAttributes = ['aria-expanded', 'aria-pressed', 'aria-checked', 'aria-selected', 'data-state']
  interface Press {
    readonly target: Element
    /** The control that has the target as its content, or the target. */
    readonly control: Element
    readonly root: Document | ShadowRoot
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
    readonly state: string
    readonly isDisabled: boolean
    readonly equalCount: number
    readonly isMissed: boolean
    /** The text field that has the focus. */
    readonly field?: Element
  }
  let press: Press | undefined
  let loss: ClickLoss | undefined
  let [isReleased, isClicked] = [false, false]

  const stateOf = (control: Element) => stateAttributes.map((name) => control.getAttribute(name)).join()
  const countEqual = (root: Document | ShadowRoot, control: Element) =>
    [...root.querySelectorAll(CSS.escape(control.localName))].filter(
      (other) => other !== control && other.isEqualNode(control),
    ).length
  const findLoss = (pressed: Press): ClickLoss | undefined => {
    const { target, control, root, x, y, equalCount } = pressed
    if (root instanceof ShadowRoot && !root.host.isConnected) return undefined
    const hidden = pressed.field && document.activeElement !== pressed.field ? 'hidden' : undefined
    if (!control.isConnected) return countEqual(root, control) > equalCount ? 'replaced' : hidden
    if (control.getClientRects().length === 0) return hidden
    const { left, top, right, bottom, width, height } = control.getBoundingClientRect()
    const isOutside = x < left || x > right || y < top || y > bottom
    const isResized = Math.abs(width - pressed.width) > 1 || Math.abs(height - pressed.height) > 1
    if (isOutside) return isResized ? undefined : 'moved'
    if (control.matches(':disabled')) return pressed.isDisabled ? undefined : 'disabled'
    if (target.isConnected || !control.contains(root.elementFromPoint(x, y))) return undefined
    return stateOf(control) === pressed.state ? 'replaced' : undefined
  }
  const onPress = (event: Event) => {
    const { button, clientX: x, clientY: y } = event as PointerEvent
    const target = event.composedPath()[0]
    press = undefined
    if (!event.isTrusted || button !== 0 || !(target instanceof Element)) return
    const root = target.getRootNode() as Document | ShadowRoot
    const aim = aims[AIM]
    const isMissed = aim !== undefined && target !== aim && target.contains(aim)
    const control = isMissed ? aim : (target.closest(controls) ?? target)
    const { width, height } = control.getBoundingClientRect()
    const [state, isDisabled] = [stateOf(control), control.matches(':disabled')]
    const equalCount = countEqual(root, control)
    const active = document.activeElement
    const field = active?.matches('input, textarea, [contenteditable]') && { field: active }
    press = { target, control, root, x, y, width, height, state, isDisabled, equalCount, isMissed, ...field }
  }
  // From the release on, changes are the reaction of the page to the click.
  const onRelease = () => {
    if (!press || isReleased) return
    isReleased = true
    loss = findLoss(press)
  }
  const onClick = (event: Event) => {
    if (press && event.composedPath().includes(press.control)) isClicked = true
  }
  const listeners = [
    ['pointerdown', onPress],
    ['pointerup', onRelease],
    ['mouseup', onRelease],
    ['click', onClick],
  ] as const
  for (const [type, listener] of listeners) window.addEventListener(type, listener, true)
  return () => {
    for (const [type, listener] of listeners) window.removeEventListener(type, listener, true)
    delete aims[AIM]
    if (!press || isClicked) return undefined
    if (press.isMissed) return 'missed'
    return isReleased ? loss : findLoss(press)
  }
}

interface DoubleClickWatch {
  readonly element: Element
  isFired: boolean
  /** The last of the clicks. */
  click?: MouseEvent
  /** Removes the listeners. */
  dispose(): void
}

export function watchDoubleClick(element: Element): DoubleClickWatch {
  const onClick = (event: Event) => (watch.click = event as MouseEvent)
  const onDoubleClick = () => (watch.isFired = true)
  const watch: DoubleClickWatch = {
    element,
    isFired: false,
    dispose() {
      element.removeEventListener('click', onClick, true)
      element.removeEventListener('dblclick', onDoubleClick, true)
    },
  }
  element.addEventListener('click', onClick, true)
  element.addEventListener('dblclick', onDoubleClick, true)
  return watch
}

/** Dispatches the event that the browser has omitted, where the last click was. The clicks into a frame do not reach its element. */
export function completeDoubleClick({ element, isFired, click, dispose }: DoubleClickWatch): void {
  dispose()
  if (isFired || !click) return
  const { clientX, clientY, screenX, screenY, altKey, ctrlKey, metaKey, shiftKey } = click
  const event = { clientX, clientY, screenX, screenY, altKey, ctrlKey, metaKey, shiftKey }
  element.dispatchEvent(
    new MouseEvent('dblclick', { ...event, bubbles: true, cancelable: true, composed: true, detail: 2 }),
  )
}
