// Finds the elements that a changed area of a screenshot shows.

import type { ElementName } from '../base/action.ts'
import type { Box } from '../base/geometry.ts'
import { clip, normalizeSpace } from '../base/text/clip.ts'
import type { AriaNode, AriaTree } from '../sessions/types/snapshot.ts'

/** An element with its box; `parent` is the index of the closest ancestor in the same list. */
interface PlacedElement extends ElementName {
  readonly box: Box
  readonly parent: number | undefined
}

/** The elements of a tree that have a ref and a box with an area, in document order, without those behind a modal layer. */
export function placedElementsOf(tree: AriaTree): readonly PlacedElement[] {
  const elements: PlacedElement[] = []
  const walk = (node: AriaNode | string, ancestor: number | undefined): void => {
    if (typeof node === 'string' || node.hidden) return
    const { role = 'generic', ref, box, children = [] } = node
    const isPlaced = ref !== undefined && box !== undefined && areaOf(box) > 0
    if (isPlaced) elements.push({ role, name: nameOf(node), ref, box, parent: ancestor })
    const parent = isPlaced ? elements.length - 1 : ancestor
    for (const child of children) walk(child, parent)
  }
  for (const node of tree) walk(node, undefined)
  return elements
}

/** The elements of a tree that have a ref, by it. */
export function nameElements(tree: AriaTree): ReadonlyMap<string, ElementName> {
  const elements = new Map<string, ElementName>()
  const add = (node: AriaNode | string): void => {
    if (typeof node === 'string') return
    const { role = 'generic', ref, children = [] } = node
    if (ref !== undefined) elements.set(ref, { role, name: nameOf(node), ref })
    for (const child of children) add(child)
  }
  for (const node of tree) add(node)
  return elements
}

/** The elements of a changed area: those that are mostly inside of it, or else the smallest one around it. */
export function findChangedElements(area: Box, elements: readonly PlacedElement[]): readonly ElementName[] {
  const inside = new Set<number>()
  for (const [index, element] of elements.entries())
    if (!isUnnamed(element) && overlapOf(element.box, area) >= MOSTLY_INSIDE * areaOf(element.box))
      inside.add(index)
  const outermost = [...inside].filter((index) => !hasAncestorIn(inside, index, elements))
  const largest = outermost.flatMap((index) => elements[index] ?? [])
  const coveredPixels = largest.reduce((sum, { box }) => sum + overlapOf(box, area), 0)
  const container = smallestAround(area, elements)
  const isCovered = coveredPixels >= MOSTLY_INSIDE * areaOf(area)
  if (largest.length > 0 && (isCovered || !container || isUnnamed(container)))
    return largest
      .toSorted((a, b) => overlapOf(b.box, area) - overlapOf(a.box, area))
      .slice(0, ELEMENT_LIMIT)
      .map(describe)
  return container ? [describe(container)] : []
}

// --- internal ---

const ELEMENT_LIMIT = 3
const CHANGED_NAME_LIMIT_CHARS = 80
const MOSTLY_INSIDE = 0.5
const ALMOST_AROUND = 0.9

const describe = ({ role, name, ref }: ElementName): ElementName => ({ role, name, ref })
const isUnnamed = ({ role, name }: ElementName): boolean => role === 'generic' && name === ''
const areaOf = ({ width, height }: Box): number => width * height

// Of equal boxes the last one is the innermost.
function smallestAround(area: Box, elements: readonly PlacedElement[]): PlacedElement | undefined {
  const around = elements.filter(({ box }) => overlapOf(box, area) >= ALMOST_AROUND * areaOf(area))
  return around.reduce<PlacedElement | undefined>(
    (smallest, element) => (smallest && areaOf(smallest.box) < areaOf(element.box) ? smallest : element),
    undefined,
  )
}

function hasAncestorIn(
  indexes: ReadonlySet<number>,
  index: number,
  elements: readonly PlacedElement[],
): boolean {
  for (let parent = elements[index]?.parent; parent !== undefined; parent = elements[parent]?.parent)
    if (indexes.has(parent)) return true
  return false
}

function overlapOf(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return width > 0 && height > 0 ? width * height : 0
}

function nameOf({ name, text, children = [] }: AriaNode): string {
  const ownText = children.filter((child) => typeof child === 'string').join(' ')
  return clip(normalizeSpace(name || (text ?? ownText)), CHANGED_NAME_LIMIT_CHARS)
}
