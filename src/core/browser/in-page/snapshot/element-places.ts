// A page may draw another item into the elements that it has, as frameworks without keys and virtual lists do: a button stays, and belongs to
// another row then. So what an element was read as is kept: its label, and the texts by which its row differs from the next.

import type { ElementPlaces, PlaceChange, AriaInjected } from './aria-injected.ts'
import { joinSpaces } from '../page/elements.ts'
import type { ElementMatches } from '../page/element-arguments.ts'

interface Place {
  readonly labels: Set<string>
  /** The last one of them, or of a field. */
  readonly label: string
  /** Whether no other element had its label. */
  readonly isNamed: boolean
  block?: Element
  /** The texts of the block that the next one like it does not have. */
  texts: readonly string[]
  /** How far what is around it was scrolled. */
  scrolled: number
}

export function createElementPlaces(): ElementPlaces {
  const labelled = 'a,button,summary,[role=button],[role=link],[role=menuitem],[role=option],[role=tab]'
  const controls = `${labelled},input,select,textarea,[contenteditable],[role=checkbox],[role=switch]`
  const TEXT_LIMIT = 50
  const places = new WeakMap<Element, Place>()
  let blockOfText = new Map<string, Element>()

  // A clock or a counter is the same text with another number.
  const formOf = (text: string): string => text.toLowerCase().replace(/\d+/g, '#')
  const labelOf = (element: Element): string =>
    joinSpaces(element.getAttribute('aria-label') ?? element.textContent ?? '')

  function textsOf(block: Element): readonly string[] {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
    const texts: string[] = []
    while (texts.length < TEXT_LIMIT && walker.nextNode()) {
      const text = joinSpaces(walker.currentNode.nodeValue ?? '')
      if (text !== '') texts.push(text)
    }
    return texts
  }

  function scrolledOf(block: Element): number {
    let sum = 0
    for (let element = block.parentElement; element; element = element.parentElement) sum += element.scrollTop
    return sum
  }

  // The largest ancestor of an element without the other one in it.
  function blockOf(element: Element, other: Element): Element | undefined {
    let block = element
    for (let parent = block.parentElement; parent; block = parent, parent = parent.parentElement)
      if (parent.contains(other)) return block
    return undefined
  }

  // In rows of one list, controls have the same label, or the name of the row before or after the same word.
  const keysOfRows: readonly ((label: string) => string)[] = [
    (label) => label,
    (label) => label.split(' ')[0] ?? '',
    (label) => label.split(' ').at(-1) ?? '',
  ]

  function groupBy(
    elements: readonly Element[],
    keyOf: (element: Element) => string,
  ): ReadonlyMap<string, readonly Element[]> {
    const groups = new Map<string, Element[]>()
    for (const element of elements) {
      const key = keyOf(element)
      const group = groups.get(key)
      if (group) group.push(element)
      else groups.set(key, [element])
    }
    return groups
  }

  // The controls of a block share its texts.
  function rememberBlocks(group: readonly Element[], textsOfBlocks: Map<Element, readonly string[]>): void {
    const readTexts = (block: Element): readonly string[] => {
      const texts = textsOfBlocks.get(block) ?? textsOf(block)
      textsOfBlocks.set(block, texts)
      return texts
    }
    for (const [index, element] of group.entries()) {
      const next = group[index + 1] ?? group[index - 1]
      const place = places.get(element)
      const block = next && blockOf(element, next)
      const nextBlock = next && blockOf(next, element)
      if (!place || !block || !nextBlock) continue
      const nextTexts = readTexts(nextBlock)
      place.block = block
      const ownTexts = readTexts(block).filter((text) => !nextTexts.includes(text))
      place.texts = place.isNamed ? [...ownTexts, labelOf(element)] : ownTexts
      place.scrolled = scrolledOf(block)
      for (const text of place.texts) blockOfText.set(text, block)
    }
  }

  function remember(elements: readonly Element[]): void {
    blockOfText = new Map()
    const members = elements.filter((element) => element.matches(controls))
    for (const [label, group] of groupBy(members, labelOf))
      for (const element of group) {
        const labels = places.get(element)?.labels ?? new Set()
        if (element.matches(labelled)) labels.add(label)
        const isNamed = group.length === 1 && label !== ''
        places.set(element, { labels, label, isNamed, texts: [], scrolled: 0 })
      }
    const textsOfBlocks = new Map<Element, readonly string[]>()
    for (const keyOf of keysOfRows) {
      const others = members.filter((element) => !places.get(element)?.block)
      const groups = groupBy(others, (element) => `${element.localName} ${keyOf(formOf(labelOf(element)))}`)
      for (const group of groups.values()) rememberBlocks(group, textsOfBlocks)
    }
  }

  function findLabelChange(element: Element, { labels }: Place): PlaceChange | undefined {
    const from = [...labels].at(-1) ?? ''
    const to = labelOf(element)
    if (from === '' || to === '' || labels.has(to)) return undefined
    const words = new Set(formOf([...labels].join(' ')).split(/[^\p{L}#]+/u))
    const isAlike = formOf(to)
      .split(/[^\p{L}#]+/u)
      .some((word) => words.has(word))
    return isAlike ? undefined : { from, to }
  }

  // The same form of text is another item's if that text was in another block, or if its list was scrolled.
  function findBlockChange(element: Element, place: Place): PlaceChange | undefined {
    const { isNamed, block, texts, scrolled } = place
    const label = labelOf(element)
    const [from] = texts
    if (!block?.isConnected || !block.contains(element) || from === undefined) return undefined
    if (isNamed && place.label === label) return undefined
    const textsNow = isNamed ? [...textsOf(block), label] : textsOf(block)
    if (texts.some((text) => textsNow.includes(text))) return undefined
    const ofOther = textsNow.find((text) => (blockOfText.get(text) ?? block) !== block)
    const formsNow = new Set(textsNow.map(formOf))
    const isScrolled = scrolledOf(block) !== scrolled
    const isAlike = texts.some((text) => formsNow.has(formOf(text))) && !isScrolled
    if (ofOther === undefined && isAlike) return undefined
    const to = ofOther ?? textsNow.find((text) => text !== label || isScrolled)
    return to === undefined ? undefined : { from, to }
  }

  return {
    remember,
    findChange(element) {
      const place = places.get(element)
      return place && (findLabelChange(element, place) ?? findBlockChange(element, place))
    },
  }
}

/** What has become of the only match since the last snapshot, if it belongs to another item now. */
export function findPlaceChange({ elements, injected }: ElementMatches): PlaceChange | undefined {
  const [element] = elements
  return element && (injected as unknown as AriaInjected).footlight?.places.findChange(element)
}
