/** The part of an element that its scrolling ancestors and the viewport show, relative to the element; all of it if they show none. */
export function findVisiblePart(element: Element): Pick<DOMRect, 'x' | 'y' | 'width' | 'height'> {
  const box = element.getBoundingClientRect()
  let [left, top, right, bottom] = [
    Math.max(box.left, 0),
    Math.max(box.top, 0),
    Math.min(box.right, innerWidth),
    Math.min(box.bottom, innerHeight),
  ]
  const parentOf = (node: Element): Element | null =>
    node.parentElement ?? (node.getRootNode() as Partial<ShadowRoot>).host ?? null
  for (
    let parent = parentOf(element);
    parent && parent !== document.documentElement;
    parent = parentOf(parent)
  ) {
    const { overflowX, overflowY } = getComputedStyle(parent)
    const area = parent.getBoundingClientRect()
    if (overflowX !== 'visible') [left, right] = [Math.max(left, area.left), Math.min(right, area.right)]
    if (overflowY !== 'visible') [top, bottom] = [Math.max(top, area.top), Math.min(bottom, area.bottom)]
  }
  if (right <= left || bottom <= top) return { x: 0, y: 0, width: box.width, height: box.height }
  return { x: left - box.left, y: top - box.top, width: right - left, height: bottom - top }
}
