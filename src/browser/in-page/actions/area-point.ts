/** The middle of an area of an image map in the viewport; undefined for other elements, and if the mouse would not reach it there. */
export function findAreaPoint([area, second]: Element[]): { x: number; y: number } | undefined {
  if (!(area instanceof HTMLAreaElement) || second || window !== window.top) return undefined
  const name = area.closest('map')?.getAttribute('name') ?? ''
  const image = document.querySelector(`img[usemap="#${CSS.escape(name)}"]`)
  if (!image) return undefined
  image.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const box = image.getBoundingClientRect()
  const { borderLeftWidth, borderTopWidth, paddingLeft, paddingTop } = getComputedStyle(image)
  const coords = area.coords.split(/[\s,]+/).map(Number)
  const middleOf = (values: readonly number[]) => (Math.min(...values) + Math.max(...values)) / 2
  const isOdd = (_: number, index: number) => index % 2 === 1
  const points = area.shape === 'circle' ? coords.slice(0, 2) : coords
  const isWhole = area.shape === 'default' || points.length < 2
  const [left, top] = isWhole
    ? [box.width / 2, box.height / 2]
    : [middleOf(points.filter((value, index) => !isOdd(value, index))), middleOf(points.filter(isOdd))]
  const x = box.left + parseFloat(borderLeftWidth) + parseFloat(paddingLeft) + left
  const y = box.top + parseFloat(borderTopWidth) + parseFloat(paddingTop) + top
  const hit = document.elementFromPoint(x, y)
  return hit === area || hit === image ? { x, y } : undefined
}
