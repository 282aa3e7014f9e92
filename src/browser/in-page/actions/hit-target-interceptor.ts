import type { InPageFunctions } from './element-arguments.ts'

/** Where to click, if the element is actionable now. */
export type HitTargetCheck =
  { readonly canClick: false } | { readonly canClick: true; readonly x: number; readonly y: number }

/** Checks whether the only element can be clicked now. With a mark it then intercepts the mouse events of the click: a press that would
 * reach another element is not delivered. `window[Symbol.for('footlight mouse')](mark)` ends the interception and returns the result:
 * 'hit', 'stopped' or 'nothing', the invalid field that blocked the submit of its form, or how the page lost the click. An interception
 * that is not ended expires. */
export function interceptHitTarget(
  {
    hitElement,
    watchValidation,
    watchClickLoss,
  }: Pick<InPageFunctions, 'hitElement' | 'watchValidation' | 'watchClickLoss'>,
  [element, second]: Element[],
  mark: string,
): HitTargetCheck {
  const notClickable = { canClick: false } as const
  if (!element || second || window !== window.top || !element.isConnected) return notClickable
  if ((window.visualViewport?.scale ?? 1) !== 1 || document.pointerLockElement) return notClickable
  const box = element.getClientRects()[0]
  if (!box || box.width === 0 || box.height === 0) return notClickable
  if (getComputedStyle(element).visibility !== 'visible') return notClickable
  // An element inside a button or a label is disabled with it.
  const owner =
    element.closest('button, [role=button], [role=checkbox], [role=radio], [role=switch], a') ?? element
  const control = owner.closest('label')?.control
  if ([element, owner, control].some((candidate) => candidate?.matches(':disabled'))) return notClickable
  if (element.closest('[aria-disabled="true"]') || control?.closest('[aria-disabled="true"]'))
    return notClickable
  const x = box.left + box.width / 2
  const y = box.top + box.height / 2
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return notClickable

  const isWithinElement = (hit: unknown): boolean => {
    for (let node = hit instanceof Node ? hit : null; node;) {
      if (node === element) return true
      node = node instanceof ShadowRoot ? node.host : node.parentNode
    }
    return false
  }
  // The icon of a rating lies over its radio, in a part that has no other control: a click there is one on the radio.
  const isOwnDrawing = (hit: unknown): boolean => {
    const controls = 'a[href], button, input, select, textarea, label, [role], [tabindex]'
    const part = element.parentElement
    const isToggle = element.matches('[role=radio], [role=checkbox], [role=switch]')
    if (!isToggle || !part || !(hit instanceof Element) || hit === part || !part.contains(hit)) return false
    const others = [...part.querySelectorAll(controls)].filter((other) => !isWithinElement(other))
    return others.every((other) => /^(presentation|none|img)$/.test(other.getAttribute('role') ?? 'control'))
  }
  const isReached = (hit: unknown) => isWithinElement(hit) || isOwnDrawing(hit)
  const hit = hitElement(x, y)
  // Mouse events inside a frame cannot be intercepted from here.
  if (!isReached(hit) || /^(i?frame|object|embed|fencedframe|portal)$/i.test(hit?.localName ?? ''))
    return notClickable
  const isMovingElement = (animation: Animation) => {
    const animatedElement = (animation.effect as KeyframeEffect | null)?.target
    return (
      animation.playState === 'running' &&
      animatedElement instanceof Node &&
      animatedElement.contains(element)
    )
  }
  const root = element.getRootNode() as Document | ShadowRoot
  if ([...document.getAnimations(), ...(root === document ? [] : root.getAnimations())].some(isMovingElement))
    return notClickable

  if (mark === '') return { canClick: true, x, y }
  const INTERCEPTION_TIMEOUT_MS = 1000
  const startedAt = performance.now()
  let isStopped = false
  let pressedAt = 0
  const mouseEvents = [
    'pointerdown',
    'mousedown',
    'pointerup',
    'mouseup',
    'click',
    'auxclick',
    'contextmenu',
  ] as const
  const onMouseEvent = (event: Event) => {
    if (!event.isTrusted) return
    if (performance.now() - (pressedAt || startedAt) > INTERCEPTION_TIMEOUT_MS) return void end()
    if (!pressedAt) {
      pressedAt = performance.now()
      isStopped = !isReached(event.composedPath()[0])
    }
    if (!isStopped) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  // Only if it submits a form that the browser validates.
  const { form, type, formNoValidate } = owner as HTMLButtonElement
  const hasValidation = form && !form.noValidate && !formNoValidate && /^(submit|image)$/.test(type)
  const key = Symbol.for('footlight mouse')
  const globals = window as unknown as Record<
    symbol,
    ((requestedMark?: string) => string | undefined) | undefined
  >
  const endAndReport = (requestedMark?: string) => {
    if (requestedMark !== undefined && requestedMark !== mark) return undefined
    const finding = end()
    if (!pressedAt) return 'nothing'
    return isStopped ? 'stopped' : (finding ?? 'hit')
  }
  // Returns how the page lost the click, or the invalid field.
  function end(): string | undefined {
    for (const type of mouseEvents) window.removeEventListener(type, onMouseEvent, { capture: true })
    if (globals[key] === endAndReport) delete globals[key]
    const invalidField = endValidationWatch?.()
    return endLossWatch() ?? invalidField
  }
  // Ends the interception of an abandoned call.
  globals[key]?.()
  const endLossWatch = watchClickLoss()
  for (const type of mouseEvents)
    window.addEventListener(type, onMouseEvent, { capture: true, passive: false })
  const endValidationWatch = hasValidation ? watchValidation(form) : undefined
  globals[key] = endAndReport
  return { canClick: true, x, y }
}
