/** The element with the focus, through open shadow roots. */
export function deepestActiveElement(root: Document | ShadowRoot): Element | null {
  let active = root.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active
}
