import { describeInner, findClickPoint } from './click-point.ts'
import { watchClickLoss } from './click-watch.ts'
import { watchValidation } from './form-fields.ts'
import { readMotion } from './motion.ts'

/** Where to click, if the element is actionable now. */
export type HitTargetCheck =
  | { readonly canClick: false }
  | {
      readonly canClick: true
      readonly x: number
      readonly y: number
      /** The text of the control within it that takes the click. */
      readonly inner?: string
      /** It moves without an end. */
      readonly isMoving?: boolean
    }

/** Checks whether the only element can be clicked now. With a mark it then intercepts the mouse events of the click: a press that would
 * reach another element is not delivered. `window[Symbol.for('footlight mouse')](mark)` ends the interception and returns the result:
 * 'hit', 'download' if a link began one, 'stopped' or 'nothing', the invalid field that blocked the submit of its form, or how the page lost the click. An interception
 * that is not ended expires. */
export function interceptHitTarget([element, second]: Element[], mark: string): HitTargetCheck {
  const notClickable = { canClick: false } as const
  if (!element || second || window !== window.top || !element.isConnected) return notClickable
  if ((window.visualViewport?.scale ?? 1) !== 1 || document.pointerLockElement) return notClickable
  // An element inside a button or a label is disabled with it.
  const owner =
    element.closest('button, [role=button], [role=checkbox], [role=radio], [role=switch], a') ?? element
  const control = owner.closest('label')?.control
  if ([element, owner, control].some((candidate) => candidate?.matches(':disabled'))) return notClickable
  if (element.closest('[aria-disabled="true"]') || control?.closest('[aria-disabled="true"]'))
    return notClickable
  const point = findClickPoint(element)
  if (!point) return notClickable
  const { x, y, target, hit, inner, isReached } = point
  // Mouse events inside a frame cannot be intercepted from here.
  if (/^(i?frame|object|embed|fencedframe|portal)$/i.test(hit.localName)) return notClickable
  const motion = readMotion(element, target)
  if (motion.isEnding) return notClickable
  const innerText = describeInner(element, inner)
  const check: HitTargetCheck = {
    canClick: true,
    x,
    y,
    ...(innerText !== undefined && { inner: innerText }),
    ...(motion.isEndless && { isMoving: true }),
  }
  if (mark === '') return check
  const INTERCEPTION_TIMEOUT_MS = 1000
  const startedAt = performance.now()
  let isStopped = false
  let pressedAt = 0
  // Of a link, also one that a script clicks.
  let downloadClick: Event | undefined
  const mouseEvents = [
    'pointerdown',
    'mousedown',
    'pointerup',
    'mouseup',
    'click',
    'auxclick',
    'contextmenu',
  ] as const
  const isDownload = ({ type, target }: Event) =>
    type === 'click' && target instanceof Element && target.closest('a[href][download]') !== null
  const onMouseEvent = (event: Event) => {
    if (isDownload(event)) downloadClick = event
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
    const hit = downloadClick?.defaultPrevented === false ? 'download' : 'hit'
    return isStopped ? 'stopped' : (finding ?? hit)
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
  return check
}
