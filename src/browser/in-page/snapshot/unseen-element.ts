/** A honeypot, or a control only for screen readers or the keyboard. Checkboxes are excluded because custom ones often hide their input. */
export function isUnseen(element: Element, role: string): boolean {
  const isTextField = role === 'textbox' || role === 'searchbox'
  if (!isTextField && role !== 'link' && role !== 'button') return false
  if (isTextField && element.checkVisibility && !element.checkVisibility({ opacityProperty: true }))
    return true
  const box = element.getBoundingClientRect()
  if (getComputedStyle(element).display === 'contents') return false
  if (box.width <= 1 || box.height <= 1) return true
  let { right, bottom } = box
  if (right > 0 && bottom > 0) return false
  for (let part: Element | null = element.parentElement; part; part = part.parentElement) {
    right += part.scrollLeft
    bottom += part.scrollTop
  }
  return right <= 0 || bottom <= 0
}
