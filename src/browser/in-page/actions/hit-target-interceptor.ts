/** Where to click, if that can be done at once. */
export type HitTargetCheck =
  { readonly sure: false } | { readonly sure: true; readonly x: number; readonly y: number }

interface Dependencies {
  hitElement(x: number, y: number): Element | null
  describeInvalidField(field: HTMLInputElement): string
}

/** Looks whether the one element given can be clicked now. With a mark it then watches the mouse until it has been: a press that would
 * reach another element is kept from the page's elements. `window[Symbol.for('footlight mouse')](mark)` ends the watch and tells what
 * the mouse met: 'hit', 'stopped' or 'nothing', or the field whose validation kept its form from being submitted. A watch that nobody ends ends itself. */
export function interceptHitTarget(
  { hitElement, describeInvalidField }: Dependencies,
  [element, second]: Element[],
  mark: string,
): HitTargetCheck {
  const no = { sure: false } as const
  if (!element || second || window !== window.top || !element.isConnected) return no
  if ((window.visualViewport?.scale ?? 1) !== 1 || document.pointerLockElement) return no
  const box = element.getClientRects()[0]
  if (!box || box.width === 0 || box.height === 0) return no
  if (getComputedStyle(element).visibility !== 'visible') return no
  // What is within a button, or a label, is as disabled as that is.
  const owner =
    element.closest('button, [role=button], [role=checkbox], [role=radio], [role=switch], a') ?? element
  const control = owner.closest('label')?.control
  if ([element, owner, control].some((one) => one?.matches(':disabled'))) return no
  if (element.closest('[aria-disabled="true"]') || control?.closest('[aria-disabled="true"]')) return no
  const x = box.left + box.width / 2
  const y = box.top + box.height / 2
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return no

  const within = (hit: unknown): boolean => {
    for (let node = hit instanceof Node ? hit : null; node;) {
      if (node === element) return true
      node = node instanceof ShadowRoot ? node.host : node.parentNode
    }
    return false
  }
  const hit = hitElement(x, y)
  // Into a frame the mouse cannot be followed from here.
  if (!within(hit) || /^(i?frame|object|embed|fencedframe|portal)$/i.test(hit?.localName ?? '')) return no
  const moves = (animation: Animation) => {
    const moved = (animation.effect as KeyframeEffect | null)?.target
    return animation.playState === 'running' && moved instanceof Node && moved.contains(element)
  }
  const root = element.getRootNode() as Document | ShadowRoot
  if ([...document.getAnimations(), ...(root === document ? [] : root.getAnimations())].some(moves)) return no

  if (mark === '') return { sure: true, x, y }
  const LONGEST = 1000
  const born = performance.now()
  let stopped = false
  let pressed = 0
  const kinds = [
    'pointerdown',
    'mousedown',
    'pointerup',
    'mouseup',
    'click',
    'auxclick',
    'contextmenu',
  ] as const
  const judge = (event: Event) => {
    if (!event.isTrusted) return
    if (performance.now() - (pressed || born) > LONGEST) return end()
    if (!pressed) {
      pressed = performance.now()
      const now = element.getClientRects()[0]
      stopped = !within(event.composedPath()[0]) || now?.left !== box.left || now.top !== box.top
    }
    if (!stopped) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  // Only where it submits a form that the browser validates.
  const { form, type, formNoValidate } = owner as HTMLButtonElement
  const validates = form && !form.noValidate && !formNoValidate && /^(submit|image)$/.test(type)
  let invalid: string | undefined
  let clicked: Event | undefined
  const onClick = (event: Event) => (clicked = event)
  const onSubmit = () => (invalid = undefined)
  const onInvalid = ({ target }: Event) => {
    const field = target as HTMLInputElement
    if (invalid !== undefined || field.form !== form) return
    invalid = describeInvalidField(field)
  }
  const submission = [
    ['click', onClick],
    ['submit', onSubmit],
    ['invalid', onInvalid],
  ] as const
  const key = Symbol.for('footlight mouse')
  const own = window as unknown as Record<symbol, ((asked?: string) => string | undefined) | undefined>
  const tell = (asked?: string) => {
    if (asked !== undefined && asked !== mark) return undefined
    end()
    if (!pressed) return 'nothing'
    if (stopped) return 'stopped'
    return clicked?.defaultPrevented ? 'hit' : (invalid ?? 'hit')
  }
  function end() {
    for (const kind of kinds) window.removeEventListener(kind, judge, { capture: true })
    for (const [kind, listener] of submission) window.removeEventListener(kind, listener, true)
    if (own[key] === tell) delete own[key]
  }
  // One that was left by a call that was given up.
  own[key]?.()
  for (const kind of kinds) window.addEventListener(kind, judge, { capture: true, passive: false })
  if (validates) for (const [kind, listener] of submission) window.addEventListener(kind, listener, true)
  own[key] = tell
  return { sure: true, x, y }
}
