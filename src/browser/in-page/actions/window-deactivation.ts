/** Hides from the scripts of the page that another window takes the focus, and that this one gets it back: the focused element keeps it.
 * Runs before these scripts, so that its listeners are the first ones. */
export function hideWindowDeactivation(): void {
  // The element whose blur was hidden.
  let heldElement: Element | undefined

  function findActiveElement(): Element | undefined {
    let active = document.activeElement
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
    return active === document.body || active === null ? undefined : active
  }

  const isWindowTarget = (target: EventTarget | null) => target === window || target === document

  // When the focus moves within the page, the element that loses it is not the active one any more.
  function onBlur(event: FocusEvent): void {
    const active = findActiveElement()
    if (!event.isTrusted || !active || /^i?frame$/i.test(active.localName)) return
    if (event.target !== document.activeElement && !isWindowTarget(event.target)) return
    heldElement = active
    event.stopImmediatePropagation()
  }

  function onFocus(event: FocusEvent): void {
    if (!event.isTrusted || !heldElement) return
    const blurredElement = heldElement
    const active = findActiveElement()
    if (active === blurredElement) {
      event.stopImmediatePropagation()
      if (event.type === 'focusin') heldElement = undefined
      return
    }
    // The focus has moved while the window did not have it.
    heldElement = undefined
    const options = { composed: true, relatedTarget: active ?? null }
    blurredElement.dispatchEvent(new FocusEvent('blur', options))
    blurredElement.dispatchEvent(new FocusEvent('focusout', { ...options, bubbles: true }))
  }

  for (const type of ['blur', 'focusout'] as const) window.addEventListener(type, onBlur, true)
  for (const type of ['focus', 'focusin'] as const) window.addEventListener(type, onFocus, true)
}
