/** Why a control that was pressed got no click event: between press and release it left the point of the mouse, or the page replaced it, or
 * its content, or disabled it. */
export type ClickLoss = 'moved' | 'replaced' | 'disabled'

/** Watches the next click of the left mouse button in this window; the function that it returns ends that. A control that acts on the press and
 * covers, changes or removes itself, as lists and menus do, has lost nothing. */
export function watchClickLoss(): () => ClickLoss | undefined {
  const controls =
    'button, a[href], summary, label, input, [role=button], [role=link], [role=tab], [role=menuitem], [role=checkbox], [role=radio], [role=switch]'
  interface Press {
    readonly target: Element
    /** The control that has the target as its content, or the target. */
    readonly control: Element
    readonly root: Document | ShadowRoot
    readonly x: number
    readonly y: number
    /** Whether the point is no longer in the control, or on something that covers it. */
    isOutside: boolean
    isCovered: boolean
    isClicked: boolean
  }
  let press: Press | undefined
  const onPress = (event: Event) => {
    const { button, clientX: x, clientY: y } = event as PointerEvent
    const target = event.composedPath()[0]
    press = undefined
    if (!event.isTrusted || button !== 0 || !(target instanceof Element)) return
    const root = target.getRootNode() as Document | ShadowRoot
    const control = target.closest(controls) ?? target
    press = { target, control, root, x, y, isOutside: false, isCovered: false, isClicked: false }
  }
  const onRelease = () => {
    if (!press?.control.isConnected) return
    const { control, root, x, y } = press
    const { left, top, right, bottom } = control.getBoundingClientRect()
    press.isOutside = x < left || x > right || y < top || y > bottom
    press.isCovered = !control.contains(root.elementFromPoint(x, y))
  }
  const onClick = (event: Event) => {
    if (press && event.composedPath().includes(press.control)) press.isClicked = true
  }
  const listeners = [
    ['pointerdown', onPress],
    ['pointerup', onRelease],
    ['click', onClick],
  ] as const
  for (const [type, listener] of listeners) window.addEventListener(type, listener, true)
  return () => {
    for (const [type, listener] of listeners) window.removeEventListener(type, listener, true)
    if (!press || press.isClicked) return undefined
    const { target, control, root, isOutside, isCovered } = press
    const isEqual = (other: Element) => other.isEqualNode(control)
    if (!control.isConnected)
      return [...root.querySelectorAll(control.localName)].some(isEqual) ? 'replaced' : undefined
    if (isOutside) return 'moved'
    if (control.matches(':disabled')) return 'disabled'
    return target.isConnected || isCovered ? undefined : 'replaced'
  }
}

/** Starts a watch that `endClickLossWatch` ends, and ends that of an abandoned call. */
export function startClickLossWatch({
  watchClickLoss,
}: {
  watchClickLoss(): () => ClickLoss | undefined
}): void {
  const key = Symbol.for('footlight click loss')
  const globals = window as unknown as Record<symbol, (() => ClickLoss | undefined) | undefined>
  globals[key]?.()
  globals[key] = watchClickLoss()
}

/** Undefined if nothing was lost, or another document has been loaded since. */
export function endClickLossWatch(): ClickLoss | undefined {
  const key = Symbol.for('footlight click loss')
  const globals = window as unknown as Record<symbol, (() => ClickLoss | undefined) | undefined>
  const loss = globals[key]?.()
  delete globals[key]
  return loss
}
