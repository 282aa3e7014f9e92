// Where to click an element: a point that belongs to it and to no control within it, or to the label of a checkbox that its own drawing
// hides.

import { hitElement, isVisible, joinSpaces } from '../page/elements.ts'
import type { Point } from '../../../base/geometry.ts'
import { readMotion } from './motion.ts'

export interface ClickPoint extends Point {
  /** The element, or its label. */
  readonly target: Element
  /** What the mouse hits there. */
  readonly hit: Element
  /** The control within it that takes a click at each of its points. */
  readonly inner?: Element
  /** Whether a press on this node is one on the element. */
  isReached(hit: unknown): boolean
}

/** Undefined if no point in the viewport reaches the element. */
export function findClickPoint(element: Element): ClickPoint | undefined {
  const CONTROLS =
    'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=checkbox], [role=radio], [role=switch], [role=tab], [role=option], [role=menuitem], [contenteditable=""], [contenteditable=true]'
  const BOX_LIMIT = 4
  const FRACTIONS = [0.5, 0.25, 0.75, 0.08, 0.92]
  const isToggle = element.matches('input[type=checkbox], input[type=radio]')
  const ownLabels = isToggle ? [...((element as HTMLInputElement).labels ?? [])] : []
  const drawing = ownLabels.length > 0 ? undefined : findDrawingOf(element)
  const labels: readonly Element[] = drawing ? [drawing] : ownLabels
  const ownControl = element instanceof HTMLLabelElement ? element.control : element

  const parentOf = (node: Node): Node | null => (node instanceof ShadowRoot ? node.host : node.parentNode)
  // The nodes from a hit up to an ancestor, without it; undefined if it is no ancestor.
  function pathTo(hit: unknown, ancestor: Element): Node[] | undefined {
    const path: Node[] = []
    for (let node = hit instanceof Node ? hit : null; node; node = parentOf(node)) {
      if (node === ancestor) return path
      path.push(node)
    }
    return undefined
  }
  const controlIn = (path: readonly Node[]): Element | undefined =>
    path.find(
      (node): node is Element => node instanceof Element && node !== ownControl && node.matches(CONTROLS),
    )
  // The icon of a rating lies over its radio, in a part that has no other control: a click there is one on the radio.
  const isOwnDrawing = (hit: unknown): boolean => {
    const controls = 'a[href], button, input, select, textarea, label, [role], [tabindex]'
    const part = element.parentElement
    const isRoleToggle = element.matches('[role=radio], [role=checkbox], [role=switch]')
    if (!isRoleToggle || !part || !(hit instanceof Element) || hit === part || !part.contains(hit))
      return false
    const others = [...part.querySelectorAll(controls)].filter((other) => !pathTo(other, element))
    return others.every((other) => /^(presentation|none|img)$/.test(other.getAttribute('role') ?? 'control'))
  }
  const isOnLabel = (hit: unknown, label: Element): boolean => {
    const path = pathTo(hit, label)
    return path !== undefined && !controlIn(path)
  }
  const isOnElement = (hit: unknown): boolean => {
    const path = pathTo(hit, element)
    return path ? !controlIn(path) : isOwnDrawing(hit) || labels.some((label) => isOnLabel(hit, label))
  }
  const isWithin = (hit: unknown): boolean => pathTo(hit, element) !== undefined

  function pointsOf(target: Element, fractions: readonly number[]): Point[] {
    const boxes = [...target.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
    const points = boxes
      .slice(0, BOX_LIMIT)
      .flatMap(({ left, top, width, height }) =>
        fractions.flatMap((down) =>
          fractions.map((along) => ({ x: left + width * along, y: top + height * down })),
        ),
      )
    return points.filter(({ x, y }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight)
  }
  const isShown = (node: Element) => getComputedStyle(node).visibility === 'visible'
  const find = (target: Element, fractions: readonly number[], isReached: (hit: unknown) => boolean) => {
    const points = isShown(target) ? pointsOf(target, fractions) : []
    const hits = points.map((point) => ({ ...point, hit: hitElement(point.x, point.y) }))
    const match = hits.find((one): one is typeof one & { hit: Element } => isReached(one.hit))
    return match && { ...match, target, isReached }
  }

  const own = find(element, [0.5], isOnElement)
  const ownLabel = own && !isWithin(own.hit) ? labels.find((label) => isOnLabel(own.hit, label)) : undefined
  if (own) return { ...own, target: ownLabel ?? element }
  for (const label of labels) {
    const parts = [label, ...label.querySelectorAll('*')]
    for (const part of parts) {
      const point = find(part, [0.5], (hit) => isOnLabel(hit, label))
      if (point) return { ...point, target: label }
    }
  }
  // Where its middle is a gap in it, or a control within it, and not something that covers it.
  const [middle] = pointsOf(element, [0.5])
  const hit = middle && hitElement(middle.x, middle.y)
  const isGap = hit !== null && hit !== undefined && (isWithin(hit) || hit.contains(element))
  const elsewhere = isGap ? find(element, FRACTIONS, isOnElement) : undefined
  if (elsewhere) return elsewhere
  const filled = find(element, [0.5], isWithin)
  const inner = filled && controlIn(pathTo(filled.hit, element) ?? [])
  return filled && inner && { ...filled, inner }
}

/** The control within an element that takes its click, if it is not all that the element is. */
export function describeInner(element: Element, inner: Element | undefined): string | undefined {
  const labelOf = (node: Element) => (node.getAttribute('aria-label') ?? node.textContent ?? '').trim()
  // The text field of a combobox is what the box around it is.
  const isOwnField = inner?.matches('input[role=combobox]') === true
  if (!inner || isOwnField || labelOf(inner) === labelOf(element)) return undefined
  return `${inner.localName} "${joinSpaces(labelOf(inner)).slice(0, 40)}"`
}

const hasSize = (node: Element): boolean => {
  const { width, height } = node.getBoundingClientRect()
  return width > 1 && height > 1
}

/** What shows a link or button without a size: the first part of it that has one. */
function findShownPart(element: Element): Element | undefined {
  const PART_LIMIT = 50
  const controls = 'a[href], button, [role=button], [role=link]'
  if (!element.matches(controls) || hasSize(element)) return undefined
  const { overflow, clip, clipPath } = getComputedStyle(element)
  if (overflow !== 'visible' || clip !== 'auto' || clipPath !== 'none') return undefined
  const parts = [...element.querySelectorAll('*')].slice(0, PART_LIMIT)
  return parts.find((part) => hasSize(part) && isVisible(part) && part.closest(controls) === element)
}

/** What draws a control without a size: of a checkbox or combobox the next element around it that has one, and no other control. */
export function findDrawingOf(element: Element): Element | undefined {
  const LEVEL_LIMIT = 4
  const controls = 'a[href], button, input:not([type=hidden]), select, textarea, label, [role], [tabindex]'
  const isDrawnElsewhere = element.matches('input[type=checkbox], input[type=radio], [role=combobox]')
  if (!isDrawnElsewhere) return findShownPart(element)
  let node = element.parentElement
  if (hasSize(element) && node && hasSize(node)) return undefined
  for (let level = 0; node && level < LEVEL_LIMIT; node = node.parentElement, level += 1) {
    if ([...node.querySelectorAll(controls)].some((other) => !element.contains(other))) return undefined
    if (hasSize(node)) return node
  }
  return undefined
}

/** The point relative to the element, or to the label of this index; undefined if its middle is right or no point reaches it. `inner` is the
 * control that takes the click at each point. `isEndless`: it moves
 * without an end. */
export function readClickPlace([element, second]: Element[]):
  { x: number; y: number; labelIndex?: number; inner?: string; isEndless?: boolean } | undefined {
  if (!element || second) return undefined
  const middle = (box: DOMRect) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 })
  const reveal = () =>
    (((element as HTMLInputElement).labels ?? [])[0] ?? element).scrollIntoView({
      block: 'center',
      behavior: 'instant',
    })
  const point = findClickPoint(element) ?? (reveal(), findClickPoint(element))
  const box = element.getClientRects()[0]
  if (!point) return undefined
  const inner = describeInner(element, point.inner)
  if (point.inner && inner === undefined) return undefined
  const own = box && middle(box)
  const motion = readMotion(element, point.target)
  const isEndless = motion.isEndless && !motion.isEnding
  if (
    !inner &&
    !isEndless &&
    point.target === element &&
    own &&
    Math.abs(own.x - point.x) < 1 &&
    Math.abs(own.y - point.y) < 1
  )
    return undefined
  const { left, top } = point.target.getBoundingClientRect()
  const labels: Element[] = [...((element as HTMLInputElement).labels ?? [])]
  // Its drawing is no label: -1.
  return {
    x: point.x - left,
    y: point.y - top,
    ...(inner !== undefined && { inner }),
    ...(isEndless && { isEndless }),
    ...(point.target !== element && { labelIndex: labels.indexOf(point.target) }),
  }
}

/** The middle of the element in its frame, or a point of it; undefined if something else is there. */
export function findOwnPoint([element]: Element[], position: Point | null): Point | undefined {
  if (!element) return undefined
  const { left, top, width, height } = element.getBoundingClientRect()
  const [x, y] = [left + (position?.x ?? width / 2), top + (position?.y ?? height / 2)]
  return element.contains(hitElement(x, y)) ? { x, y } : undefined
}

/** Whether a frame is what shows at this point of the page. */
export const isFrameAt = (_: Element[], { x, y }: Point): boolean =>
  /^(i?frame|object|embed)$/.test(hitElement(x, y)?.localName ?? '')

/** The label of this index, else what draws the element. */
export const labelOf = (element: Element, index: number): Element | null =>
  (element as HTMLInputElement).labels?.[index] ?? findDrawingOf(element) ?? null
